// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/batch_norm_kernels.h"

#include "core/base/machine_features.h"
#include "core/base/widest_vectors.h"
#include "core/model/vectors.h"

namespace accumulus {
namespace {

/// The gradient's vector at `place`, zero where y is not positive.
template <int Lanes, bool Rectified, class Number>
ACCUMULUS_PART_OF_CALLER void passed(const Number* gradient, const Number* y, std::int64_t place,
                                     VectorOf<Lanes>& result) {
    load(gradient + place, result);
    if constexpr (Rectified) {
        VectorOf<Lanes> output;
        load(y + place, output);
        result = output > 0.0F ? result : VectorOf<Lanes>{};
    }
}

/// Work(channel) with as many vectors at once as registers hold for, and with one where fewer are left.
template <int Lanes, template <int, int> class Work, class... Arguments>
ACCUMULUS_PART_OF_CALLER void byChannels(std::int64_t channels, const Arguments&... arguments) {
    constexpr int atOnce = 4;
    std::int64_t channel = 0;
    for (; channel + atOnce * Lanes <= channels; channel += atOnce * Lanes)
        Work<Lanes, atOnce>::run(channel, arguments...);
    for (; channel < channels; channel += Lanes)
        Work<Lanes, 1>::run(channel, arguments...);
}

template <int Lanes, int Count>
struct SumsAroundFirst {
    template <class Number>
    static ACCUMULUS_PART_OF_CALLER void run(std::int64_t channel, const PixelRows& shape, const Number* x, float* sums,
                                             float* squares) {
        VectorOf<Lanes> total[Count] = {}, square[Count] = {}, first[Count];
#pragma GCC unroll 8
        for (int v = 0; v < Count; ++v)
            load(x + channel + v * Lanes, first[v]);
        for (std::int64_t row = 1; row < shape.rows; ++row)
#pragma GCC unroll 8
            for (int v = 0; v < Count; ++v) {
                VectorOf<Lanes> value;
                load(x + row * shape.channels + channel + v * Lanes, value);
                value -= first[v];
                total[v] += value;
                square[v] += value * value;
            }
#pragma GCC unroll 8
        for (int v = 0; v < Count; ++v) {
            store(total[v], sums + channel + v * Lanes);
            store(square[v], squares + channel + v * Lanes);
        }
    }
};

template <bool Rectified, bool Keeps>
struct GradientSums {
    template <int Lanes, int Count>
    struct Of {
        template <class Number>
        static ACCUMULUS_PART_OF_CALLER void run(std::int64_t channel, const PixelRows& shape, const Number* gradient,
                                                 const Number* y, const Number* x, const float* mean, float* sums,
                                                 float* products, Number* kept) {
            VectorOf<Lanes> total[Count] = {}, product[Count] = {}, middle[Count];
#pragma GCC unroll 8
            for (int v = 0; v < Count; ++v)
                load(mean + channel + v * Lanes, middle[v]);
            for (std::int64_t row = 0; row < shape.rows; ++row)
#pragma GCC unroll 8
                for (int v = 0; v < Count; ++v) {
                    const std::int64_t place = row * shape.channels + channel + v * Lanes;
                    VectorOf<Lanes> g, value;
                    passed<Lanes, Rectified>(gradient, y, place, g);
                    load(x + place, value);
                    total[v] += g;
                    product[v] += g * (value - middle[v]);
                    if constexpr (Keeps)
                        store(g, kept + place);
                }
#pragma GCC unroll 8
            for (int v = 0; v < Count; ++v) {
                store(total[v], sums + channel + v * Lanes);
                store(product[v], products + channel + v * Lanes);
            }
        }
    };
};

template <int Lanes, bool Rectified, class Number>
ACCUMULUS_PART_OF_CALLER void combine(const PixelRows& shape, const Number* gradient, const Number* y, const Number* x,
                                      const float* a, const float* b, const float* c, Number* result) {
    for (std::int64_t row = 0; row < shape.rows; ++row)
        for (std::int64_t channel = 0; channel < shape.channels; channel += Lanes) {
            const std::int64_t place = row * shape.channels + channel;
            VectorOf<Lanes> g, value, ofGradient, ofValue, rest;
            passed<Lanes, Rectified>(gradient, y, place, g);
            load(x + place, value);
            load(a + channel, ofGradient);
            load(b + channel, ofValue);
            load(c + channel, rest);
            store(ofGradient * g + (ofValue * value + rest), result + place);
        }
}

template <int Lanes, bool Adds, bool Rectify, class Number>
ACCUMULUS_PART_OF_CALLER void normalise(const PixelRows& shape, const Number* x, const float* scale, const float* shift,
                                        const Number* added, Number* y) {
    for (std::int64_t row = 0; row < shape.rows; ++row)
        for (std::int64_t channel = 0; channel < shape.channels; channel += Lanes) {
            const std::int64_t place = row * shape.channels + channel;
            VectorOf<Lanes> value, factor, offset;
            load(x + place, value);
            load(scale + channel, factor);
            load(shift + channel, offset);
            value = value * factor + offset;
            if constexpr (Adds) {
                VectorOf<Lanes> other;
                load(added + place, other);
                value += other;
            }
            if constexpr (Rectify)
                value = value < 0.0F ? VectorOf<Lanes>{} : value;
            store(value, y + place);
        }
}

template <int Lanes, class Number>
ACCUMULUS_PART_OF_CALLER void sumAround(const PixelRows& shape, const Number* x, float* sums, float* squares) {
    byChannels<Lanes, SumsAroundFirst>(shape.channels, shape, x, sums, squares);
}

template <int Lanes, class Number>
ACCUMULUS_PART_OF_CALLER void scaleAll(const PixelRows& shape, const Number* x, const float* scale, const float* shift,
                                       const Number* added, bool rectify, Number* y) {
    if (added && rectify)
        normalise<Lanes, true, true>(shape, x, scale, shift, added, y);
    else if (added)
        normalise<Lanes, true, false>(shape, x, scale, shift, added, y);
    else if (rectify)
        normalise<Lanes, false, true>(shape, x, scale, shift, added, y);
    else
        normalise<Lanes, false, false>(shape, x, scale, shift, added, y);
}

template <int Lanes, class Number>
ACCUMULUS_PART_OF_CALLER void sumAll(const PixelRows& shape, const Number* gradient, const Number* y, const Number* x,
                                     const float* mean, float* sums, float* products, Number* kept) {
    if (y && kept)
        byChannels<Lanes, GradientSums<true, true>::Of>(shape.channels, shape, gradient, y, x, mean, sums, products,
                                                        kept);
    else if (y)
        byChannels<Lanes, GradientSums<true, false>::Of>(shape.channels, shape, gradient, y, x, mean, sums, products,
                                                         kept);
    else if (kept)
        byChannels<Lanes, GradientSums<false, true>::Of>(shape.channels, shape, gradient, y, x, mean, sums, products,
                                                         kept);
    else
        byChannels<Lanes, GradientSums<false, false>::Of>(shape.channels, shape, gradient, y, x, mean, sums, products,
                                                          kept);
}

template <int Lanes, class Number>
ACCUMULUS_PART_OF_CALLER void combineAll(const PixelRows& shape, const Number* gradient, const Number* y,
                                         const Number* x, const float* a, const float* b, const float* c,
                                         Number* result) {
    if (y)
        combine<Lanes, true>(shape, gradient, y, x, a, b, c, result);
    else
        combine<Lanes, false>(shape, gradient, y, x, a, b, c, result);
}

} // namespace

#define ACCUMULUS_NORM(function, ...)                                                                                  \
    do {                                                                                                               \
        if (machineFeatures().wideVectors)                                                                             \
            function<16>(__VA_ARGS__);                                                                                 \
        else                                                                                                           \
            function<8>(__VA_ARGS__);                                                                                  \
    } while (false)

#define ACCUMULUS_NORM_KERNELS(Number)                                                                                 \
    ACCUMULUS_WIDEST void sumsAroundFirst(const PixelRows& shape, const Number* x, float* sums, float* squares) {      \
        ACCUMULUS_NORM(sumAround, shape, x, sums, squares);                                                            \
    }                                                                                                                  \
    ACCUMULUS_WIDEST void scaleAndShift(const PixelRows& shape, const Number* x, const float* scale,                   \
                                        const float* shift, const Number* added, bool rectify, Number* y) {            \
        ACCUMULUS_NORM(scaleAll, shape, x, scale, shift, added, rectify, y);                                           \
    }                                                                                                                  \
    ACCUMULUS_WIDEST void gradientSums(const PixelRows& shape, const Number* gradient, const Number* y,                \
                                       const Number* x, const float* mean, float* sums, float* products,               \
                                       Number* kept) {                                                                 \
        ACCUMULUS_NORM(sumAll, shape, gradient, y, x, mean, sums, products, kept);                                     \
    }                                                                                                                  \
    ACCUMULUS_WIDEST void inputGradient(const PixelRows& shape, const Number* gradient, const Number* y,               \
                                        const Number* x, const float* a, const float* b, const float* c,               \
                                        Number* result) {                                                              \
        ACCUMULUS_NORM(combineAll, shape, gradient, y, x, a, b, c, result);                                            \
    }
ACCUMULUS_NORM_KERNELS(float)
ACCUMULUS_NORM_KERNELS(c10::BFloat16)
#undef ACCUMULUS_NORM_KERNELS
#undef ACCUMULUS_NORM

} // namespace accumulus
