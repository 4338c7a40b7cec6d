// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/safetensors.h"

#include "core/base/atomic_file.h"
#include "core/base/input_file.h"
#include "core/base/safetensors_header.h"

#include <ATen/ATen.h>
#include <algorithm>
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
constexpr std::array<TypeName, 7> typeNames{{{at::kFloat, "F32"},
                                             {at::kDouble, "F64"},
                                             {at::kLong, "I64"},
                                             {at::kInt, "I32"},
                                             {at::kByte, "U8"},
                                             {at::kHalf, "F16"},
                                             {at::kBFloat16, "BF16"}}};

std::optional<at::ScalarType> typeNamed(std::string_view name) {
    const auto* known =
        std::ranges::find(typeNames, name, [](const TypeName& type) { return std::string_view(type.name); });
    return known == typeNames.end() ? std::nullopt : std::optional(known->type);
}

tl::unexpected<Error> formatError(const std::filesystem::path& file, const std::string& reason,
                                  const std::string& detail = {}) {
    return failure("checkpoint.format", {{"file", file.string()}, {"reason", reason}, {"detail", detail}});
}

tl::unexpected<Error> openError(const std::filesystem::path& file, int problem) {
    return failure("checkpoint.open", {{"file", file.string()}, {"reason", std::strerror(problem)}});
}

} // namespace

const at::Tensor* NamedTensors::find(const std::string& name) const {
    for (const auto& [known, tensor] : tensors)
        if (known == name)
            return &tensor;
    return nullptr;
}

TensorsToWrite::TensorsToWrite(const NamedTensors& content) : metadata(content.metadata) {
    for (const auto& [name, tensor] : content.tensors)
        add(name, tensor);
}

std::uint64_t TensorsToWrite::Tensor::bytes() const {
    std::uint64_t sum = 0;
    for (const at::Tensor& piece : pieces)
        sum += piece.nbytes();
    return sum;
}

void forEachPiece(const TensorsToWrite::Tensor& tensor, const std::function<void(std::span<const std::byte>)>& take) {
    for (const at::Tensor& piece : tensor.pieces) {
        const at::Tensor dense = piece.detach().cpu().contiguous();
        take({static_cast<const std::byte*>(dense.const_data_ptr()), dense.nbytes()});
    }
}

Result<std::int64_t> writeSafetensors(const std::filesystem::path& file, const TensorsToWrite& content) {
    auto header = nlohmann::ordered_json::object();
    if (!content.metadata.empty())
        header["__metadata__"] = content.metadata;
    std::uint64_t offset = 0;
    for (const TensorsToWrite::Tensor& tensor : content.tensors) {
        const auto* type = std::ranges::find(typeNames, tensor.type(), &TypeName::type);
        if (type == typeNames.end())
            return formatError(file, "reason.tensor-not-written", tensor.name);
        const std::uint64_t end = offset + tensor.bytes();
        header[tensor.name] = {{"dtype", type->name}, {"shape", tensor.shape}, {"data_offsets", {offset, end}}};
        offset = end;
    }
    // Paths in the metadata may hold bytes that are not UTF-8: they are replaced.
    std::string text = header.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
    text.append((8 - text.size() % 8) % 8, ' '); // tensors start on 8 bytes
    const std::uint64_t length = text.size();
    ACCUMULUS_TRY(writeFileInPieces(file, [&](const TakePiece& take) {
        Status written;
        const auto put = [&](std::span<const std::byte> bytes) {
            if (written)
                written = take({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
        };
        put(std::as_bytes(std::span(&length, 1)));
        put(std::as_bytes(std::span(text)));
        for (const TensorsToWrite::Tensor& tensor : content.tensors)
            forEachPiece(tensor, put);
        return written;
    }));
    return static_cast<std::int64_t>(8 + length + offset);
}

Result<NamedTensors> readSafetensors(const std::filesystem::path& file,
                                     const std::function<bool(const std::string&)>& wanted) {
    InputFile input(file);
    if (input.problem() != 0)
        return openError(file, input.problem());
    std::uint64_t length = 0;
    if (input.size() < sizeof length)
        return formatError(file, "reason.shorter-than-header");
    if (!input.read(0, {reinterpret_cast<char*>(&length), sizeof length}))
        return openError(file, input.problem());
    if (length > SafetensorsHeader::longest || length > input.size() - sizeof length)
        return formatError(file, "reason.header-length", std::to_string(length));
    std::string words(length, '\0');
    if (!input.read(sizeof length, words))
        return openError(file, input.problem());
    const std::uint64_t dataBegin = sizeof length + length;
    const std::uint64_t dataSize = input.size() - dataBegin;
    auto header = parseSafetensorsHeader(words, dataSize);
    if (!header)
        return formatError(file, header.error().reason, header.error().detail);
    NamedTensors result;
    result.metadata = std::move(header->metadata);
    for (const SafetensorsHeader::Tensor& place : header->tensors)
        if (!typeNamed(place.type))
            return formatError(file, "reason.tensor-type", place.type);
    for (SafetensorsHeader::Tensor& place : header->tensors) {
        if (wanted && !wanted(place.name))
            continue;
        at::Tensor tensor = at::empty(place.shape, *typeNamed(place.type));
        if (place.begin < place.end &&
            !input.read(dataBegin + place.begin,
                        {static_cast<char*>(tensor.mutable_data_ptr()), place.end - place.begin}))
            return openError(file, input.problem());
        result.tensors.emplace_back(std::move(place.name), std::move(tensor));
    }
    return result;
}

} // namespace accumulus
