// SPDX-License-Identifier: GPL-3.0-or-later
// The exponential function and sums for vectors (core/model/vectors.h). Part of their caller.
#pragma once

#include "core/model/vectors.h"

namespace accumulus {

/// e^x to within 2 ulp, for 2^-126 to 2^127; beyond these it stays there. NaN stays NaN. The interval is reduced to
/// |r| <= ln(2) / 2 and a polynomial taken there: S. L. Moshier, Cephes library, expf (netlib.org/cephes).
template <int Lanes>
ACCUMULUS_PART_OF_CALLER void exponential(typename Vectors<Lanes>::Type& x) {
    using Vector = typename Vectors<Lanes>::Type;
    using Integers = typename Vectors<Lanes>::Integers;
    constexpr float highest = 88.02F, lowest = -87.33F, log2e = 1.44269504F;
    constexpr float rounding = 12582912.0F;                          // 1.5 x 2^23: adding it rounds to whole numbers
    constexpr float ln2High = 0.693359375F, ln2Low = 2.12194440e-4F; // ln 2 is their difference
    const Vector upper = Vector{} + highest, lower = Vector{} + lowest;
    x = x > upper ? upper : x;
    x = x < lower ? lower : x;
    const Vector whole = (x * log2e + rounding) - rounding;
    const Vector r = (x - whole * ln2High) + whole * ln2Low;
    Vector y = r * 1.9875691500e-4F + 1.3981999507e-3F;
    y = y * r + 8.3334519073e-3F;
    y = y * r + 4.1665795894e-2F;
    y = y * r + 1.6666665459e-1F;
    y = y * r + 5.0000001201e-1F;
    y = y * (r * r) + r + 1.0F;
    const Integers power = (__builtin_convertvector(whole, Integers) + 127) << 23;
    Vector scale;
    std::memcpy(&scale, &power, sizeof scale);
    x = y * scale;
}

/// The sum of all lanes, halves onto halves.
template <int Lanes>
ACCUMULUS_PART_OF_CALLER float sumOf(const typename Vectors<Lanes>::Type& vector) {
    float values[Lanes]; // NOLINT: in registers
    store(vector, values);
    for (int half = Lanes / 2; half > 0; half /= 2)
        for (int i = 0; i < half; ++i)
            values[i] += values[i + half];
    return values[0];
}

/// The largest of all lanes; of no use where one is NaN.
template <int Lanes>
ACCUMULUS_PART_OF_CALLER float largestOf(const typename Vectors<Lanes>::Type& vector) {
    float values[Lanes]; // NOLINT: in registers
    store(vector, values);
    for (int half = Lanes / 2; half > 0; half /= 2)
        for (int i = 0; i < half; ++i)
            values[i] = values[i] > values[i + half] ? values[i] : values[i + half];
    return values[0];
}

} // namespace accumulus
