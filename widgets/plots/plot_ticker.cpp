// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/plot_ticker.h"

#include "core/analysis/tick_values.h"
#include "widgets/style/format.h"

#include <QLocale>
#include <algorithm>
#include <cmath>

namespace accumulus::ui {

namespace {

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

QString withMinusSign(QString number) { return number.replace(QLatin1Char('-'), QChar(0x2212)); }

std::vector<Tick> linearTicks(const AxisRange& range, int wanted) {
    const LinearTicks found = linearTickValues(range.lower, range.upper, wanted);
    std::vector<Tick> ticks;
    for (const double value : found.values)
        ticks.push_back({value, plainText(value, found.step)});
    return ticks;
}

std::vector<Tick> logTicks(const AxisRange& range, int wanted) {
    if (!(range.lower > 0.0))
        return {};
    std::vector<Tick> ticks;
    for (const LogTick& tick : logTickValues(range.lower, range.upper, wanted))
        if (tick.labelled)
            ticks.push_back({tick.value, logText(tick.value)});
    return ticks.empty() ? linearTicks(range, wanted) : ticks;
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
