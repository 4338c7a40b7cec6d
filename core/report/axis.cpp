// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/axis.h"

#include "core/analysis/number_text.h"
#include "core/analysis/tick_values.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace accumulus {
namespace {

/// "10⁻³".
std::string powerOfTen(int exponent) {
    static const char* const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string text = exponent < 0 ? "10⁻" : "10";
    for (const char digit : std::to_string(std::abs(exponent)))
        text += digits[digit - '0'];
    return text;
}

std::string countLabel(double value, double interval, double largest) {
    if (largest >= 1e6)
        return value == 0.0 ? "0" : numberText(value / 1e6, decimalsFor(interval / 1e6, 1)) + "\u00a0M";
    if (interval < 1.0)
        return numberText(value, decimalsFor(interval, 1));
    return countText(std::llround(value));
}

void setLinearTicks(Axis& axis, int wanted, bool counts) {
    const LinearTicks ticks = linearTickValues(axis.lower, axis.upper, wanted);
    const double largest = std::max(std::abs(axis.lower), std::abs(axis.upper));
    // A common factor of ten keeps very small and very large numbers readable.
    const int exponent = static_cast<int>(std::floor(std::log10(largest)));
    const bool scaled = !counts && (exponent < -3 || exponent > 4);
    const double unit = scaled ? std::pow(10.0, exponent) : 1.0;
    if (scaled)
        axis.factor = "×" + powerOfTen(exponent);
    for (const double value : ticks.values)
        axis.ticks.push_back({std::clamp(value, axis.lower, axis.upper),
                              counts ? countLabel(value, ticks.step, largest)
                                     : numberText(value / unit, decimalsFor(ticks.step / unit, 1))});
}

std::string logLabel(double value, int exponent) {
    if (exponent < -3 || exponent > 3)
        return std::abs(value / std::pow(10.0, exponent) - 1.0) < 1e-9
                   ? powerOfTen(exponent)
                   : fmt::format("{:.0f}×{}", value / std::pow(10.0, exponent), powerOfTen(exponent));
    return numberText(value, std::max(0, -exponent));
}

void setLogTicks(Axis& axis, int wanted) {
    for (const LogTick& tick : logTickValues(axis.lower, axis.upper, wanted))
        axis.ticks.push_back({tick.value, tick.labelled ? logLabel(tick.value, tick.exponent) : ""});
    if (axis.ticks.empty())
        setLinearTicks(axis, wanted, false);
}

} // namespace

double Axis::position(double value) const {
    if (logarithmic)
        return std::log(value / lower) / std::log(upper / lower);
    return (value - lower) / (upper - lower);
}

void Axis::addHeadroom(double fraction) {
    if (logarithmic)
        upper = lower * std::pow(upper / lower, 1.0 / (1.0 - fraction));
    else
        upper = lower + (upper - lower) / (1.0 - fraction);
}

Axis makeAxis(double lower, double upper, bool logarithmic, double padding) {
    Axis axis;
    axis.logarithmic = logarithmic;
    if (!(lower <= upper)) // no data
        lower = logarithmic ? 0.1 : 0.0, upper = 1.0;
    if (logarithmic) {
        const double factor = upper / lower < 1.000001 ? 1.5 : std::pow(upper / lower, padding);
        axis.lower = lower / factor;
        axis.upper = upper * factor;
        return axis;
    }
    const double magnitude = std::max(std::abs(lower), std::abs(upper));
    // Differences in the last bits of a number are no range.
    const bool flat = upper - lower <= 1e-12 * magnitude;
    const double room = flat ? (magnitude > 0.0 ? 0.1 * magnitude : 1.0) : padding * (upper - lower);
    axis.lower = lower - room;
    axis.upper = upper + room;
    return axis;
}

void setTicks(Axis& axis, int wanted, bool counts) {
    axis.ticks.clear();
    axis.factor.clear();
    if (axis.logarithmic)
        setLogTicks(axis, wanted);
    else
        setLinearTicks(axis, wanted, counts);
}

} // namespace accumulus
