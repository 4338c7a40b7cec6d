// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/safetensors_header.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

namespace accumulus {
namespace {

constexpr std::array<std::pair<std::string_view, std::uint64_t>, 15> typeBytes{{{"F32", 4},
                                                                                {"F64", 8},
                                                                                {"I64", 8},
                                                                                {"I32", 4},
                                                                                {"U8", 1},
                                                                                {"F16", 2},
                                                                                {"BF16", 2},
                                                                                {"BOOL", 1},
                                                                                {"I8", 1},
                                                                                {"I16", 2},
                                                                                {"U16", 2},
                                                                                {"U32", 4},
                                                                                {"U64", 8},
                                                                                {"F8_E4M3", 1},
                                                                                {"F8_E5M2", 1}}};
constexpr std::size_t maximumDimensions = 8;

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

/// A tensor of the header checked against the data part, or why it cannot be.
tl::expected<SafetensorsHeader::Tensor, SafetensorsProblem>
tensorOf(const std::string& name, const nlohmann::ordered_json& entry, std::uint64_t dataSize) {
    const auto problem = [](const char* reason, std::string detail = {}) {
        return tl::unexpected(SafetensorsProblem{reason, std::move(detail)});
    };
    const std::string type = entry.at("dtype").get<std::string>();
    const auto* known =
        std::ranges::find(typeBytes, std::string_view(type), &std::pair<std::string_view, std::uint64_t>::first);
    if (known == typeBytes.end())
        return problem("reason.tensor-type", type);
    const auto shape = wholeNumbers(entry.at("shape"));
    const auto offsets = wholeNumbers(entry.at("data_offsets"));
    if (!shape || shape->size() > maximumDimensions || !offsets || offsets->size() != 2)
        return problem("reason.tensor-description");
    const auto bytes = byteCount(*shape, known->second);
    if (!bytes)
        return problem("reason.tensor-shape");
    const std::uint64_t begin = offsets->front();
    const std::uint64_t end = offsets->back();
    if (begin > end || end > dataSize || end - begin != *bytes)
        return problem("reason.tensor-data");
    return SafetensorsHeader::Tensor{name, type, {shape->begin(), shape->end()}, begin, end};
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

tl::expected<SafetensorsHeader, SafetensorsProblem> parseSafetensorsHeader(std::string_view words,
                                                                           std::uint64_t dataSize) {
    try {
        const auto json = nlohmann::ordered_json::parse(words);
        if (!json.is_object())
            return tl::unexpected(SafetensorsProblem{"reason.header-no-object"});
        SafetensorsHeader header;
        Extents extents;
        for (const auto& [name, entry] : json.items()) {
            if (name == "__metadata__") {
                header.metadata = entry.get<std::map<std::string, std::string>>();
                continue;
            }
            auto tensor = tensorOf(name, entry, dataSize);
            if (!tensor)
                return tl::unexpected(std::move(tensor).error());
            extents.emplace_back(tensor->begin, tensor->end);
            header.tensors.push_back(*std::move(tensor));
        }
        if (!fillsTheFile(std::move(extents), dataSize))
            return tl::unexpected(SafetensorsProblem{"reason.tensors-overlap"});
        return header;
    } catch (const nlohmann::json::exception& problem) {
        return tl::unexpected(SafetensorsProblem{"reason.header-invalid", problem.what()});
    }
}

} // namespace accumulus
