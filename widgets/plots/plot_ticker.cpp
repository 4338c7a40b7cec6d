// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/plot_ticker.h"

#include "widgets/style/format.h"

#include <QLocale>
#include <algorithm>
#include <cmath>

namespace accumulus::ui {

namespace {

/// The round number (1, 2 or 5 times a power of ten) nearest above `rough`.
double roundStep(double rough) {
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (rough <= factor * power * (1.0 + 1e-9))
            return factor * power;
    return 10.0 * power;
}

QString plainText(double value, double step) {
    const double largest = std::abs(value);
    if (step < 1e-5 || largest >= 1e9)
        return value == 0.0 ? QLocale().toString(0) : format::power(value, 4);
    const int decimals = std::max(0, static_cast<int>(std::ceil(-std::log10(step) - 1e-9)));
    return QLocale().toString(value, 'f', decimals);
}

QString logText(double value) {
    if (value >= 0.000999 && value < 1e6)
        return QLocale().toString(value, 'f', std::max(0, static_cast<int>(-std::floor(std::log10(value) + 1e-9))));
    return format::power(value, 1);
}

} // namespace

std::vector<Tick> linearTicks(const AxisRange& range, int wanted) {
    const double span = range.upper - range.lower;
    if (!(span > 0.0) || !std::isfinite(span))
        return {};
    const double step = roundStep(span / std::max(1, wanted));
    std::vector<Tick> ticks;
    const double first = std::ceil(range.lower / step - 1e-9);
    const double last = std::floor(range.upper / step + 1e-9);
    for (double index = first; index <= last; index += 1.0) {
        const double value = index * step + 0.0; // + 0.0: no negative zero
        ticks.push_back({value, plainText(value, step)});
    }
    return ticks;
}

std::vector<Tick> logTicks(const AxisRange& range, int wanted) {
    if (!(range.lower > 0.0) || !(range.upper > range.lower))
        return {};
    const double decades = std::log10(range.upper / range.lower);
    if (decades < 0.5)
        return linearTicks(range, wanted);
    const int first = static_cast<int>(std::floor(std::log10(range.lower)));
    const int last = static_cast<int>(std::ceil(std::log10(range.upper)));
    const int stride = std::max(1, static_cast<int>(std::ceil(decades / std::max(1, wanted))));
    const bool between = decades < 0.67 * wanted && decades < 3.0;
    std::vector<Tick> ticks;
    for (int exponent = first; exponent <= last; ++exponent) {
        if (exponent % stride != 0)
            continue;
        for (const double factor : {1.0, 2.0, 5.0}) {
            const double value = factor * std::pow(10.0, exponent);
            const bool inside = value >= range.lower * (1.0 - 1e-9) && value <= range.upper * (1.0 + 1e-9);
            if (inside && (factor == 1.0 || between))
                ticks.push_back({value, logText(value)});
        }
    }
    return ticks;
}

Tick decadeTick(int exponent) {
    const double value = std::pow(10.0, exponent);
    return {value, logText(value)};
}

std::vector<Tick> givenTicks(std::vector<double> values, const AxisRange& range, bool logarithmic, double room) {
    const auto place = [logarithmic](double value) { return logarithmic ? std::log(value) : value; };
    const double span = place(range.upper) - place(range.lower);
    if (!(span > 0.0) || !std::isfinite(span))
        return {};
    std::ranges::stable_sort(values, {}, [](double value) { return std::log2(value) != std::floor(std::log2(value)); });
    std::vector<Tick> ticks;
    for (const double value : values) {
        const bool inside = value >= range.lower && value <= range.upper;
        const auto close = [&](const Tick& tick) { return std::abs(place(tick.value) - place(value)) < room * span; };
        if (inside && std::ranges::none_of(ticks, close))
            ticks.push_back({value, QLocale().toString(value, 'f', value == std::floor(value) ? 0 : 2)});
    }
    std::ranges::sort(ticks, {}, &Tick::value);
    return ticks;
}

} // namespace accumulus::ui
