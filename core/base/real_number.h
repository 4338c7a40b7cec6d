// SPDX-License-Identifier: GPL-3.0-or-later
// Real numbers from text in any locale: the C library reads "0.5" as 0 where the desktop writes commas. Any thread.
#pragma once

#include <string_view>

namespace accumulus {

/// The number that `text` begins with; 0 where it begins with none.
[[nodiscard]] double realNumber(std::string_view text);
/// `value` to so many significant digits, as it would be typed: 0.1234 becomes 0.123 with three.
[[nodiscard]] double roundedTo(double value, int digits);

} // namespace accumulus
