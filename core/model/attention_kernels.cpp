// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/attention_kernels.h"

#include "core/base/machine_features.h"
#include "core/base/widest_vectors.h"
#include "core/model/vector_math.h"
#include "core/model/vectors.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace accumulus {
namespace {

/// Which lanes of the vector that begins at `first` come before `end`.
template <int Lanes>
ACCUMULUS_PART_OF_CALLER void before(std::int64_t end, std::int64_t first, typename Vectors<Lanes>::Integers& mask) {
    typename Vectors<Lanes>::Integers places;
#pragma GCC unroll 16
    for (int i = 0; i < Lanes; ++i)
        places[i] = i;
    mask = places < static_cast<std::int32_t>(std::min<std::int64_t>(end - first, Lanes));
}

template <int Lanes>
ACCUMULUS_PART_OF_CALLER void clear(float* row, std::int64_t from, std::int64_t columns) {
    for (std::int64_t i = from; i < columns; i += Lanes)
        store(VectorOf<Lanes>{}, row + i);
}

std::int64_t seenBy(const ScoreRows& shape, std::int64_t row) { return std::min(shape.columns, shape.seen + row); }

template <int Lanes>
ACCUMULUS_PART_OF_CALLER void softmax(const ScoreRows& shape, float scale, float* scores, float* logSums) {
    const VectorOf<Lanes> nothing = VectorOf<Lanes>{} - std::numeric_limits<float>::infinity();
    for (std::int64_t r = 0; r < shape.rows; ++r) {
        float* row = scores + r * shape.stride;
        const std::int64_t seen = seenBy(shape, r);
        VectorOf<Lanes> top = nothing, total{};
        typename Vectors<Lanes>::Integers inside;
        for (std::int64_t i = 0; i < seen; i += Lanes) {
            VectorOf<Lanes> x;
            load(row + i, x);
            before<Lanes>(seen, i, inside);
            x = inside ? x * scale : nothing;
            top = x > top ? x : top;
            store(x, row + i);
        }
        const float largest = largestOf<Lanes>(top);
        for (std::int64_t i = 0; i < seen; i += Lanes) {
            VectorOf<Lanes> x;
            load(row + i, x);
            before<Lanes>(seen, i, inside);
            x -= largest;
            exponential<Lanes>(x);
            x = inside ? x : VectorOf<Lanes>{};
            total += x;
            store(x, row + i);
        }
        const float sum = sumOf<Lanes>(total), part = 1.0F / sum;
        for (std::int64_t i = 0; i < seen; i += Lanes) {
            VectorOf<Lanes> x;
            load(row + i, x);
            store(x * part, row + i);
        }
        clear<Lanes>(row, (seen + Lanes - 1) / Lanes * Lanes, shape.columns);
        logSums[r] = largest + std::log(sum);
    }
}

template <int Lanes>
ACCUMULUS_PART_OF_CALLER void again(const ScoreRows& shape, float scale, const float* logSums, float* scores) {
    for (std::int64_t r = 0; r < shape.rows; ++r) {
        float* row = scores + r * shape.stride;
        const std::int64_t seen = seenBy(shape, r);
        for (std::int64_t i = 0; i < seen; i += Lanes) {
            VectorOf<Lanes> x;
            typename Vectors<Lanes>::Integers inside;
            load(row + i, x);
            before<Lanes>(seen, i, inside);
            x = x * scale - logSums[r];
            exponential<Lanes>(x);
            store(inside ? x : VectorOf<Lanes>{}, row + i);
        }
        clear<Lanes>(row, (seen + Lanes - 1) / Lanes * Lanes, shape.columns);
    }
}

template <int Lanes>
ACCUMULUS_PART_OF_CALLER void backwards(const ScoreRows& shape, float scale, const float* probabilities,
                                        const float* means, float* gradients) {
    for (std::int64_t r = 0; r < shape.rows; ++r) {
        float* row = gradients + r * shape.stride;
        const float* probability = probabilities + r * shape.stride;
        const std::int64_t seen = seenBy(shape, r);
        for (std::int64_t i = 0; i < seen; i += Lanes) {
            VectorOf<Lanes> p, g;
            typename Vectors<Lanes>::Integers inside;
            load(probability + i, p);
            load(row + i, g);
            before<Lanes>(seen, i, inside);
            g = scale * p * (g - means[r]);
            store(inside ? g : VectorOf<Lanes>{}, row + i);
        }
        clear<Lanes>(row, (seen + Lanes - 1) / Lanes * Lanes, shape.columns);
    }
}

template <int Lanes>
ACCUMULUS_PART_OF_CALLER void products(const float* left, std::int64_t leftStride, const float* right,
                                       std::int64_t rightStride, std::int64_t rows, std::int64_t columns, float* sums) {
    for (std::int64_t r = 0; r < rows; ++r) {
        const float *a = left + r * leftStride, *b = right + r * rightStride;
        VectorOf<Lanes> total{};
        std::int64_t i = 0;
        for (; i + Lanes <= columns; i += Lanes) {
            VectorOf<Lanes> x, y;
            load(a + i, x);
            load(b + i, y);
            total += x * y;
        }
        float sum = sumOf<Lanes>(total);
        for (; i < columns; ++i)
            sum += a[i] * b[i];
        sums[r] = sum;
    }
}

} // namespace

ACCUMULUS_WIDEST void softmaxRows(const ScoreRows& shape, float scale, float* scores, float* logSums) {
    if (machineFeatures().wideVectors)
        softmax<16>(shape, scale, scores, logSums);
    else
        softmax<8>(shape, scale, scores, logSums);
}

ACCUMULUS_WIDEST void softmaxAgain(const ScoreRows& shape, float scale, const float* logSums, float* scores) {
    if (machineFeatures().wideVectors)
        again<16>(shape, scale, logSums, scores);
    else
        again<8>(shape, scale, logSums, scores);
}

ACCUMULUS_WIDEST void scoreGradients(const ScoreRows& shape, float scale, const float* probabilities,
                                     const float* means, float* gradients) {
    if (machineFeatures().wideVectors)
        backwards<16>(shape, scale, probabilities, means, gradients);
    else
        backwards<8>(shape, scale, probabilities, means, gradients);
}

ACCUMULUS_WIDEST void rowProducts(const float* left, std::int64_t leftStride, const float* right,
                                  std::int64_t rightStride, std::int64_t rows, std::int64_t columns, float* sums) {
    if (machineFeatures().wideVectors)
        products<16>(left, leftStride, right, rightStride, rows, columns, sums);
    else
        products<8>(left, leftStride, right, rightStride, rows, columns, sums);
}

} // namespace accumulus
