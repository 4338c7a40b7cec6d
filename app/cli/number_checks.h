// SPDX-License-Identifier: GPL-3.0-or-later
// What numbers of options must be, in words.
#pragma once

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

namespace accumulus::cli {

/// "--ranks: 0 is not above 0". CLI::PositiveNumber names the bounds of a double, 300 digits long.
[[nodiscard]] CLI::Validator aboveZero();
/// The same of a count: 1.5 is refused, too.
[[nodiscard]] CLI::Validator wholeAboveZero();

} // namespace accumulus::cli
