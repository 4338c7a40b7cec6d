// SPDX-License-Identifier: GPL-3.0-or-later
// What attention needs beside matrix products: the loops of one thread, free of LibTorch. Rows of scores lie `stride`
// floats apart, a multiple of 16, and are read and written up to the next multiple of 16 beyond `columns`. No function
// allocates or throws.
#pragma once

#include <cstdint>

namespace accumulus {

inline constexpr std::int64_t attentionLanes = 16;

/// Rows of scores [rows, columns]; row r looks at its first min(columns, seen + r) columns, of which the others count
/// nothing.
struct ScoreRows {
    std::int64_t rows = 0, columns = 0, stride = 0;
    std::int64_t seen = 0;
};

/// scores := softmax(scale * scores), zero where a row does not look. logSums[row]: the logarithm of what the row was
/// divided by, its largest score included.
void softmaxRows(const ScoreRows& shape, float scale, float* scores, float* logSums);

/// The same again from the logarithms: scores := e^(scale * scores - logSums[row]), zero where a row does not look.
void softmaxAgain(const ScoreRows& shape, float scale, const float* logSums, float* scores);

/// gradients := scale * probabilities * (gradients - means[row]): of the products' scores, from those of the
/// probabilities. means[row]: the sum of probability times gradient over the row.
void scoreGradients(const ScoreRows& shape, float scale, const float* probabilities, const float* means,
                    float* gradients);

/// sums[row] = sum of left[row * leftStride + i] * right[row * rightStride + i] over i < columns.
void rowProducts(const float* left, std::int64_t leftStride, const float* right, std::int64_t rightStride,
                 std::int64_t rows, std::int64_t columns, float* sums);

} // namespace accumulus
