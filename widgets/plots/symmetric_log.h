// SPDX-License-Identifier: GPL-3.0-or-later
// A logarithmic scale for both signs: linear around zero, logarithmic beyond (asinh). Pure functions.
#pragma once

#include "widgets/plots/plot_ticker.h"

#include <vector>

namespace accumulus::ui {

struct PlotModel;

struct SymmetricLog {
    double linear = 0.0; ///< half width of the linear part; 0: the scale is linear everywhere
    [[nodiscard]] bool on() const { return linear > 0.0; }
    [[nodiscard]] double toAxis(double value) const;
    [[nodiscard]] double fromAxis(double place) const;
};

/// Three decades each side of the linear part; 0 where there is no value other than 0.
[[nodiscard]] double linearPartOf(const PlotModel& model);
/// About `wanted` ticks: zero and decades of both signs; round numbers inside the linear part.
[[nodiscard]] std::vector<Tick> symmetricLogTicks(const AxisRange& range, const SymmetricLog& scale, int wanted);

} // namespace accumulus::ui
