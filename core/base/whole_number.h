// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers that are counts most of the time (loss units, which class weights make real) are written as such. Any thread.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>

namespace accumulus {

/// The same as an integer, where it is one that a double holds exactly.
[[nodiscard]] inline std::optional<std::int64_t> wholeNumber(double value) {
    constexpr double largest = 9007199254740992.0; // 2^53
    const bool whole = std::abs(value) <= largest && std::trunc(value) == value;
    return whole ? std::optional(static_cast<std::int64_t>(value)) : std::nullopt;
}

} // namespace accumulus
