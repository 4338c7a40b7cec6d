// SPDX-License-Identifier: GPL-3.0-or-later
// What somebody may have meant.
#pragma once

#include <cstddef>
#include <string_view>

namespace accumulus {

/// Levenshtein distance in bytes: insertions, deletions and replacements. O(a b).
[[nodiscard]] std::size_t editDistance(std::string_view a, std::string_view b);

} // namespace accumulus
