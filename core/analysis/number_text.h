// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers as they stand in English sentences, tables and axes of reports: a true minus sign, as many digits as carry
// meaning. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace accumulus {

/// What the functions below say of a value that is none.
inline constexpr const char* notFinite = "not finite";

/// Decimals that show `scale` (an uncertainty, a tick interval) with `digits` significant digits: 2 for 0.12, 0 for 12.
[[nodiscard]] int decimalsFor(double scale, int digits = 2);
/// Fixed decimals with U+2212 as minus: "−0.09"; never "−0.00". 10 decimals or more: "1.2e−12". "not finite" for NaN
/// and infinity.
[[nodiscard]] std::string numberText(double value, int decimals);
/// The same of a bound that is to hold: rounded up.
[[nodiscard]] std::string roundedUpText(double value, int decimals);
/// numberText() with "+" before positive values.
[[nodiscard]] std::string signedText(double value, int decimals);
/// Four significant digits, for tables: "0.01234", "1234", "1.234e−7".
[[nodiscard]] std::string shortText(double value);
/// With a no-break space every three digits: "60 000".
[[nodiscard]] std::string countText(std::int64_t value);
/// "1 update", "60 000 updates".
[[nodiscard]] std::string countedText(std::int64_t count, const std::string& noun);
/// "1 seed", "5 seeds".
[[nodiscard]] std::string pluralText(std::size_t count, const std::string& noun);

/// How a metric is shown: an accuracy in per cent, its differences in percentage points, a loss as it is.
struct MetricUnit {
    double factor = 1.0;
    std::string value;          ///< " %" or ""
    std::string difference;     ///< " points" or ""
    std::string differenceCode; ///< of the same in the message catalogue, or ""
};

} // namespace accumulus
