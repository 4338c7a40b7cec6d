// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/winograd_kernels.h"

#include "core/base/machine_features.h"
#include "core/base/widest_vectors.h"
#include "core/model/vectors.h"

#include <algorithm>
#include <array>

namespace accumulus {
namespace {

constexpr std::int64_t positions = winogradPositions, panelWidth = winogradPanel;

/// Where the pixels of a tile lie; `zeros` beyond the edge.
template <int Side, class Number>
struct Patch {
    std::array<const Number*, Side * Side> pixel;

    /// `margin`: rows and columns in front of the tile's 2x2 outputs.
    ACCUMULUS_PART_OF_CALLER void find(const Number* images, const WinogradImages& shape, std::int64_t tile, int margin,
                                       const Number* zeros) {
        const std::int64_t column = tile % shape.tileColumns();
        const std::int64_t row = tile / shape.tileColumns() % shape.tileRows();
        const std::int64_t sample = tile / shape.tileColumns() / shape.tileRows();
        for (int r = 0; r < Side; ++r)
            for (int c = 0; c < Side; ++c) {
                const std::int64_t y = 2 * row + r - margin, x = 2 * column + c - margin;
                const bool inside = y >= 0 && y < shape.height && x >= 0 && x < shape.width;
                pixel[static_cast<std::size_t>(r * Side + c)] =
                    inside ? images + ((sample * shape.height + y) * shape.width + x) * shape.channels : zeros;
            }
    }
};

// The three one-dimensional transforms; the two-dimensional ones apply them to columns and then to rows.
template <class Vector>
ACCUMULUS_PART_OF_CALLER void transformInput(const Vector& d0, const Vector& d1, const Vector& d2, const Vector& d3,
                                             Vector* to, int step) {
    to[0] = d0 - d2;
    to[step] = d1 + d2;
    to[2 * step] = d2 - d1;
    to[3 * step] = d1 - d3;
}
template <class Vector>
ACCUMULUS_PART_OF_CALLER void transformGradient(const Vector& y0, const Vector& y1, Vector* to, int step) {
    to[0] = y0;
    to[step] = y0 + y1;
    to[2 * step] = y0 - y1;
    to[3 * step] = -y1;
}
template <class Vector>
ACCUMULUS_PART_OF_CALLER void transformFilter(const Vector& g0, const Vector& g1, const Vector& g2, Vector* to,
                                              int step) {
    const Vector outer = g0 + g2;
    to[0] = g0;
    to[step] = 0.5F * (outer + g1);
    to[2 * step] = 0.5F * (outer - g1);
    to[3 * step] = g2;
}

/// The 16 numbers of nine taps; tap (r, c) at taps + (r * 3 + c) * step, the other way round where turned.
template <class Vector, class Number>
ACCUMULUS_PART_OF_CALLER void transformTaps(const Number* taps, std::int64_t step, bool turned, Vector* result) {
    Vector columns[4 * 3];
    for (int c = 0; c < 3; ++c) {
        Vector g[3];
        for (int r = 0; r < 3; ++r)
            load(taps + (turned ? 8 - (r * 3 + c) : r * 3 + c) * step, g[r]);
        transformFilter(g[0], g[1], g[2], columns + c, 3);
    }
    for (int r = 0; r < 4; ++r)
        transformFilter(columns[3 * r], columns[3 * r + 1], columns[3 * r + 2], result + 4 * r, 1);
}

/// How many filters ahead the lines of their gradients are asked for.
constexpr std::int64_t filtersAhead = 6;

enum class Access { Read = 0, Write = 1 };

/// Asks the second cache for the lines of nine taps that come later. Filters of many channels lie in the third one, in
/// more streams than the processor follows by itself; those behind the last filter may lie anywhere.
template <Access access, class Number>
ACCUMULUS_PART_OF_CALLER void expectTaps(const Number* taps, std::int64_t step) {
    for (int tap = 0; tap < 9; ++tap)
        __builtin_prefetch(taps + tap * step, static_cast<int>(access), 2);
}

/// Factors of a product: element (r, i) of the left one at left[r * row + i * step], rows of a panel of the right one.
struct Factors {
    const float* left;
    std::int64_t row, step;
    const float* right;
    std::int64_t depth;
};

/// out[r][0 .. Columns x Lanes) = or += sum over i < depth of left(r, i) x right[i][...], for `Rows` rows.
template <int Lanes, int Rows, int Columns, bool Add>
ACCUMULUS_PART_OF_CALLER void multiplyBlock(const Factors& factors, float* out, std::int64_t outRow) {
    VectorOf<Lanes> sums[Rows][Columns];
#pragma GCC unroll 16
    for (int r = 0; r < Rows; ++r)
#pragma GCC unroll 16
        for (int v = 0; v < Columns; ++v)
            sums[r][v] = VectorOf<Lanes>{};
    const float *left = factors.left, *right = factors.right;
    for (std::int64_t i = 0; i < factors.depth; ++i, left += factors.step, right += panelWidth)
        addOuterProduct(left, factors.row, right, sums);
#pragma GCC unroll 16
    for (int r = 0; r < Rows; ++r)
#pragma GCC unroll 16
        for (int v = 0; v < Columns; ++v) {
            float* place = out + r * outRow + v * Lanes;
            if constexpr (Add) {
                VectorOf<Lanes> before;
                load(place, before);
                store(before + sums[r][v], place);
            } else {
                store(sums[r][v], place);
            }
        }
}

/// The same for a whole panel and `rows` rows, a multiple of winogradRows; in blocks that the registers hold.
template <int Lanes, bool Add>
ACCUMULUS_PART_OF_CALLER void multiply(const Factors& factors, std::int64_t rows, float* out, std::int64_t outRow) {
    constexpr int columns = 2, most = Lanes == 16 ? 8 : 6;
    for (std::int64_t c = 0; c < panelWidth; c += columns * Lanes) {
        Factors block = factors;
        block.right += c;
        std::int64_t r = 0;
        for (; r + most <= rows; r += most, block.left += most * factors.row)
            multiplyBlock<Lanes, most, columns, Add>(block, out + r * outRow + c, outRow);
        if constexpr (Lanes == 8) {
            for (; r + 4 <= rows; r += 4, block.left += 4 * factors.row)
                multiplyBlock<Lanes, 4, columns, Add>(block, out + r * outRow + c, outRow);
            for (; r + 2 <= rows; r += 2, block.left += 2 * factors.row)
                multiplyBlock<Lanes, 2, columns, Add>(block, out + r * outRow + c, outRow);
        }
    }
}

template <int Lanes, class Number>
ACCUMULUS_PART_OF_CALLER void transformInputs(const Number* images, const WinogradImages& shape, std::int64_t channels,
                                              std::int64_t firstTile, std::int64_t tiles, const Number* zeros,
                                              const WinogradPlaces& places) {
    for (std::int64_t t = 0; t < tiles; ++t) {
        Patch<4, Number> patch;
        patch.find(images, shape, firstTile + t, 1, zeros);
        for (std::int64_t c = 0; c < channels; c += Lanes) {
            VectorOf<Lanes> columns[positions];
#pragma GCC unroll 16
            for (int x = 0; x < 4; ++x) {
                VectorOf<Lanes> d[4];
#pragma GCC unroll 16
                for (int y = 0; y < 4; ++y)
                    load(patch.pixel[static_cast<std::size_t>(4 * y + x)] + c, d[y]);
                transformInput(d[0], d[1], d[2], d[3], columns + x, 4);
            }
            float* to = places.to + c / panelWidth * places.panel + t * places.tile + c % panelWidth;
#pragma GCC unroll 16
            for (int y = 0; y < 4; ++y) {
                VectorOf<Lanes> row[4];
                transformInput(columns[4 * y], columns[4 * y + 1], columns[4 * y + 2], columns[4 * y + 3], row, 1);
#pragma GCC unroll 16
                for (int x = 0; x < 4; ++x)
                    store(row[x], to + (4 * y + x) * places.position);
            }
        }
    }
}

template <int Lanes, class Number>
ACCUMULUS_PART_OF_CALLER void transformOutputGradients(const Number* images, const WinogradImages& shape,
                                                       std::int64_t firstTile, std::int64_t tiles, const Number* zeros,
                                                       const WinogradPlaces& places) {
    for (std::int64_t t = 0; t < tiles; ++t) {
        Patch<2, Number> patch;
        patch.find(images, shape, firstTile + t, 0, zeros);
        for (std::int64_t c = 0; c < shape.channels; c += Lanes) {
            VectorOf<Lanes> columns[4 * 2];
#pragma GCC unroll 16
            for (int x = 0; x < 2; ++x) {
                VectorOf<Lanes> upper, lower;
                load(patch.pixel[static_cast<std::size_t>(x)] + c, upper);
                load(patch.pixel[static_cast<std::size_t>(2 + x)] + c, lower);
                transformGradient(upper, lower, columns + x, 2);
            }
            float* to = places.to + c / panelWidth * places.panel + t * places.tile + c % panelWidth;
#pragma GCC unroll 16
            for (int y = 0; y < 4; ++y) {
                VectorOf<Lanes> row[4];
                transformGradient(columns[2 * y], columns[2 * y + 1], row, 1);
#pragma GCC unroll 16
                for (int x = 0; x < 4; ++x)
                    store(row[x], to + (4 * y + x) * places.position);
            }
        }
    }
}

template <int Lanes, class Number>
ACCUMULUS_PART_OF_CALLER void transformFilters(const Number* weight, std::int64_t in, std::int64_t panel,
                                               float* filters) {
    for (std::int64_t first = 0; first < in; first += Lanes)
        for (int v = 0; v < panelWidth / Lanes; ++v) {
            VectorOf<Lanes> transformed[positions][Lanes]; // [position][output], inputs side by side
            for (int k = 0; k < Lanes; ++k) {
                VectorOf<Lanes> result[positions];
                const Number* taps = weight + (panel * panelWidth + v * Lanes + k) * 9 * in + first;
                expectTaps<Access::Read>(taps + Lanes, in);
                transformTaps(taps, in, false, result);
                for (int p = 0; p < positions; ++p)
                    transformed[p][k] = result[p];
            }
            for (int p = 0; p < positions; ++p) {
                transpose(transformed[p]);
                for (int c = 0; c < Lanes; ++c)
                    store(transformed[p][c], filters + (p * in + first + c) * panelWidth + v * Lanes);
            }
        }
}

template <int Lanes, class Number>
ACCUMULUS_PART_OF_CALLER void transformTurnedFilters(const Number* weight, std::int64_t out, std::int64_t in,
                                                     std::int64_t panel, float* filters) {
    for (std::int64_t k = 0; k < out; ++k)
        for (int v = 0; v < panelWidth / Lanes; ++v) {
            VectorOf<Lanes> result[positions];
            transformTaps(weight + k * 9 * in + panel * panelWidth + v * Lanes, in, true, result);
            for (int p = 0; p < positions; ++p)
                store(result[p], filters + (p * out + k) * panelWidth + v * Lanes);
        }
}

template <int Lanes, class Number>
ACCUMULUS_PART_OF_CALLER void convolveTiles(const float* transformed, std::int64_t position, std::int64_t depth,
                                            const float* filters, const WinogradImages& shape, std::int64_t firstTile,
                                            std::int64_t tiles, std::int64_t panel, float* products, Number* images) {
    const std::int64_t rows = (tiles + winogradRows - 1) / winogradRows * winogradRows;
    const std::int64_t stride = winogradStride(rows * panelWidth);
    for (std::int64_t p = 0; p < positions; ++p)
        multiply<Lanes, false>({transformed + p * position, depth, 1, filters + p * depth * panelWidth, depth}, rows,
                               products + p * stride, panelWidth);
    for (std::int64_t t = 0; t < tiles; ++t) {
        const std::int64_t tile = firstTile + t;
        const std::int64_t left = tile % shape.tileColumns() * 2;
        const std::int64_t top = tile / shape.tileColumns() % shape.tileRows() * 2;
        const std::int64_t sample = tile / shape.tileColumns() / shape.tileRows();
        for (int v = 0; v < panelWidth / Lanes; ++v) {
            VectorOf<Lanes> columns[2 * 4];
#pragma GCC unroll 16
            for (int x = 0; x < 4; ++x) {
                VectorOf<Lanes> m[4];
#pragma GCC unroll 16
                for (int y = 0; y < 4; ++y)
                    load(products + (4 * y + x) * stride + t * panelWidth + v * Lanes, m[y]);
                columns[x] = m[0] + m[1] + m[2];
                columns[4 + x] = m[1] - m[2] - m[3];
            }
            for (int y = 0; y < 2 && top + y < shape.height; ++y) {
                const VectorOf<Lanes>* m = columns + 4 * y;
                Number* to = images + ((sample * shape.height + top + y) * shape.width + left) * shape.channels +
                             panel * panelWidth + v * Lanes;
                store(m[0] + m[1] + m[2], to);
                if (left + 1 < shape.width)
                    store(m[1] - m[2] - m[3], to + shape.channels);
            }
        }
    }
}

template <int Lanes>
ACCUMULUS_PART_OF_CALLER void sumTiles(const float* gradients, std::int64_t out, const float* inputs,
                                       std::int64_t tiles, bool add, float* sums, std::int64_t rowLength) {
    if (add)
        multiply<Lanes, true>({gradients, 1, out, inputs, tiles}, out, sums, rowLength);
    else
        multiply<Lanes, false>({gradients, 1, out, inputs, tiles}, out, sums, rowLength);
}

template <int Lanes>
ACCUMULUS_PART_OF_CALLER void filterGradients(const float* sums, std::int64_t position, std::int64_t rowLength,
                                              std::int64_t out, std::int64_t in, std::int64_t panel,
                                              float* weightGradient) {
    for (std::int64_t k = 0; k < out; ++k)
        for (std::int64_t c = 0; c < panelWidth; c += Lanes) {
            VectorOf<Lanes> columns[3 * 4];
#pragma GCC unroll 16
            for (int x = 0; x < 4; ++x) {
                VectorOf<Lanes> u[4];
#pragma GCC unroll 16
                for (int y = 0; y < 4; ++y)
                    load(sums + (4 * y + x) * position + k * rowLength + c, u[y]);
                columns[x] = u[0] + 0.5F * (u[1] + u[2]);
                columns[4 + x] = 0.5F * (u[1] - u[2]);
                columns[8 + x] = 0.5F * (u[1] + u[2]) + u[3];
            }
            expectTaps<Access::Write>(weightGradient + (k + filtersAhead) * 9 * in + panel * panelWidth + c, in);
#pragma GCC unroll 16
            for (int r = 0; r < 3; ++r) {
                const VectorOf<Lanes>* u = columns + 4 * r;
                float* to = weightGradient + (k * 9 + 3 * r) * in + panel * panelWidth + c;
                store(u[0] + 0.5F * (u[1] + u[2]), to);
                store(0.5F * (u[1] - u[2]), to + in);
                store(0.5F * (u[1] + u[2]) + u[3], to + 2 * in);
            }
        }
}

} // namespace

#define ACCUMULUS_WINOGRAD_KERNELS(Number)                                                                             \
    ACCUMULUS_WIDEST void winogradInputs(const Number* images, const WinogradImages& shape, std::int64_t channels,     \
                                         std::int64_t firstTile, std::int64_t tiles, const Number* zeros,              \
                                         const WinogradPlaces& places) {                                               \
        if (machineFeatures().wideVectors)                                                                             \
            transformInputs<16>(images, shape, channels, firstTile, tiles, zeros, places);                             \
        else                                                                                                           \
            transformInputs<8>(images, shape, channels, firstTile, tiles, zeros, places);                              \
    }                                                                                                                  \
    ACCUMULUS_WIDEST void winogradOutputGradients(const Number* images, const WinogradImages& shape,                   \
                                                  std::int64_t firstTile, std::int64_t tiles, const Number* zeros,     \
                                                  const WinogradPlaces& places) {                                      \
        if (machineFeatures().wideVectors)                                                                             \
            transformOutputGradients<16>(images, shape, firstTile, tiles, zeros, places);                              \
        else                                                                                                           \
            transformOutputGradients<8>(images, shape, firstTile, tiles, zeros, places);                               \
    }                                                                                                                  \
    ACCUMULUS_WIDEST void winogradFilters(const Number* weight, std::int64_t, std::int64_t in, std::int64_t panel,     \
                                          float* filters) {                                                            \
        if (machineFeatures().wideVectors)                                                                             \
            transformFilters<16>(weight, in, panel, filters);                                                          \
        else                                                                                                           \
            transformFilters<8>(weight, in, panel, filters);                                                           \
    }                                                                                                                  \
    ACCUMULUS_WIDEST void winogradTurnedFilters(const Number* weight, std::int64_t out, std::int64_t in,               \
                                                std::int64_t panel, float* filters) {                                  \
        if (machineFeatures().wideVectors)                                                                             \
            transformTurnedFilters<16>(weight, out, in, panel, filters);                                               \
        else                                                                                                           \
            transformTurnedFilters<8>(weight, out, in, panel, filters);                                                \
    }                                                                                                                  \
    ACCUMULUS_WIDEST void winogradOutputs(const float* transformed, std::int64_t position, std::int64_t depth,         \
                                          const float* filters, const WinogradImages& shape, std::int64_t firstTile,   \
                                          std::int64_t tiles, std::int64_t panel, float* products, Number* images) {   \
        if (machineFeatures().wideVectors)                                                                             \
            convolveTiles<16>(transformed, position, depth, filters, shape, firstTile, tiles, panel, products,         \
                              images);                                                                                 \
        else                                                                                                           \
            convolveTiles<8>(transformed, position, depth, filters, shape, firstTile, tiles, panel, products, images); \
    }
ACCUMULUS_WINOGRAD_KERNELS(float)
ACCUMULUS_WINOGRAD_KERNELS(c10::BFloat16)
#undef ACCUMULUS_WINOGRAD_KERNELS

ACCUMULUS_WIDEST void winogradSum(const float* gradients, std::int64_t out, const float* inputs, std::int64_t tiles,
                                  bool add, float* sums, std::int64_t rowLength) {
    if (machineFeatures().wideVectors)
        sumTiles<16>(gradients, out, inputs, tiles, add, sums, rowLength);
    else
        sumTiles<8>(gradients, out, inputs, tiles, add, sums, rowLength);
}

ACCUMULUS_WIDEST void winogradFilterGradients(const float* sums, std::int64_t position, std::int64_t rowLength,
                                              std::int64_t out, std::int64_t in, std::int64_t panel,
                                              float* weightGradient) {
    if (machineFeatures().wideVectors)
        filterGradients<16>(sums, position, rowLength, out, in, panel, weightGradient);
    else
        filterGradients<8>(sums, position, rowLength, out, in, panel, weightGradient);
}

} // namespace accumulus
