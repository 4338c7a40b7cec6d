// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/matrix_kernels.h"

#include "core/base/widest_vectors.h"
#include "core/model/vectors.h"

#include <algorithm>

namespace accumulus {
namespace {

constexpr int side = 8; ///< of the squares that are turned in registers
using Vector = Vectors<side>::Type;

ACCUMULUS_PART_OF_CALLER void transposeSquare(const float* from, std::int64_t stride, float* to,
                                              std::int64_t toStride) {
    Vector rows[side];
#pragma GCC unroll 16
    for (int r = 0; r < side; ++r)
        load(from + r * stride, rows[r]);
    transpose(rows);
#pragma GCC unroll 16
    for (int r = 0; r < side; ++r)
        store(rows[r], to + r * toStride);
}

ACCUMULUS_PART_OF_CALLER void transposeOneByOne(const float* from, std::int64_t rows, std::int64_t columns,
                                                std::int64_t stride, float* to, std::int64_t toStride) {
    for (std::int64_t column = 0; column < columns; ++column)
        for (std::int64_t row = 0; row < rows; ++row)
            to[column * toStride + row] = from[row * stride + column];
}

/// `Width` columns, in registers.
template <int Width>
ACCUMULUS_PART_OF_CALLER void sumColumns(const float* from, std::int64_t rows, std::int64_t stride, float* sums) {
    constexpr std::int64_t atOnce = 128;
    constexpr int vectors = Width / side;
    Vector total[vectors] = {};
    for (std::int64_t first = 0; first < rows; first += atOnce) {
        Vector part[vectors] = {};
        const std::int64_t last = std::min(rows, first + atOnce);
        for (std::int64_t row = first; row < last; ++row)
#pragma GCC unroll 16
            for (int v = 0; v < vectors; ++v) {
                Vector next;
                load(from + row * stride + v * side, next);
                part[v] += next;
            }
#pragma GCC unroll 16
        for (int v = 0; v < vectors; ++v)
            total[v] += part[v];
    }
#pragma GCC unroll 16
    for (int v = 0; v < vectors; ++v)
        store(total[v], sums + v * side);
}

} // namespace

ACCUMULUS_WIDEST void transpose(const float* from, std::int64_t rows, std::int64_t columns, std::int64_t stride,
                                float* to, std::int64_t toStride) {
    constexpr std::int64_t rowsAtOnce = 2 * side; // a cache line of the result
    const std::int64_t wholeRows = rows / rowsAtOnce * rowsAtOnce, wholeColumns = columns / side * side;
    for (std::int64_t row = 0; row < wholeRows; row += rowsAtOnce)
        for (std::int64_t column = 0; column < wholeColumns; column += side)
#pragma GCC unroll 16
            for (std::int64_t half = 0; half < rowsAtOnce; half += side)
                transposeSquare(from + (row + half) * stride + column, stride, to + column * toStride + row + half,
                                toStride);
    transposeOneByOne(from + wholeColumns, wholeRows, columns - wholeColumns, stride, to + wholeColumns * toStride,
                      toStride);
    transposeOneByOne(from + wholeRows * stride, rows - wholeRows, columns, stride, to + wholeRows, toStride);
}

ACCUMULUS_WIDEST void sumRows(const float* from, std::int64_t rows, std::int64_t columns, std::int64_t stride,
                              float* sums) {
    constexpr std::int64_t wide = 8 * side;
    std::int64_t column = 0;
    for (; column + wide <= columns; column += wide)
        sumColumns<wide>(from + column, rows, stride, sums + column);
    for (; column + side <= columns; column += side)
        sumColumns<side>(from + column, rows, stride, sums + column);
    for (; column < columns; ++column) {
        sums[column] = 0.0F;
        for (std::int64_t row = 0; row < rows; ++row)
            sums[column] += from[row * stride + column];
    }
}

ACCUMULUS_WIDEST void fillRows(const float* row, const MatrixSize& size, float* to, std::int64_t stride) {
    for (std::int64_t r = 0; r < size.rows; ++r)
        for (std::int64_t column = 0; column < size.columns; ++column)
            to[r * stride + column] = row[column];
}

ACCUMULUS_WIDEST void addRows(const float* from, const float* row, const MatrixSize& size, float* to,
                              std::int64_t stride) {
    for (std::int64_t r = 0; r < size.rows; ++r) {
        const std::int64_t place = r * stride;
        if (row)
            for (std::int64_t column = 0; column < size.columns; ++column)
                to[place + column] = from[place + column] + row[column];
        else
            for (std::int64_t column = 0; column < size.columns; ++column)
                to[place + column] = from[place + column];
    }
}

} // namespace accumulus
