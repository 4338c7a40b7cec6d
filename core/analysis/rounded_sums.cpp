// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/rounded_sums.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace accumulus {
namespace {

using Weights = std::vector<double>;

/// To 2 significant bits or more; a half to the even neighbour.
double rounded(double value, int bits) {
    constexpr int significant = std::numeric_limits<double>::digits;
    constexpr std::uint64_t exponents = 0x7FF;
    auto image = std::bit_cast<std::uint64_t>(value);
    const std::uint64_t exponent = image >> (significant - 1) & exponents;
    if (exponent == 0 || exponent == exponents) { // zero, fewer bits than usual, or not finite
        if (value == 0.0 || !std::isfinite(value))
            return value;
        int power = 0;
        const double fraction = std::frexp(value, &power);
        return std::ldexp(std::nearbyint(std::ldexp(fraction, bits)), power - bits);
    }
    // In whole numbers, many times faster: what carries out of the fraction belongs to the exponent.
    const int dropped = significant - bits;
    image += (std::uint64_t{1} << (dropped - 1)) - 1 + (image >> dropped & 1U);
    return std::bit_cast<double>(image & ~((std::uint64_t{1} << dropped) - 1));
}

} // namespace

WeightsError errorOfRoundedSums(const GradientEvidence& evidence, std::size_t window, int bits) {
    const WindowEvidence& of = evidence.windows[window];
    WeightsError best{.worst = std::numeric_limits<double>::infinity(), .rms = std::numeric_limits<double>::infinity()};
    // What is added (of unit sums, of divided means, of means), and what the sum is divided by in the end.
    const auto way = [&](const Weights& added, double divisor, bool termsToo) {
        GradientEvidence simulated;
        simulated.windows.push_back(of);
        for (GradientElements& tensor : simulated.windows.front().tensors)
            for (std::size_t i = 0; i < tensor.accumulated.size(); ++i) {
                double sum = 0.0;
                for (std::size_t k = 0; k < of.steps(); ++k) {
                    const double term = added[k] * tensor.micro[k][i];
                    sum = rounded(sum + (termsToo ? rounded(term, bits) : term), bits);
                }
                tensor.accumulated[i] -= sum / divisor; // what the simulation leaves
            }
        const WeightsError error = errorOf(simulated, 0, {.own = Weights(of.steps(), 0.0)});
        if (error.rms < best.rms)
            best = error;
    };
    const auto steps = static_cast<double>(of.steps());
    const Weights means(of.steps(), 1.0 / steps);
    const Weights& units = of.units;
    for (const bool termsToo : {false, true}) {
        way(units, of.totalUnits(), termsToo);
        way(rightWeights(of).own, 1.0, termsToo);
        way(means, 1.0, termsToo);
        way(Weights(of.steps(), 1.0), steps, termsToo);
    }
    return best;
}

} // namespace accumulus
