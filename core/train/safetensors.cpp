// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/safetensors.h"

#include "core/base/atomic_file.h"

#include <ATen/ATen.h>
#include <array>
#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>

namespace accumulus {
namespace {

static_assert(std::endian::native == std::endian::little, "safetensors are written in the machine's byte order");

struct TypeName {
    at::ScalarType type;
    const char* name;
};
constexpr std::array<TypeName, 6> typeNames{{{at::kFloat, "F32"}, {at::kDouble, "F64"}, {at::kLong, "I64"}, {at::kInt, "I32"},
                                             {at::kByte, "U8"}, {at::kBFloat16, "BF16"}}};
constexpr std::size_t maximumHeader = 16U << 20;
constexpr std::size_t maximumDimensions = 8;

tl::unexpected<Error> formatError(const std::filesystem::path& file, const std::string& reason) {
    return failure("checkpoint.format", {{"file", file.string()}, {"reason", reason}});
}

/// A tensor of the header checked against the data part, or why it cannot be.
Result<at::Tensor> readTensor(const std::filesystem::path& file, const nlohmann::json& entry, std::span<const char> data) {
    const auto field = [&](const char* name) -> const nlohmann::json& { return entry.at(name); };
    const auto* type = std::find_if(typeNames.begin(), typeNames.end(),
                                    [&](const TypeName& known) { return field("dtype").get<std::string>() == known.name; });
    if (type == typeNames.end())
        return formatError(file, "it holds a tensor of type " + field("dtype").get<std::string>());
    const auto shape = field("shape").get<std::vector<std::int64_t>>();
    const auto offsets = field("data_offsets").get<std::vector<std::uint64_t>>();
    std::uint64_t bytes = c10::elementSize(type->type);
    if (shape.size() > maximumDimensions || offsets.size() != 2)
        return formatError(file, "a tensor's description is not plausible");
    for (const std::int64_t side : shape)
        if (side < 0 || __builtin_mul_overflow(bytes, static_cast<std::uint64_t>(side), &bytes))
            return formatError(file, "a tensor's shape is not plausible");
    if (offsets[0] > offsets[1] || offsets[1] > data.size() || offsets[1] - offsets[0] != bytes)
        return formatError(file, "a tensor's data lie outside the file or disagree with its shape");
    at::Tensor tensor = at::empty(shape, type->type);
    if (bytes > 0)
        std::memcpy(tensor.mutable_data_ptr(), data.data() + offsets[0], bytes);
    return tensor;
}

} // namespace

const at::Tensor* NamedTensors::find(const std::string& name) const {
    for (const auto& [known, tensor] : tensors)
        if (known == name)
            return &tensor;
    return nullptr;
}

Result<std::int64_t> writeSafetensors(const std::filesystem::path& file, const NamedTensors& content) {
    nlohmann::ordered_json header;
    if (!content.metadata.empty())
        header["__metadata__"] = content.metadata;
    std::vector<at::Tensor> dense;
    std::uint64_t offset = 0;
    for (const auto& [name, tensor] : content.tensors) {
        dense.push_back(tensor.detach().contiguous().cpu());
        const auto* type = std::find_if(typeNames.begin(), typeNames.end(),
                                        [&](const TypeName& known) { return known.type == dense.back().scalar_type(); });
        if (type == typeNames.end())
            return formatError(file, "tensor " + name + " has a type that is not written");
        const std::uint64_t end = offset + dense.back().nbytes();
        header[name] = {{"dtype", type->name}, {"shape", dense.back().sizes().vec()}, {"data_offsets", {offset, end}}};
        offset = end;
    }
    std::string text = header.dump();
    text.append((8 - text.size() % 8) % 8, ' '); // tensors start on 8 bytes
    const std::uint64_t length = text.size();
    std::vector<std::span<const std::byte>> pieces{std::as_bytes(std::span(&length, 1)), std::as_bytes(std::span(text))};
    for (const at::Tensor& tensor : dense)
        pieces.emplace_back(static_cast<const std::byte*>(tensor.const_data_ptr()), tensor.nbytes());
    ACCUMULUS_TRY(writeFileAtomically(file, pieces));
    return static_cast<std::int64_t>(8 + length + offset);
}

Result<NamedTensors> readSafetensors(const std::filesystem::path& file) {
    const auto content = readFile(file);
    if (!content)
        return failure("checkpoint.open", {{"file", file.string()}, {"reason", content.error().argument("reason")}});
    std::uint64_t length = 0;
    if (content->size() < sizeof length)
        return formatError(file, "it is shorter than a header");
    std::memcpy(&length, content->data(), sizeof length);
    if (length > maximumHeader || length > content->size() - sizeof length)
        return formatError(file, "its header promises " + std::to_string(length) + " bytes");
    const std::span<const char> data = std::span<const char>(*content).subspan(sizeof length + length);
    try {
        const auto header = nlohmann::ordered_json::parse(content->data() + sizeof length, content->data() + sizeof length + length);
        NamedTensors result;
        for (const auto& [name, entry] : header.items()) {
            if (name == "__metadata__") {
                result.metadata = entry.get<std::map<std::string, std::string>>();
                continue;
            }
            auto tensor = readTensor(file, entry, data);
            if (!tensor)
                return failure(tensor.error());
            result.tensors.emplace_back(name, std::move(*tensor));
        }
        return result;
    } catch (const nlohmann::json::exception& problem) {
        return formatError(file, std::string("its header is not valid: ") + problem.what());
    }
}

} // namespace accumulus
