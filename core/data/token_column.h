// SPDX-License-Identifier: GPL-3.0-or-later
// Tokens one after the other in the type that a token file has, or the narrowest that a vocabulary needs: a mapped
// file, or a buffer. A part shares the storage of the whole. Values; any thread may read.
#pragma once

#include "core/data/tensor_set.h"

#include <span>
#include <utility>

namespace accumulus {

struct TokenColumn {
    ElementType type = ElementType::UInt8; ///< UInt8, UInt16 or UInt32
    std::int64_t count = 0;
    const std::byte* data = nullptr;          ///< `count` tokens, aligned to their type
    std::shared_ptr<const void> storage;      ///< keeps `data` alive
    std::shared_ptr<const MappedFile> file{}; ///< where `data` lies in one

    [[nodiscard]] std::int64_t size() const { return count; }
    [[nodiscard]] std::int64_t operator[](std::int64_t place) const;
    [[nodiscard]] std::span<const std::byte> bytes() const {
        return {data, static_cast<std::size_t>(count * elementBytes(type))};
    }
    /// The same as samples of one number each.
    [[nodiscard]] TensorColumn column() const { return {type, {}, data, storage, file}; }
    /// Tokens [first, first + size), without a copy.
    [[nodiscard]] TokenColumn part(std::int64_t first, std::int64_t size) const {
        return {type, size, data + first * elementBytes(type), storage, file};
    }
};

/// Calls `use` with the tokens as const std::uint8_t*, std::uint16_t* or std::uint32_t*.
template <class Use>
decltype(auto) withTokens(const TokenColumn& column, Use&& use) {
    const void* tokens = column.data;
    if (column.type == ElementType::UInt32)
        return use(static_cast<const std::uint32_t*>(tokens));
    if (column.type == ElementType::UInt16)
        return use(static_cast<const std::uint16_t*>(tokens));
    return use(static_cast<const std::uint8_t*>(tokens));
}

inline std::int64_t TokenColumn::operator[](std::int64_t place) const {
    return withTokens(*this, [place](const auto* tokens) { return static_cast<std::int64_t>(tokens[place]); });
}

template <class Token>
[[nodiscard]] TokenColumn ownedTokens(std::vector<Token> tokens) {
    static_assert(sizeof(Token) == 1 || sizeof(Token) == 2 || sizeof(Token) == 4);
    const auto owner = std::make_shared<const std::vector<Token>>(std::move(tokens));
    constexpr ElementType type = sizeof(Token) == 4   ? ElementType::UInt32
                                 : sizeof(Token) == 2 ? ElementType::UInt16
                                                      : ElementType::UInt8;
    return {type, static_cast<std::int64_t>(owner->size()), std::as_bytes(std::span(*owner)).data(), owner, {}};
}

} // namespace accumulus
