// SPDX-License-Identifier: GPL-3.0-or-later
// Ticks of an axis where core/analysis/tick_values puts them, with labels in the current locale without "e": 60,000 and
// 10⁻⁵. Pure functions.
#pragma once

#include "widgets/plots/curve_data.h"

#include <QString>
#include <vector>

namespace accumulus::ui {

struct Tick {
    double value = 0.0;
    QString label;
};

/// A number's hyphen as the minus sign that signed numbers have everywhere.
[[nodiscard]] QString withMinusSign(QString number);

/// About `wanted` ticks inside the range.
[[nodiscard]] std::vector<Tick> linearTicks(const AxisRange& range, int wanted);
/// Decades; with few decades also 2 and 5, and inside less than half a decade round numbers.
[[nodiscard]] std::vector<Tick> logTicks(const AxisRange& range, int wanted);

[[nodiscard]] Tick decadeTick(int exponent); ///< 10^exponent

/// The given values inside the range; of neighbours with less than `room` (a share of the axis) between them the powers
/// of two stay.
[[nodiscard]] std::vector<Tick> givenTicks(std::vector<double> values, const AxisRange& range, bool logarithmic,
                                           double room);

} // namespace accumulus::ui
