// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/state_dict.h"

#include "core/base/printable.h"
#include "core/model/pickle.h"
#include "core/model/stored_zip.h"

#include <ATen/ATen.h>
#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>
#include <string_view>

namespace accumulus {
namespace {

using Failed = tl::unexpected<Message>;

struct StorageType {
    std::string_view name;
    at::ScalarType type;
};
constexpr std::array storageTypes{StorageType{"Float", at::kFloat}, StorageType{"Double", at::kDouble},
                                  StorageType{"Half", at::kHalf},   StorageType{"BFloat16", at::kBFloat16},
                                  StorageType{"Long", at::kLong},   StorageType{"Int", at::kInt},
                                  StorageType{"Short", at::kShort}, StorageType{"Char", at::kChar},
                                  StorageType{"Byte", at::kByte},   StorageType{"Bool", at::kBool}};

constexpr std::string_view pickleName = "data.pkl";

const std::string* textOf(const pickle::Value* value) { return std::get_if<std::string>(&value->is); }

bool holdsTensors(const pickle::Dictionary& dictionary) {
    return std::ranges::any_of(dictionary.entries, [](const auto& entry) {
        return textOf(entry.first) && std::holds_alternative<pickle::Tensor>(entry.second->is);
    });
}

/// The state dict itself, or the one in a trainer's checkpoint.
const pickle::Dictionary* stateDictIn(const pickle::Value& root) {
    const auto* dictionary = std::get_if<pickle::Dictionary>(&root.is);
    if (!dictionary)
        return nullptr;
    // A checkpoint may hold further tensors beside the weights: a loss, the state of a generator.
    for (const std::string_view key :
         {"state_dict", "model_state_dict", "model", "module", "net", "network", "weights"})
        for (const auto& [name, value] : dictionary->entries) {
            const std::string* text = textOf(name);
            const auto* inner = std::get_if<pickle::Dictionary>(&value->is);
            if (text && *text == key && inner && holdsTensors(*inner))
                return inner;
        }
    return holdsTensors(*dictionary) ? dictionary : nullptr;
}

/// One reading of one file.
class StateDictReader {
public:
    explicit StateDictReader(const std::filesystem::path& file) : m_zip(file) {}

    [[nodiscard]] tl::expected<NamedTensors, Message> read();

private:
    [[nodiscard]] tl::expected<std::string, Message> findPickle();
    [[nodiscard]] tl::expected<at::Tensor, Message> storageOf(const pickle::Storage& storage);
    [[nodiscard]] tl::expected<at::Tensor, Message> tensorOf(const std::string& name, const pickle::Tensor& tensor);

    StoredZip m_zip;
    std::string m_folder; ///< of the archive, with the slash
    std::map<std::string, at::Tensor> m_storages;
};

/// The name of the pickle; everything lies in one folder beside it.
tl::expected<std::string, Message> StateDictReader::findPickle() {
    std::string found;
    for (const auto& [name, entry] : m_zip.entries()) {
        const std::size_t slash = name.find('/');
        if (slash == std::string::npos)
            continue;
        const std::string_view inside = std::string_view(name).substr(slash + 1);
        if (inside == "constants.pkl" || inside.starts_with("code/"))
            return Failed(Message{"reason.weights-module", {}});
        if (inside == pickleName)
            found = name;
    }
    if (found.empty())
        return Failed(Message{"reason.weights-no-pickle", {}});
    m_folder = found.substr(0, found.size() - pickleName.size());
    if (const auto* order = m_zip.find(m_folder + "byteorder"); order && order->size < 16) {
        std::string word(order->size, '\0');
        if (const auto got = m_zip.read(m_folder + "byteorder", word); !got)
            return Failed(got.error());
        if (word != "little")
            return Failed(Message{"reason.weights-byte-order", {}});
    }
    return found;
}

tl::expected<at::Tensor, Message> StateDictReader::storageOf(const pickle::Storage& storage) {
    const auto known = std::ranges::find(storageTypes, storage.type, &StorageType::name);
    if (known == storageTypes.end())
        return Failed(Message{"reason.weights-type", {{"type", printable(storage.type)}}});
    const auto size = static_cast<std::int64_t>(c10::elementSize(known->type));
    const std::string record = m_folder + "data/" + storage.key;
    const StoredZip::Entry* entry = m_zip.find(record);
    if (!entry || storage.elements > std::numeric_limits<std::int64_t>::max() / size ||
        static_cast<std::uint64_t>(storage.elements * size) > entry->size)
        return Failed(Message{"reason.weights-record", {{"record", printable(record)}}});
    at::Tensor& bytes = m_storages[storage.key];
    if (!bytes.defined()) {
        bytes = at::empty({static_cast<std::int64_t>(entry->size)}, at::kByte);
        const std::span<char> target(static_cast<char*>(bytes.mutable_data_ptr()), entry->size);
        if (const auto got = m_zip.read(record, target); !got)
            return Failed(got.error());
    }
    return bytes.narrow(0, 0, storage.elements * size).view(known->type);
}

tl::expected<at::Tensor, Message> StateDictReader::tensorOf(const std::string& name, const pickle::Tensor& tensor) {
    const auto outside = [&] { return Failed(Message{"reason.weights-outside", {{"parameter", printable(name)}}}); };
    auto storage = storageOf(tensor.storage);
    if (!storage)
        return storage;
    if (!pickle::liesInStorage(tensor))
        return outside();
    const std::int64_t count = c10::multiply_integers(tensor.shape);
    if (count == 0)
        return at::empty(tensor.shape, storage->options());
    if (count > storage->numel()) // a view that repeats its elements would grow with every copy
        return Failed(Message{"reason.weights-repeated", {{"parameter", printable(name)}}});
    return storage->as_strided(tensor.shape, tensor.strides, tensor.offset);
}

tl::expected<NamedTensors, Message> StateDictReader::read() {
    if (const auto opened = m_zip.open(); !opened)
        return Failed(opened.error());
    const auto name = findPickle();
    if (!name)
        return Failed(name.error());
    const std::uint64_t size = m_zip.find(*name)->size;
    if (size > pickle::maximumBytes)
        return Failed(Message{"reason.pickle-large", {}});
    std::string words(size, '\0');
    if (const auto got = m_zip.read(*name, words); !got)
        return Failed(got.error());
    const auto document = pickle::read(words);
    if (!document)
        return Failed(document.error());
    const pickle::Dictionary* dictionary = stateDictIn(*document->root);
    if (!dictionary)
        return Failed(Message{"reason.weights-no-dictionary", {}});
    NamedTensors result;
    std::map<std::string, std::size_t> places;
    for (const auto& [key, value] : dictionary->entries) {
        const std::string* text = textOf(key);
        const auto* tensor = std::get_if<pickle::Tensor>(&value->is);
        if (!text || !tensor)
            continue;
        auto read = tensorOf(*text, *tensor);
        if (!read)
            return Failed(read.error());
        const auto [place, isNew] = places.emplace(*text, result.tensors.size());
        if (isNew)
            result.tensors.emplace_back(*text, std::move(*read));
        else
            result.tensors[place->second].second = std::move(*read);
    }
    return result;
}

} // namespace

Result<NamedTensors> readStateDict(const std::filesystem::path& file) {
    auto tensors = [&]() -> tl::expected<NamedTensors, Message> {
        try {
            return StateDictReader(file).read();
        } catch (const std::exception& problem) {         // of LibTorch, or no memory
            const std::string_view said = problem.what(); // lines of a stack may follow
            return Failed(
                Message{"reason.weights-torch", {{"detail", printable(std::string(said.substr(0, said.find('\n'))))}}});
        }
    }();
    if (!tensors) {
        std::vector<std::pair<std::string, std::string>> arguments{{"file", file.string()},
                                                                   {"reason", tensors.error().code}};
        std::ranges::move(tensors.error().arguments, std::back_inserter(arguments));
        return failure("weights.format", std::move(arguments));
    }
    return std::move(*tensors);
}

} // namespace accumulus
