// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/batch_norm_kernels.h"

#include "core/base/widest_vectors.h"
#include "core/model/vectors.h"

namespace accumulus {
namespace {

constexpr int lanes = batchNormLanes;
using Vector = Vectors<lanes>::Type;

/// The gradient's vector at `place`, zero where y is not positive.
template <bool Rectified>
ACCUMULUS_PART_OF_CALLER void passed(const float* gradient, const float* y, std::int64_t place, Vector& result) {
    load(gradient + place, result);
    if constexpr (Rectified) {
        Vector output;
        load(y + place, output);
        result = output > 0.0F ? result : Vector{};
    }
}

/// Work(channel) with as many vectors at once as registers hold for, and with one where fewer are left.
template <template <int> class Work, class... Arguments>
ACCUMULUS_PART_OF_CALLER void byChannels(std::int64_t channels, const Arguments&... arguments) {
    constexpr int atOnce = 4;
    std::int64_t channel = 0;
    for (; channel + atOnce * lanes <= channels; channel += atOnce * lanes)
        Work<atOnce>::run(channel, arguments...);
    for (; channel < channels; channel += lanes)
        Work<1>::run(channel, arguments...);
}

template <int Count>
struct SumsAroundFirst {
    static ACCUMULUS_PART_OF_CALLER void run(std::int64_t channel, const PixelRows& shape, const float* x, float* sums,
                                             float* squares) {
        Vector total[Count] = {}, square[Count] = {}, first[Count];
#pragma GCC unroll 8
        for (int v = 0; v < Count; ++v)
            load(x + channel + v * lanes, first[v]);
        for (std::int64_t row = 1; row < shape.rows; ++row)
#pragma GCC unroll 8
            for (int v = 0; v < Count; ++v) {
                Vector value;
                load(x + row * shape.channels + channel + v * lanes, value);
                value -= first[v];
                total[v] += value;
                square[v] += value * value;
            }
#pragma GCC unroll 8
        for (int v = 0; v < Count; ++v) {
            store(total[v], sums + channel + v * lanes);
            store(square[v], squares + channel + v * lanes);
        }
    }
};

template <bool Rectified, bool Keeps>
struct GradientSums {
    template <int Count>
    struct Of {
        static ACCUMULUS_PART_OF_CALLER void run(std::int64_t channel, const PixelRows& shape, const float* gradient,
                                                 const float* y, const float* x, const float* mean, float* sums,
                                                 float* products, float* kept) {
            Vector total[Count] = {}, product[Count] = {}, middle[Count];
#pragma GCC unroll 8
            for (int v = 0; v < Count; ++v)
                load(mean + channel + v * lanes, middle[v]);
            for (std::int64_t row = 0; row < shape.rows; ++row)
#pragma GCC unroll 8
                for (int v = 0; v < Count; ++v) {
                    const std::int64_t place = row * shape.channels + channel + v * lanes;
                    Vector g, value;
                    passed<Rectified>(gradient, y, place, g);
                    load(x + place, value);
                    total[v] += g;
                    product[v] += g * (value - middle[v]);
                    if constexpr (Keeps)
                        store(g, kept + place);
                }
#pragma GCC unroll 8
            for (int v = 0; v < Count; ++v) {
                store(total[v], sums + channel + v * lanes);
                store(product[v], products + channel + v * lanes);
            }
        }
    };
};

template <bool Rectified>
ACCUMULUS_PART_OF_CALLER void combine(const PixelRows& shape, const float* gradient, const float* y, const float* x,
                                      const float* a, const float* b, const float* c, float* result) {
    for (std::int64_t row = 0; row < shape.rows; ++row)
        for (std::int64_t channel = 0; channel < shape.channels; channel += lanes) {
            const std::int64_t place = row * shape.channels + channel;
            Vector g, value, ofGradient, ofValue, rest;
            passed<Rectified>(gradient, y, place, g);
            load(x + place, value);
            load(a + channel, ofGradient);
            load(b + channel, ofValue);
            load(c + channel, rest);
            store(ofGradient * g + (ofValue * value + rest), result + place);
        }
}

template <bool Adds, bool Rectify>
ACCUMULUS_PART_OF_CALLER void normalise(const PixelRows& shape, const float* x, const float* scale, const float* shift,
                                        const float* added, float* y) {
    for (std::int64_t row = 0; row < shape.rows; ++row)
        for (std::int64_t channel = 0; channel < shape.channels; channel += lanes) {
            const std::int64_t place = row * shape.channels + channel;
            Vector value, factor, offset;
            load(x + place, value);
            load(scale + channel, factor);
            load(shift + channel, offset);
            value = value * factor + offset;
            if constexpr (Adds) {
                Vector other;
                load(added + place, other);
                value += other;
            }
            if constexpr (Rectify)
                value = value < 0.0F ? Vector{} : value;
            store(value, y + place);
        }
}

} // namespace

ACCUMULUS_WIDEST void sumsAroundFirst(const PixelRows& shape, const float* x, float* sums, float* squares) {
    byChannels<SumsAroundFirst>(shape.channels, shape, x, sums, squares);
}

ACCUMULUS_WIDEST void scaleAndShift(const PixelRows& shape, const float* x, const float* scale, const float* shift,
                                    const float* added, bool rectify, float* y) {
    if (added && rectify)
        normalise<true, true>(shape, x, scale, shift, added, y);
    else if (added)
        normalise<true, false>(shape, x, scale, shift, added, y);
    else if (rectify)
        normalise<false, true>(shape, x, scale, shift, added, y);
    else
        normalise<false, false>(shape, x, scale, shift, added, y);
}

ACCUMULUS_WIDEST void gradientSums(const PixelRows& shape, const float* gradient, const float* y, const float* x,
                                   const float* mean, float* sums, float* products, float* kept) {
    if (y && kept)
        byChannels<GradientSums<true, true>::Of>(shape.channels, shape, gradient, y, x, mean, sums, products, kept);
    else if (y)
        byChannels<GradientSums<true, false>::Of>(shape.channels, shape, gradient, y, x, mean, sums, products, kept);
    else if (kept)
        byChannels<GradientSums<false, true>::Of>(shape.channels, shape, gradient, y, x, mean, sums, products, kept);
    else
        byChannels<GradientSums<false, false>::Of>(shape.channels, shape, gradient, y, x, mean, sums, products, kept);
}

ACCUMULUS_WIDEST void inputGradient(const PixelRows& shape, const float* gradient, const float* y, const float* x,
                                    const float* a, const float* b, const float* c, float* result) {
    if (y)
        combine<true>(shape, gradient, y, x, a, b, c, result);
    else
        combine<false>(shape, gradient, y, x, a, b, c, result);
}

} // namespace accumulus
