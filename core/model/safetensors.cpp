// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/safetensors.h"

#include "core/base/atomic_file.h"
#include "core/base/input_file.h"

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
constexpr std::size_t maximumHeader = 16U << 20;
constexpr std::size_t maximumDimensions = 8;

tl::unexpected<Error> formatError(const std::filesystem::path& file, const std::string& reason,
                                  const std::string& detail = {}) {
    return failure("checkpoint.format", {{"file", file.string()}, {"reason", reason}, {"detail", detail}});
}

/// Where a tensor's bytes lie in the data part.
using Extents = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

/// A list of whole numbers; anything else is nothing.
std::optional<std::vector<std::uint64_t>> wholeNumbers(const nlohmann::ordered_json& list) {
    if (!list.is_array())
        return std::nullopt;
    std::vector<std::uint64_t> numbers;
    for (const auto& number : list) {
        if (!number.is_number_unsigned())
            return std::nullopt;
        numbers.push_back(number.get<std::uint64_t>());
    }
    return numbers;
}

/// Bytes of a tensor, or nothing when a product overflows. Sides of 0 do not hide the others: strides are products too.
std::optional<std::uint64_t> byteCount(const std::vector<std::uint64_t>& shape, std::uint64_t elementSize) {
    std::uint64_t bytes = elementSize;
    for (const std::uint64_t side : shape)
        if (__builtin_mul_overflow(bytes, std::max<std::uint64_t>(1, side), &bytes) || bytes > INT64_MAX)
            return std::nullopt;
    return std::ranges::find(shape, std::uint64_t{0}) != shape.end() ? 0 : bytes;
}

tl::unexpected<Error> openError(const std::filesystem::path& file, int problem) {
    return failure("checkpoint.open", {{"file", file.string()}, {"reason", std::strerror(problem)}});
}

struct TensorPlace {
    at::ScalarType type;
    std::vector<std::int64_t> shape;
    std::uint64_t begin, end; ///< in the data part
};

/// A tensor of the header checked against the data part, or why it cannot be.
Result<TensorPlace> placeOf(const std::filesystem::path& file, const nlohmann::ordered_json& entry,
                            std::uint64_t dataSize) {
    const std::string typeName = entry.at("dtype").get<std::string>();
    const auto type = std::ranges::find_if(typeNames, [&](const TypeName& known) { return typeName == known.name; });
    if (type == typeNames.end())
        return formatError(file, "reason.tensor-type", typeName);
    const auto shape = wholeNumbers(entry.at("shape"));
    const auto offsets = wholeNumbers(entry.at("data_offsets"));
    if (!shape || shape->size() > maximumDimensions || !offsets || offsets->size() != 2)
        return formatError(file, "reason.tensor-description");
    const auto bytes = byteCount(*shape, c10::elementSize(type->type));
    if (!bytes)
        return formatError(file, "reason.tensor-shape");
    const std::uint64_t begin = offsets->front();
    const std::uint64_t end = offsets->back();
    if (begin > end || end > dataSize || end - begin != *bytes)
        return formatError(file, "reason.tensor-data");
    return TensorPlace{type->type, {shape->begin(), shape->end()}, begin, end};
}

/// The format allows neither holes nor overlaps nor bytes that belong to no tensor.
bool fillsTheFile(Extents extents, std::uint64_t size) {
    std::ranges::sort(extents);
    std::uint64_t position = 0;
    for (const auto& [begin, end] : extents) {
        if (begin != position)
            return false;
        position = end;
    }
    return position == size;
}

} // namespace

const at::Tensor* NamedTensors::find(const std::string& name) const {
    for (const auto& [known, tensor] : tensors)
        if (known == name)
            return &tensor;
    return nullptr;
}

Result<std::int64_t> writeSafetensors(const std::filesystem::path& file, const NamedTensors& content) {
    auto header = nlohmann::ordered_json::object();
    if (!content.metadata.empty())
        header["__metadata__"] = content.metadata;
    std::vector<at::Tensor> dense;
    std::uint64_t offset = 0;
    for (const auto& [name, tensor] : content.tensors) {
        dense.push_back(tensor.detach().contiguous().cpu());
        const auto* type = std::find_if(typeNames.begin(), typeNames.end(), [&](const TypeName& known) {
            return known.type == dense.back().scalar_type();
        });
        if (type == typeNames.end())
            return formatError(file, "reason.tensor-not-written", name);
        const std::uint64_t end = offset + dense.back().nbytes();
        header[name] = {{"dtype", type->name}, {"shape", dense.back().sizes().vec()}, {"data_offsets", {offset, end}}};
        offset = end;
    }
    // Paths in the metadata may hold bytes that are not UTF-8: they are replaced.
    std::string text = header.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
    text.append((8 - text.size() % 8) % 8, ' '); // tensors start on 8 bytes
    const std::uint64_t length = text.size();
    std::vector<std::span<const std::byte>> pieces{std::as_bytes(std::span(&length, 1)),
                                                   std::as_bytes(std::span(text))};
    for (const at::Tensor& tensor : dense)
        pieces.emplace_back(static_cast<const std::byte*>(tensor.const_data_ptr()), tensor.nbytes());
    ACCUMULUS_TRY(writeFileAtomically(file, pieces));
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
    if (length > maximumHeader || length > input.size() - sizeof length)
        return formatError(file, "reason.header-length", std::to_string(length));
    std::string words(length, '\0');
    if (!input.read(sizeof length, words))
        return openError(file, input.problem());
    const std::uint64_t dataBegin = sizeof length + length;
    const std::uint64_t dataSize = input.size() - dataBegin;
    try {
        const auto header = nlohmann::ordered_json::parse(words);
        if (!header.is_object())
            return formatError(file, "reason.header-no-object");
        NamedTensors result;
        std::vector<TensorPlace> places;
        Extents extents;
        for (const auto& [name, entry] : header.items()) {
            if (name == "__metadata__") {
                result.metadata = entry.get<std::map<std::string, std::string>>();
                continue;
            }
            ACCUMULUS_TRY_ASSIGN(auto place, placeOf(file, entry, dataSize));
            extents.emplace_back(place.begin, place.end);
            if (wanted && !wanted(name))
                continue;
            result.tensors.emplace_back(name, at::Tensor());
            places.push_back(std::move(place));
        }
        if (!fillsTheFile(std::move(extents), dataSize))
            return formatError(file, "reason.tensors-overlap");
        for (std::size_t i = 0; i < places.size(); ++i) {
            at::Tensor& tensor = result.tensors[i].second;
            tensor = at::empty(places[i].shape, places[i].type);
            if (places[i].begin < places[i].end &&
                !input.read(dataBegin + places[i].begin,
                            {static_cast<char*>(tensor.mutable_data_ptr()), places[i].end - places[i].begin}))
                return openError(file, input.problem());
        }
        return result;
    } catch (const nlohmann::json::exception& problem) {
        return formatError(file, "reason.header-invalid", problem.what());
    }
}

} // namespace accumulus
