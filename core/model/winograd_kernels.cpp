// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/winograd_kernels.h"

#include "core/base/machine_features.h"
#include "core/base/widest_vectors.h"
#include "core/model/vectors.h"
#include "core/model/winograd_transforms.h"

#include <algorithm>
#include <array>

namespace accumulus {
namespace {

constexpr std::int64_t panelWidth = winogradPanel;

/// Numbers along one side of a transformed tile or filter, and all of them.
template <int Tile>
constexpr int side = Tile + 2;
template <int Tile>
constexpr int positions = side<Tile>* side<Tile>;

/// Where the pixels of a tile lie; `zeros` beyond the edge.
template <int Side, class Number>
struct Patch {
    std::array<const Number*, Side * Side> pixel;

    /// `margin`: rows and columns in front of the tile's outputs.
    ACCUMULUS_PART_OF_CALLER void find(const Number* images, const WinogradImages& shape, std::int64_t tile, int margin,
                                       const Number* zeros) {
        const WinogradImages::Place place = shape.place(tile);
        for (int r = 0; r < Side; ++r)
            for (int c = 0; c < Side; ++c) {
                const std::int64_t y = place.top + r - margin, x = place.left + c - margin;
                const bool inside = y >= 0 && y < shape.height && x >= 0 && x < shape.width;
                pixel[static_cast<std::size_t>(r * Side + c)] =
                    inside ? images + ((place.sample * shape.height + y) * shape.width + x) * shape.channels : zeros;
            }
    }
};

/// The numbers of nine taps; tap (r, c) at taps + (r * 3 + c) * step, the other way round where turned.
template <int Tile, class Vector, class Number>
ACCUMULUS_PART_OF_CALLER void transformTaps(const Number* taps, std::int64_t step, bool turned, Vector* result) {
    transformBothWays<typename WinogradTransform<Tile>::Filter, Vector>(
        [=](int r, int c, Vector& g)
            __attribute__((always_inline)) { load(taps + (turned ? 8 - (r * 3 + c) : r * 3 + c) * step, g); },
        [=](int y, int x, const Vector& value) __attribute__((always_inline)) { result[side<Tile> * y + x] = value; });
}

/// How many channels are summed up in a row before the sum is added to that of the others.
template <int Tile>
constexpr std::int64_t chain = Tile == 4 ? 16 : 1 << 30;

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

/// The tiles' patches, `OneWay` both ways, `channels` of them. `margin`: of the patch in front of its tile.
template <int Lanes, class OneWay, class Number>
ACCUMULUS_PART_OF_CALLER void transformPatches(const Number* images, const WinogradImages& shape, std::int64_t channels,
                                               std::int64_t firstTile, std::int64_t tiles, int margin,
                                               const Number* zeros, const WinogradPlaces& places) {
    using Vector = VectorOf<Lanes>;
    for (std::int64_t t = 0; t < tiles; ++t) {
        Patch<OneWay::from, Number> patch;
        patch.find(images, shape, firstTile + t, margin, zeros);
        for (std::int64_t c = 0; c < channels; c += Lanes) {
            float* to = places.to + c / panelWidth * places.panel + t * places.tile + c % panelWidth;
            transformBothWays<OneWay, Vector>(
                [&](int y, int x, Vector& value) __attribute__((always_inline)) {
                    load(patch.pixel[static_cast<std::size_t>(OneWay::from * y + x)] + c, value);
                },
                [&](int y, int x, const Vector& value)
                    __attribute__((always_inline)) { store(value, to + (OneWay::to * y + x) * places.position); });
        }
    }
}

template <int Lanes, int Tile, class Number>
ACCUMULUS_PART_OF_CALLER void transformInputs(const Number* images, const WinogradImages& shape, std::int64_t channels,
                                              std::int64_t firstTile, std::int64_t tiles, const Number* zeros,
                                              const WinogradPlaces& places) {
    transformPatches<Lanes, typename WinogradTransform<Tile>::Input>(images, shape, channels, firstTile, tiles, 1,
                                                                     zeros, places);
}

template <int Lanes, int Tile, class Number>
ACCUMULUS_PART_OF_CALLER void transformOutputGradients(const Number* images, const WinogradImages& shape,
                                                       std::int64_t firstTile, std::int64_t tiles, const Number* zeros,
                                                       const WinogradPlaces& places) {
    transformPatches<Lanes, typename WinogradTransform<Tile>::OutputGradient>(images, shape, shape.channels, firstTile,
                                                                              tiles, 0, zeros, places);
}

template <int Lanes, int Tile, class Number>
ACCUMULUS_PART_OF_CALLER void transformFilters(const Number* weight, std::int64_t in, std::int64_t panel,
                                               float* filters) {
    for (std::int64_t first = 0; first < in; first += Lanes)
        for (int v = 0; v < panelWidth / Lanes; ++v) {
            VectorOf<Lanes> transformed[positions<Tile>][Lanes]; // [position][output], inputs side by side
            for (int k = 0; k < Lanes; ++k) {
                VectorOf<Lanes> result[positions<Tile>];
                const Number* taps = weight + (panel * panelWidth + v * Lanes + k) * 9 * in + first;
                expectTaps<Access::Read>(taps + Lanes, in);
                transformTaps<Tile>(taps, in, false, result);
                for (int p = 0; p < positions<Tile>; ++p)
                    transformed[p][k] = result[p];
            }
            for (int p = 0; p < positions<Tile>; ++p) {
                transpose(transformed[p]);
                for (int c = 0; c < Lanes; ++c)
                    store(transformed[p][c], filters + (p * in + first + c) * panelWidth + v * Lanes);
            }
        }
}

template <int Lanes, int Tile, class Number>
ACCUMULUS_PART_OF_CALLER void transformTurnedFilters(const Number* weight, std::int64_t out, std::int64_t in,
                                                     std::int64_t panel, float* filters) {
    for (std::int64_t k = 0; k < out; ++k)
        for (int v = 0; v < panelWidth / Lanes; ++v) {
            VectorOf<Lanes> result[positions<Tile>];
            transformTaps<Tile>(weight + k * 9 * in + panel * panelWidth + v * Lanes, in, true, result);
            for (int p = 0; p < positions<Tile>; ++p)
                store(result[p], filters + (p * out + k) * panelWidth + v * Lanes);
        }
}

/// The outputs of one tile, of the channels of one vector, from its products, `stride` apart.
template <int Lanes, int Tile, class Number>
ACCUMULUS_PART_OF_CALLER void writeOutputs(const float* products, std::int64_t stride, const WinogradImages& shape,
                                           const WinogradImages::Place& place, Number* to) {
    using Vector = VectorOf<Lanes>;
    transformBothWays<typename WinogradTransform<Tile>::Output, Vector>(
        [&](int y, int x, Vector& m)
            __attribute__((always_inline)) { load(products + (side<Tile> * y + x) * stride, m); },
        [&](int y, int x, const Vector& value) __attribute__((always_inline)) {
            if (place.top + y < shape.height && place.left + x < shape.width)
                store(value, to + (y * shape.width + x) * shape.channels);
        });
}

template <int Lanes, int Tile, class Number>
ACCUMULUS_PART_OF_CALLER void convolveTiles(const float* transformed, std::int64_t position, std::int64_t depth,
                                            const float* filters, const WinogradImages& shape, std::int64_t firstTile,
                                            std::int64_t tiles, std::int64_t panel, float* products, Number* images) {
    const std::int64_t rows = (tiles + winogradRows - 1) / winogradRows * winogradRows;
    const std::int64_t stride = winogradStride(rows * panelWidth);
    for (std::int64_t p = 0; p < positions<Tile>; ++p) {
        const float *left = transformed + p * position, *right = filters + p * depth * panelWidth;
        float* out = products + p * stride;
        multiply<Lanes, false>({left, depth, 1, right, std::min(depth, chain<Tile>)}, rows, out, panelWidth);
        for (std::int64_t i = chain<Tile>; i < depth; i += chain<Tile>)
            multiply<Lanes, true>({left + i, depth, 1, right + i * panelWidth, std::min(depth - i, chain<Tile>)}, rows,
                                  out, panelWidth);
    }
    for (std::int64_t t = 0; t < tiles; ++t) {
        const WinogradImages::Place place = shape.place(firstTile + t);
        Number* to = images + ((place.sample * shape.height + place.top) * shape.width + place.left) * shape.channels +
                     panel * panelWidth;
        for (std::int64_t c = 0; c < panelWidth; c += Lanes)
            writeOutputs<Lanes, Tile>(products + t * panelWidth + c, stride, shape, place, to + c);
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

template <int Lanes, int Tile>
ACCUMULUS_PART_OF_CALLER void filterGradients(const float* sums, std::int64_t position, std::int64_t rowLength,
                                              std::int64_t out, std::int64_t in, std::int64_t panel,
                                              float* weightGradient) {
    using Vector = VectorOf<Lanes>;
    for (std::int64_t k = 0; k < out; ++k)
        for (std::int64_t c = 0; c < panelWidth; c += Lanes) {
            expectTaps<Access::Write>(weightGradient + (k + filtersAhead) * 9 * in + panel * panelWidth + c, in);
            transformBothWays<typename WinogradTransform<Tile>::FilterGradient, Vector>(
                [&](int y, int x, Vector& u) __attribute__((always_inline)) {
                    load(sums + (side<Tile> * y + x) * position + k * rowLength + c, u);
                },
                [&](int r, int x, const Vector& tap) __attribute__((always_inline)) {
                    store(tap, weightGradient + (k * 9 + 3 * r + x) * in + panel * panelWidth + c);
                });
        }
}

} // namespace

/// kernel<lanes, tile>(...) with the lanes of this processor's vectors and the tiles that the caller asks for.
#define ACCUMULUS_WINOGRAD(kernel, tile, ...)                                                                          \
    do {                                                                                                               \
        if (machineFeatures().wideVectors && (tile) == 4)                                                              \
            kernel<16, 4>(__VA_ARGS__);                                                                                \
        else if (machineFeatures().wideVectors)                                                                        \
            kernel<16, 2>(__VA_ARGS__);                                                                                \
        else if ((tile) == 4)                                                                                          \
            kernel<8, 4>(__VA_ARGS__);                                                                                 \
        else                                                                                                           \
            kernel<8, 2>(__VA_ARGS__);                                                                                 \
    } while (false)

#define ACCUMULUS_WINOGRAD_KERNELS(Number)                                                                             \
    ACCUMULUS_WIDEST void winogradInputs(const Number* images, const WinogradImages& shape, std::int64_t channels,     \
                                         std::int64_t firstTile, std::int64_t tiles, const Number* zeros,              \
                                         const WinogradPlaces& places) {                                               \
        ACCUMULUS_WINOGRAD(transformInputs, shape.tile, images, shape, channels, firstTile, tiles, zeros, places);     \
    }                                                                                                                  \
    ACCUMULUS_WIDEST void winogradOutputGradients(const Number* images, const WinogradImages& shape,                   \
                                                  std::int64_t firstTile, std::int64_t tiles, const Number* zeros,     \
                                                  const WinogradPlaces& places) {                                      \
        ACCUMULUS_WINOGRAD(transformOutputGradients, shape.tile, images, shape, firstTile, tiles, zeros, places);      \
    }                                                                                                                  \
    ACCUMULUS_WIDEST void winogradFilters(const Number* weight, std::int64_t, std::int64_t in, std::int64_t tile,      \
                                          std::int64_t panel, float* filters) {                                        \
        ACCUMULUS_WINOGRAD(transformFilters, tile, weight, in, panel, filters);                                        \
    }                                                                                                                  \
    ACCUMULUS_WIDEST void winogradTurnedFilters(const Number* weight, std::int64_t out, std::int64_t in,               \
                                                std::int64_t tile, std::int64_t panel, float* filters) {               \
        ACCUMULUS_WINOGRAD(transformTurnedFilters, tile, weight, out, in, panel, filters);                             \
    }                                                                                                                  \
    ACCUMULUS_WIDEST void winogradOutputs(const float* transformed, std::int64_t position, std::int64_t depth,         \
                                          const float* filters, const WinogradImages& shape, std::int64_t firstTile,   \
                                          std::int64_t tiles, std::int64_t panel, float* products, Number* images) {   \
        ACCUMULUS_WINOGRAD(convolveTiles, shape.tile, transformed, position, depth, filters, shape, firstTile, tiles,  \
                           panel, products, images);                                                                   \
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
                                              std::int64_t out, std::int64_t in, std::int64_t tile, std::int64_t panel,
                                              float* weightGradient) {
    ACCUMULUS_WINOGRAD(filterGradients, tile, sums, position, rowLength, out, in, panel, weightGradient);
}
#undef ACCUMULUS_WINOGRAD

} // namespace accumulus
