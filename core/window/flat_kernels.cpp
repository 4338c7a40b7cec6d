// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/window/flat_kernels.h"

#include "core/base/widest_vectors.h"
#include "core/model/vectors.h"

#include <algorithm>
#include <cstring>
#include <tuple>

namespace accumulus {
namespace {

constexpr std::int64_t block = kernelBlock; // partial sums in the compute type stay short, the total is a double
constexpr std::int64_t width = // independent partial sums, so that vectors may be used without reordering a sum
    std::tuple_size_v<BlockSquares<float>>;

/// What is worked on at once: 256 bits, for the compiler takes what is wider than the processor's registers apart
/// number by number.
template <class Real>
struct Pack {
    typedef Real Values __attribute__((vector_size(32))); // NOLINT: the attribute wants a typedef
    static constexpr std::int64_t lanes = sizeof(Values) / sizeof(Real);
};
template <class Real>
using Values = typename Pack<Real>::Values;

/// Adds a block's squares to a number.
template <class Real>
struct AddUp {
    double* total;

    ACCUMULUS_PART_OF_CALLER void operator()(std::int64_t, const BlockSquares<Real>& partial) const {
        for (const Real one : partial)
            *total += static_cast<double>(one);
    }
};

/// Keeps the squares of each block.
template <class Real>
struct Keep {
    BlockSquares<Real>* squares;

    ACCUMULUS_PART_OF_CALLER void operator()(std::int64_t number, const BlockSquares<Real>& partial) const {
        squares[number] = partial;
    }
};

/// Applies `step`, which changes what it works on and gives the values to square, to [0, count) and hands the sums of
/// the squares to `take`, block by block: step(i, values) for as many as there are lanes from i on, step(i) for the
/// single ones of the end.
template <class Real, class Step, class Take>
ACCUMULUS_PART_OF_CALLER void squares(std::int64_t count, const Step& step, const Take& take) {
    constexpr std::int64_t lanes = Pack<Real>::lanes, packs = width / lanes;
    for (std::int64_t start = 0; start < count; start += block) {
        const std::int64_t end = std::min(count, start + block);
        Values<Real> sums[packs] = {}; // NOLINT: in registers
        std::int64_t i = start;
        for (; i + width <= end; i += width)
#pragma GCC unroll 16
            for (std::int64_t p = 0; p < packs; ++p) {
                Values<Real> values;
                step(i + p * lanes, values);
                sums[p] += values * values;
            }
        BlockSquares<Real> partial;
        std::memcpy(partial.data(), sums, sizeof sums);
        for (std::int64_t j = 0; i < end; ++i, ++j) {
            const Real value = step(i);
            partial[static_cast<std::size_t>(j)] += value * value;
        }
        take(start / block, partial);
    }
}

/// Their sum.
template <class Real, class Step>
ACCUMULUS_PART_OF_CALLER double squareSum(std::int64_t count, const Step& step) {
    double total = 0.0;
    squares<Real>(count, step, AddUp<Real>{&total});
    return total;
}

template <class Real, class In>
struct Commit {
    Real* out;
    const In* in;
    Real weight;
    bool overwrite;

    ACCUMULUS_PART_OF_CALLER void operator()(std::int64_t i, Values<Real>& values) const {
        load(in + i, values);
        Values<Real> sum = weight * values;
        if (!overwrite) {
            Values<Real> before;
            std::memcpy(&before, out + i, sizeof before);
            sum += before;
        }
        std::memcpy(out + i, &sum, sizeof sum);
    }
    ACCUMULUS_PART_OF_CALLER Real operator()(std::int64_t i) const {
        const Real value = in[i];
        out[i] = overwrite ? weight * value : out[i] + weight * value;
        return value;
    }
};

template <class Real>
struct Scale {
    Real* data;
    Real factor;

    ACCUMULUS_PART_OF_CALLER void operator()(std::int64_t i, Values<Real>& values) const {
        std::memcpy(&values, data + i, sizeof values);
        values *= factor;
        std::memcpy(data + i, &values, sizeof values);
    }
    ACCUMULUS_PART_OF_CALLER Real operator()(std::int64_t i) const { return data[i] *= factor; }
};

template <class Real>
struct Look {
    const Real* data;

    ACCUMULUS_PART_OF_CALLER void operator()(std::int64_t i, Values<Real>& values) const {
        std::memcpy(&values, data + i, sizeof values);
    }
    ACCUMULUS_PART_OF_CALLER Real operator()(std::int64_t i) const { return data[i]; }
};

/// Into 8 bits of mantissa.
struct CommitBf16 {
    c10::BFloat16* out;
    const float* in;
    float weight;
    bool overwrite;

    ACCUMULUS_PART_OF_CALLER void operator()(std::int64_t i, Values<float>& values) const {
        for (std::int64_t j = 0; j < Pack<float>::lanes; ++j)
            values[j] = (*this)(i + j);
    }
    ACCUMULUS_PART_OF_CALLER float operator()(std::int64_t i) const {
        out[i] = overwrite ? weight * in[i] : static_cast<float>(out[i]) + weight * in[i];
        return in[i];
    }
};

template <class Real, class In>
ACCUMULUS_PART_OF_CALLER double commitOf(Real* out, const In* in, std::int64_t count, Real weight, bool overwrite) {
    return overwrite ? squareSum<Real>(count, Commit<Real, In>{out, in, weight, true})
                     : squareSum<Real>(count, Commit<Real, In>{out, in, weight, false});
}

} // namespace

#define ACCUMULUS_FLAT_KERNELS(Real)                                                                                   \
    ACCUMULUS_WIDEST double commitKernel(Real* out, const Real* in, std::int64_t count, Real weight, bool overwrite) { \
        return commitOf(out, in, count, weight, overwrite);                                                            \
    }                                                                                                                  \
    ACCUMULUS_WIDEST void scaleKernel(Real* data, std::int64_t count, Real factor, BlockSquares<Real>* squareSums) {   \
        squares<Real>(count, Scale<Real>{data, factor}, Keep<Real>{squareSums});                                       \
    }                                                                                                                  \
    double sumOf(const BlockSquares<Real>* squareSums, std::int64_t blocks, double sum) {                              \
        for (std::int64_t i = 0; i < blocks; ++i)                                                                      \
            for (const Real partial : squareSums[i])                                                                   \
                sum += static_cast<double>(partial);                                                                   \
        return sum;                                                                                                    \
    }                                                                                                                  \
    ACCUMULUS_WIDEST void addKernel(Real* out, const Real* in, std::int64_t count) {                                   \
        for (std::int64_t i = 0; i < count; ++i)                                                                       \
            out[i] += in[i];                                                                                           \
    }                                                                                                                  \
    ACCUMULUS_WIDEST double squareSumKernel(const Real* data, std::int64_t count) {                                    \
        return squareSum<Real>(count, Look<Real>{data});                                                               \
    }
ACCUMULUS_FLAT_KERNELS(float)
ACCUMULUS_FLAT_KERNELS(double)
#undef ACCUMULUS_FLAT_KERNELS

ACCUMULUS_WIDEST double commitKernel(float* out, const c10::BFloat16* in, std::int64_t count, float weight,
                                     bool overwrite) {
    return commitOf(out, in, count, weight, overwrite);
}

double commitKernel(c10::BFloat16* out, const float* in, std::int64_t count, float weight, bool overwrite) {
    return squareSum<float>(count, CommitBf16{out, in, weight, overwrite});
}

void addKernel(float* out, const c10::BFloat16* in, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i)
        out[i] += static_cast<float>(in[i]);
}

} // namespace accumulus
