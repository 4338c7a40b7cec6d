// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/symmetric_log.h"

#include "widgets/plots/plot_model.h"

#include <algorithm>
#include <cmath>

namespace accumulus::ui {

namespace {
constexpr double kDecades = 3.0;

Tick negative(Tick tick) { return {-tick.value, QChar(0x2212) + tick.label}; }

} // namespace

double SymmetricLog::toAxis(double value) const { return on() ? std::asinh(value / linear) : value; }

double SymmetricLog::fromAxis(double place) const { return on() ? linear * std::sinh(place) : place; }

double linearPartOf(const PlotModel& model) {
    double largest = 0.0;
    const auto take = [&largest](const std::vector<double>& values) {
        for (const double value : values)
            if (std::isfinite(value))
                largest = std::max(largest, std::abs(value));
    };
    for (const ModelCurve& curve : model.curves) {
        const CurvePoints& raw = curve.data.raw();
        const Extremes ends = raw.extremes.of(raw.y, 0, raw.size());
        if (ends.minimum != Extremes::none)
            take({raw.y[ends.minimum], raw.y[ends.maximum]});
    }
    for (const PlotBand& band : model.bands) {
        take(band.lower);
        take(band.upper);
    }
    return largest > 0.0 ? std::pow(10.0, std::ceil(std::log10(largest)) - kDecades) : 0.0;
}

std::vector<Tick> symmetricLogTicks(const AxisRange& range, const SymmetricLog& scale, int wanted) {
    const double reach = std::max(std::abs(range.lower), std::abs(range.upper));
    if (!scale.on() || !(range.upper > range.lower) || reach <= 2.0 * scale.linear)
        return linearTicks(range, wanted);
    // One sign far from zero is a plain logarithmic axis.
    if (range.lower > scale.linear)
        return logTicks(range, wanted);
    std::vector<Tick> ticks;
    if (range.upper < -scale.linear) {
        for (const Tick& tick : logTicks({-range.upper, -range.lower}, wanted))
            ticks.insert(ticks.begin(), negative(tick));
        return ticks;
    }
    // The same decades for both signs, the outermost first to have room; beside the linear part there is none.
    const int last = static_cast<int>(std::floor(std::log10(reach) + 1e-9));
    const int first = std::min(last, static_cast<int>(std::ceil(std::log10(scale.linear) - 1e-9)) + 1);
    const int sides = (range.lower < 0.0 ? 1 : 0) + (range.upper > 0.0 ? 1 : 0);
    const int each = std::max(1, (wanted - 1) / std::max(1, sides));
    const int stride = (last - first + each) / each;
    ticks.push_back(linearTicks({-1.0, 1.0}, 2).at(1)); // zero in the locale's digits
    for (int exponent = last - (last - first) / stride * stride; exponent <= last; exponent += stride) {
        const Tick tick = decadeTick(exponent);
        if (tick.value <= range.upper * (1.0 + 1e-9))
            ticks.push_back(tick);
        if (tick.value <= -range.lower * (1.0 + 1e-9))
            ticks.insert(ticks.begin(), negative(tick));
    }
    return ticks;
}

} // namespace accumulus::ui
