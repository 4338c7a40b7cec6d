// SPDX-License-Identifier: GPL-3.0-or-later
// What a linear layer needs beside matrix products: the loops of one thread, free of LibTorch. Matrices are row by row;
// a stride counts the floats from one row to the next. No function allocates or throws.
#pragma once

#include <cstdint>

namespace accumulus {

/// to[column * toStride + row] = from[row * stride + column].
void transpose(const float* from, std::int64_t rows, std::int64_t columns, std::int64_t stride, float* to,
               std::int64_t toStride);

/// sums[column] = sum over rows of from[row * stride + column]: partial sums of 128 rows each, added in their order.
void sumRows(const float* from, std::int64_t rows, std::int64_t columns, std::int64_t stride, float* sums);

struct MatrixSize {
    std::int64_t rows, columns;
};

/// to[r * stride + column] = row[column]: the same in each row.
void fillRows(const float* row, const MatrixSize& size, float* to, std::int64_t stride);

/// to = from + row in each row; `row` null: a copy. Both have the stride and lie apart.
void addRows(const float* from, const float* row, const MatrixSize& size, float* to, std::int64_t stride);

} // namespace accumulus
