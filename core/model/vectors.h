// SPDX-License-Identifier: GPL-3.0-or-later
// Vectors of numbers for the loops that want to be told how to use them (GCC's vector extension). Functions become part
// of their caller, so that they are compiled for its instruction set (core/base/widest_vectors.h).
#pragma once

#include "core/base/widest_vectors.h"

#include <c10/util/BFloat16.h>
#include <cstdint>
#include <cstring>
#include <utility>

namespace accumulus {

template <int Lanes>
struct Vectors {
    typedef float Type __attribute__((vector_size(Lanes * sizeof(float))));                   // NOLINT: wants a typedef
    typedef std::int32_t Integers __attribute__((vector_size(Lanes * sizeof(std::int32_t)))); // NOLINT
    typedef std::uint32_t Bits __attribute__((vector_size(Lanes * sizeof(std::uint32_t))));   // NOLINT
    typedef std::uint16_t Halves __attribute__((vector_size(Lanes * sizeof(std::uint16_t)))); // NOLINT
};

/// Of 16 floats where registers are of 512 bits, of 8 elsewhere: the compiler takes what is wider than a register apart
/// float by float.
template <int Lanes>
using VectorOf = typename Vectors<Lanes>::Type;

template <class Real, class Vector>
ACCUMULUS_PART_OF_CALLER void load(const Real* from, Vector& to) {
    static_assert(sizeof *from == sizeof to[0]);
    std::memcpy(&to, from, sizeof to);
}
template <class Vector, class Real>
ACCUMULUS_PART_OF_CALLER void store(const Vector& from, Real* to) {
    static_assert(sizeof *to == sizeof from[0]);
    std::memcpy(to, &from, sizeof from);
}

/// A bfloat16 is the upper half of a float.
template <class Vector>
ACCUMULUS_PART_OF_CALLER void load(const c10::BFloat16* from, Vector& to) {
    using Of = Vectors<sizeof(Vector) / sizeof(float)>;
    typename Of::Halves halves;
    std::memcpy(&halves, from, sizeof halves);
    const typename Of::Bits bits = __builtin_convertvector(halves, typename Of::Bits) << 16;
    std::memcpy(&to, &bits, sizeof to);
}
/// To the nearest, of two as near to the even one, as c10::BFloat16 does.
template <class Vector>
ACCUMULUS_PART_OF_CALLER void store(const Vector& from, c10::BFloat16* to) {
    using Of = Vectors<sizeof(Vector) / sizeof(float)>;
    typename Of::Bits bits;
    std::memcpy(&bits, &from, sizeof bits);
    const typename Of::Bits rounded = (bits + 0x7FFFU + ((bits >> 16) & 1U)) >> 16;
    const typename Of::Bits nan = typename Of::Bits{} + 0x7FC0U;
    const typename Of::Halves halves = __builtin_convertvector(from == from ? rounded : nan, typename Of::Halves);
    std::memcpy(to, &halves, sizeof halves);
}

/// sums[r] += scales[r * step] x row, of as many vectors as `row` has: what products spend their time with. Sums stay
/// in registers where these hold them and one row.
template <class Vector, int Rows, int Columns>
ACCUMULUS_PART_OF_CALLER void addOuterProduct(const float* scales, std::int64_t step, const float* row,
                                              Vector (&sums)[Rows][Columns]) {
    constexpr int lanes = sizeof(Vector) / sizeof(float);
    Vector factors[Columns];
#pragma GCC unroll 16
    for (int v = 0; v < Columns; ++v)
        load(row + v * lanes, factors[v]);
#pragma GCC unroll 16
    for (int r = 0; r < Rows; ++r) {
        const float scale = scales[r * step];
#pragma GCC unroll 16
        for (int v = 0; v < Columns; ++v)
            sums[r][v] += scale * factors[v];
    }
}

/// One of the stages of a transposition: exchanges the blocks of `Size` beside the diagonal.
template <int Size, class Vector, int... I>
ACCUMULUS_PART_OF_CALLER void exchange(Vector* rows, std::integer_sequence<int, I...>) {
    constexpr int lanes = sizeof...(I);
#pragma GCC unroll 16
    for (int i = 0; i < lanes; ++i)
        if ((i & Size) == 0) {
            const Vector upper = rows[i], lower = rows[i + Size];
            rows[i] = __builtin_shufflevector(upper, lower, ((I & Size) ? lanes + I - Size : I)...);
            rows[i + Size] = __builtin_shufflevector(upper, lower, ((I & Size) ? lanes + I : I + Size)...);
        }
}

/// Turns a square of as many rows as a row has lanes (8 or 16).
template <class Vector>
ACCUMULUS_PART_OF_CALLER void transpose(Vector* rows) {
    constexpr int lanes = sizeof(Vector) / sizeof(float);
    constexpr auto all = std::make_integer_sequence<int, lanes>();
    if constexpr (lanes == 16)
        exchange<8>(rows, all);
    exchange<4>(rows, all);
    exchange<2>(rows, all);
    exchange<1>(rows, all);
}

} // namespace accumulus
