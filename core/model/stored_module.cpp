// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/stored_module.h"

#include "core/base/printable.h"
#include "core/model/pickle.h"
#include "core/model/stored_zip.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace accumulus {
namespace {

using Failed = tl::unexpected<Message>;

constexpr std::uint64_t mostCompressed = std::uint64_t{64} << 20;

/// A pickle of tensors and the folder of their records, both in the archive's own folder.
struct TensorPickle {
    std::string_view name, records;
};
constexpr std::array tensorPickles{TensorPickle{"data.pkl", "data/"}, TensorPickle{"constants.pkl", "constants/"}};

/// As LibTorch compares names of entries.
std::string lowerCase(std::string text) {
    std::ranges::transform(text, text.begin(),
                           [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    return text;
}

/// Behind the archive's folder.
std::string_view inside(std::string_view name) {
    const auto slash = name.find('/');
    return slash == std::string_view::npos ? name : name.substr(slash + 1);
}

/// Every zip archive with entries begins like this.
bool beginsLikeZip(const std::filesystem::path& file) {
    std::array<char, 4> head{};
    std::ifstream(file, std::ios::binary).read(head.data(), head.size());
    return std::string_view(head.data(), head.size()) == "PK\x03\x04";
}

/// What else is kept in such archives: weights and Python objects of torch.save, programs of torch.export.
bool holdsModule(const StoredZip& archive) {
    return std::ranges::any_of(archive.entries(), [](const auto& entry) {
        const std::string name = lowerCase(entry.first);
        return inside(name) == "constants.pkl" || inside(name) == "model.json";
    });
}

/// Undamaged, with room for what is compressed.
tl::expected<void, Message> checkEntries(StoredZip& archive) {
    std::uint64_t compressed = 0;
    std::vector<char> content;
    std::set<std::string> names;
    for (const auto& [name, entry] : archive.entries()) {
        const std::string lower = lowerCase(name);
        if (!names.insert(lower).second)
            return Failed(Message{"reason.zip-names", {}});
        if (inside(lower) == "model.json") // the format before PyTorch 1.4, which is read by other code
            return Failed(Message{"reason.module-old", {}});
        if (!entry.readable) {
            compressed += std::min(entry.size, mostCompressed + 1);
            if (compressed > mostCompressed || inside(lower).ends_with(".pkl"))
                return Failed(Message{"reason.zip-compressed", {{"name", printable(name)}}});
            continue;
        }
        content.resize(entry.size);
        if (auto read = archive.read(name, content); !read)
            return read;
    }
    return {};
}

bool makesOtherTensors(std::string_view function) {
    return (function.starts_with("torch._utils._rebuild_") || function.starts_with("torch._tensor._rebuild_")) &&
           !pickle::makesTensor(function);
}

tl::expected<void, Message> checkRecords(const StoredZip& archive, const pickle::Document& document,
                                         const std::string& folder) {
    for (const pickle::Value& value : document.values) {
        if (const auto* tensor = std::get_if<pickle::Tensor>(&value.is); tensor && !pickle::liesInStorage(*tensor))
            return Failed(Message{"reason.weights-outside", {{"parameter", printable(tensor->storage.key)}}});
        // LibTorch makes tensors of other kinds by functions whose arguments are not looked through here.
        if (const auto* global = std::get_if<pickle::Global>(&value.is); global && makesOtherTensors(global->name))
            return Failed(Message{"reason.weights-type", {{"type", printable(global->name)}}});
        const auto* storage = std::get_if<pickle::Storage>(&value.is);
        if (!storage || storage->elements == 0)
            continue;
        const auto size = pickle::elementSize(storage->type);
        if (!size)
            return Failed(Message{"reason.weights-type", {{"type", printable(storage->type)}}});
        const std::string record = folder + storage->key;
        const StoredZip::Entry* entry = archive.find(record);
        if (!entry || entry->size / *size < static_cast<std::uint64_t>(storage->elements))
            return Failed(Message{"reason.weights-record", {{"record", printable(record)}}});
    }
    return {};
}

} // namespace

tl::expected<void, Message> checkStoredModule(const std::filesystem::path& file) {
    if (!beginsLikeZip(file))
        return Failed(Message{"reason.module-no-archive", {}});
    StoredZip archive(file);
    if (auto opened = archive.open(); !opened)
        return opened;
    if (!holdsModule(archive))
        return Failed(Message{"reason.module-other", {}});
    if (auto checked = checkEntries(archive); !checked)
        return checked;
    for (const auto& [name, entry] : archive.entries())
        for (const TensorPickle& tensors : tensorPickles) {
            if (lowerCase(std::string(inside(name))) != tensors.name)
                continue;
            std::vector<char> words(std::min<std::uint64_t>(entry.size, pickle::maximumBytes + 1));
            if (words.size() < entry.size)
                return Failed(Message{"reason.pickle-large", {}});
            if (auto read = archive.read(name, words); !read)
                return read;
            const auto document = pickle::read(words, pickle::Names::Any);
            if (!document)
                return Failed(document.error());
            const std::string folder = name.substr(0, name.size() - tensors.name.size()) + std::string(tensors.records);
            if (auto checked = checkRecords(archive, *document, folder); !checked)
                return checked;
        }
    return {};
}

} // namespace accumulus
