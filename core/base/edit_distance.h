// SPDX-License-Identifier: GPL-3.0-or-later
// How far a misspelt word is from a known one. Pure.
#pragma once

#include <cstddef>
#include <string_view>

namespace accumulus {

/// Levenshtein's: characters to insert, remove or replace.
[[nodiscard]] std::size_t editDistance(std::string_view a, std::string_view b);

} // namespace accumulus
