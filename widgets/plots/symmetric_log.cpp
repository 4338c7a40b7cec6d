// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/symmetric_log.h"

#include "widgets/plots/plot_model.h"

#include <algorithm>
#include <cmath>

namespace accumulus::ui {

namespace {
constexpr double kDecades = 3.0;
/// Only the powers of ten, where there is one.
std::vector<Tick> decades(std::vector<Tick> ticks) {
    const auto between = [](const Tick& tick) {
        const double exponent = std::log10(tick.value);
        return std::abs(exponent - std::round(exponent)) > 1e-6;
    };
    if (!std::ranges::all_of(ticks, between))
        std::erase_if(ticks, between);
    return ticks;
}

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
    for (const ModelCurve& curve : model.curves)
        take(curve.data.raw().y);
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
    const auto mirrored = [](std::vector<Tick> ticks) {
        std::ranges::reverse(ticks);
        for (Tick& tick : ticks) {
            tick.value = -tick.value;
            tick.label.prepend(QChar(0x2212));
        }
        return ticks;
    };
    const auto side = [&](double from, double to, int ticks) {
        const double start = std::max(from, scale.linear * (1.0 - 1e-9));
        return to > start ? decades(logTicks({start, to}, std::max(1, ticks))) : std::vector<Tick>();
    };
    if (range.lower > scale.linear)
        return side(range.lower, range.upper, wanted);
    if (range.upper < -scale.linear)
        return mirrored(side(-range.upper, -range.lower, wanted));
    const double above = scale.toAxis(std::max(0.0, range.upper));
    const double below = scale.toAxis(std::max(0.0, -range.lower));
    const auto share = [&](double part) {
        return static_cast<int>(std::floor((wanted - 1) * part / std::max(above + below, 1e-9)));
    };
    std::vector<Tick> ticks = mirrored(side(0.0, -range.lower, share(below)));
    ticks.push_back(linearTicks({-1.0, 1.0}, 2).at(1)); // zero in the locale's digits
    for (Tick& tick : side(0.0, range.upper, share(above)))
        ticks.push_back(std::move(tick));
    return ticks;
}

} // namespace accumulus::ui
