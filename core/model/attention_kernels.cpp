// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/attention_kernels.h"

#include "core/base/widest_vectors.h"
#include "core/model/vector_math.h"
#include "core/model/vectors.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace accumulus {
namespace {

constexpr int lanes = attentionLanes;
using Vector = Vectors<lanes>::Type;
using Integers = Vectors<lanes>::Integers;

/// Which lanes of the vector that begins at `first` come before `end`.
ACCUMULUS_PART_OF_CALLER void before(std::int64_t end, std::int64_t first, Integers& mask) {
    const Integers places{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    mask = places < static_cast<std::int32_t>(std::min<std::int64_t>(end - first, lanes));
}

ACCUMULUS_PART_OF_CALLER void clear(float* row, std::int64_t from, std::int64_t columns) {
    for (std::int64_t i = from; i < columns; i += lanes)
        store(Vector{}, row + i);
}

std::int64_t seenBy(const ScoreRows& shape, std::int64_t row) { return std::min(shape.columns, shape.seen + row); }

} // namespace

ACCUMULUS_WIDEST void softmaxRows(const ScoreRows& shape, float scale, float* scores, float* logSums) {
    const Vector nothing = Vector{} - std::numeric_limits<float>::infinity();
    for (std::int64_t r = 0; r < shape.rows; ++r) {
        float* row = scores + r * shape.stride;
        const std::int64_t seen = seenBy(shape, r);
        Vector top = nothing, total{};
        Integers inside;
        for (std::int64_t i = 0; i < seen; i += lanes) {
            Vector x;
            load(row + i, x);
            before(seen, i, inside);
            x = inside ? x * scale : nothing;
            top = x > top ? x : top;
            store(x, row + i);
        }
        const float largest = largestOf<lanes>(top);
        for (std::int64_t i = 0; i < seen; i += lanes) {
            Vector x;
            load(row + i, x);
            before(seen, i, inside);
            x -= largest;
            exponential<lanes>(x);
            x = inside ? x : Vector{};
            total += x;
            store(x, row + i);
        }
        const float sum = sumOf<lanes>(total), part = 1.0F / sum;
        for (std::int64_t i = 0; i < seen; i += lanes) {
            Vector x;
            load(row + i, x);
            store(x * part, row + i);
        }
        clear(row, (seen + lanes - 1) / lanes * lanes, shape.columns);
        logSums[r] = largest + std::log(sum);
    }
}

ACCUMULUS_WIDEST void softmaxAgain(const ScoreRows& shape, float scale, const float* logSums, float* scores) {
    for (std::int64_t r = 0; r < shape.rows; ++r) {
        float* row = scores + r * shape.stride;
        const std::int64_t seen = seenBy(shape, r);
        for (std::int64_t i = 0; i < seen; i += lanes) {
            Vector x;
            Integers inside;
            load(row + i, x);
            before(seen, i, inside);
            x = x * scale - logSums[r];
            exponential<lanes>(x);
            store(inside ? x : Vector{}, row + i);
        }
        clear(row, (seen + lanes - 1) / lanes * lanes, shape.columns);
    }
}

ACCUMULUS_WIDEST void scoreGradients(const ScoreRows& shape, float scale, const float* probabilities,
                                     const float* means, float* gradients) {
    for (std::int64_t r = 0; r < shape.rows; ++r) {
        float* row = gradients + r * shape.stride;
        const float* probability = probabilities + r * shape.stride;
        const std::int64_t seen = seenBy(shape, r);
        for (std::int64_t i = 0; i < seen; i += lanes) {
            Vector p, g;
            Integers inside;
            load(probability + i, p);
            load(row + i, g);
            before(seen, i, inside);
            g = scale * p * (g - means[r]);
            store(inside ? g : Vector{}, row + i);
        }
        clear(row, (seen + lanes - 1) / lanes * lanes, shape.columns);
    }
}

ACCUMULUS_WIDEST void rowProducts(const float* left, std::int64_t leftStride, const float* right,
                                  std::int64_t rightStride, std::int64_t rows, std::int64_t columns, float* sums) {
    for (std::int64_t r = 0; r < rows; ++r) {
        const float *a = left + r * leftStride, *b = right + r * rightStride;
        Vector total{};
        std::int64_t i = 0;
        for (; i + lanes <= columns; i += lanes) {
            Vector x, y;
            load(a + i, x);
            load(b + i, y);
            total += x * y;
        }
        float sum = sumOf<lanes>(total);
        for (; i < columns; ++i)
            sum += a[i] * b[i];
        sums[r] = sum;
    }
}

} // namespace accumulus
