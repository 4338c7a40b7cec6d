// SPDX-License-Identifier: GPL-3.0-or-later
// Where the ticks of an axis stand, on screen and in reports: round numbers (1, 2 or 5 times a power of ten) or
// decades. Their labels are those of the medium and its language. Pure; any thread.
#pragma once

#include <vector>

namespace accumulus {

struct LinearTicks {
    double step = 0.0; ///< of which the values are multiples
    std::vector<double> values;
};
/// About `wanted` ticks inside the range, ends included; none for a range that is empty or not finite.
[[nodiscard]] LinearTicks linearTickValues(double lower, double upper, int wanted);

struct LogTick {
    double value = 0.0;
    int exponent = 0;     ///< of its decade
    bool labelled = true; ///< else a grid line without number, over few decades
};
/// Decades, every second or third of very many, and 2 and 5 between few of them. None within half a decade, or where
/// fewer than two decades in a row would have a number: there equal steps say more.
[[nodiscard]] std::vector<LogTick> logTickValues(double lower, double upper, int wanted);

} // namespace accumulus
