// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/tick_values.h"

#include <algorithm>
#include <cmath>

namespace accumulus {
namespace {

constexpr double slack = 1e-9; ///< of rounding at the ends of a range
constexpr double fewDecades = 3.0;
constexpr double leastDecades = 0.5;

/// The smallest of 1, 2, 5 and 10 times a power of ten that is not below `rough`.
double roundStep(double rough) {
    const double decade = std::pow(10.0, std::floor(std::log10(rough)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (rough <= factor * decade * (1.0 + slack))
            return factor * decade;
    return 10.0 * decade;
}

} // namespace

LinearTicks linearTickValues(double lower, double upper, int wanted) {
    const double span = upper - lower;
    if (!(span > 0.0) || !std::isfinite(span))
        return {};
    const double most = std::max(1, wanted) + 2.0;
    LinearTicks ticks{roundStep(span / std::max(1, wanted)), {}};
    const auto first = [&](double step) { return std::ceil((lower - slack * span) / step); };
    const auto inside = [&](double step) { return std::floor((upper + slack * span) / step) - first(step) + 1.0; };
    // One number alone says nothing of the scale.
    if (const double finer = roundStep(0.4 * ticks.step);
        wanted > 1 && inside(ticks.step) < 2.0 && inside(finer) <= most)
        ticks.step = finer;
    // At most as many as fit: far from zero, neither end can be told apart from its neighbours.
    const auto count = static_cast<int>(std::min(inside(ticks.step), most));
    for (int i = 0; i < count; ++i)
        ticks.values.push_back((first(ticks.step) + i) * ticks.step + 0.0); // + 0.0: no negative zero
    return ticks;
}

std::vector<LogTick> logTickValues(double lower, double upper, int wanted) {
    if (!(lower > 0.0) || !(upper > lower) || !std::isfinite(upper))
        return {};
    const double decades = std::log10(upper / lower);
    if (decades < leastDecades)
        return {};
    const int stride = std::max(1, static_cast<int>(std::ceil(decades / std::max(1, wanted))));
    const bool between = decades < 0.67 * wanted && decades < fewDecades;
    const bool lines = decades <= fewDecades && stride == 1;
    std::vector<LogTick> ticks;
    const int last = static_cast<int>(std::ceil(std::log10(upper)));
    for (int exponent = static_cast<int>(std::floor(std::log10(lower))); exponent <= last; ++exponent) {
        for (int factor = 1; factor <= 9; ++factor) {
            const double value = factor * std::pow(10.0, exponent);
            const bool inside = value >= lower * (1.0 - slack) && value <= upper * (1.0 + slack);
            const bool labelled = (factor == 1 && exponent % stride == 0) || (between && (factor == 2 || factor == 5));
            if (inside && (labelled || lines))
                ticks.push_back({value, exponent, labelled});
        }
    }
    const bool tooFew = stride == 1 && std::ranges::count(ticks, true, &LogTick::labelled) < 2;
    return tooFew ? std::vector<LogTick>() : ticks;
}

} // namespace accumulus
