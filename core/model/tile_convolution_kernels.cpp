// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/tile_convolution_kernels.h"

#if defined(__x86_64__) && defined(__linux__) && !defined(ACCUMULUS_AT_MOST_AVX2)

#include "core/model/vectors.h"

#include <algorithm>
#include <cpuid.h>
#include <cstring>
#include <immintrin.h>
#include <sys/syscall.h>
#include <unistd.h>

// The instructions have names only; which compiler flags a file gets says nothing of the processor (matrixTilesWork()).
#define ACCUMULUS_TILES __attribute__((target("arch=x86-64-v4,avx512bf16,amx-tile,amx-bf16"), optimize("O3")))

namespace accumulus {
namespace {

constexpr std::int64_t lanes = 16; // numbers of 32 bits in a vector, and rows of a tile
constexpr std::int64_t tileSize = lanes * tileBlock;

/// Intel's manual, volume 1, chapter 18: the memory from which LDTILECFG sets the shape of the tiles.
struct TileShapes {
    std::uint8_t palette = 1, firstRow = 0;
    std::uint8_t reserved[14] = {};
    std::uint16_t rowBytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
    std::uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};
static_assert(sizeof(TileShapes) == 64);

/// Tiles 0 to 7 are of 16 rows of 64 bytes while it lives. oneDNN's kernels set theirs when they begin.
struct TileScope {
    ACCUMULUS_TILES ACCUMULUS_PART_OF_CALLER TileScope() {
        static constexpr TileShapes shapes;
        asm volatile("ldtilecfg %0" ::"m"(shapes)); // GCC 12's _tile_loadconfig tells of 8 of the 64 bytes only
    }
    ACCUMULUS_TILES ACCUMULUS_PART_OF_CALLER ~TileScope() { _tile_release(); }
    TileScope(const TileScope&) = delete;
    TileScope& operator=(const TileScope&) = delete;
};

/// Two rows of 32 numbers -> their pairs: the first 16 and the last 16.
ACCUMULUS_TILES ACCUMULUS_PART_OF_CALLER void pairUp(__m512i first, __m512i second, __m512i& low, __m512i& high) {
    const __m512i even = _mm512_unpacklo_epi16(first, second), odd = _mm512_unpackhi_epi16(first, second);
    low = _mm512_permutex2var_epi64(even, _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11), odd);
    high = _mm512_permutex2var_epi64(even, _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15), odd);
}

/// Calls `each(pixel, plane, position)` for the places of the planes [begin, end): `pixel` is the first sample's, or
/// null.
template <class Each>
ACCUMULUS_TILES ACCUMULUS_PART_OF_CALLER void eachPlace(const TileRoom& room, const BfloatBits* images,
                                                        std::int64_t begin, std::int64_t end, const Each& each) {
    const std::int64_t planes = room.channels / tileBlock;
    for (std::int64_t plane = begin; plane < end; ++plane) {
        const std::int64_t phase = plane / planes;
        const std::int64_t down = phase / room.stride - room.margin, right = phase % room.stride - room.margin;
        for (std::int64_t row = 0; row < room.rows; ++row) {
            const std::int64_t y = row * room.stride + down;
            for (std::int64_t column = 0; column < room.columns; ++column) {
                const std::int64_t x = column * room.stride + right;
                const bool inside = y >= 0 && y < room.height && x >= 0 && x < room.width;
                each(inside ? images + (y * room.width + x) * room.channels + plane % planes * tileBlock : nullptr,
                     plane, (row * room.columns + column) * room.samples);
            }
        }
    }
}

ACCUMULUS_TILES ACCUMULUS_PART_OF_CALLER __m512i readIf(bool there, const BfloatBits* from) {
    return there ? _mm512_loadu_si512(from) : _mm512_setzero_si512();
}

// Tiles 0 to 3 are sums of 32 x 32.
ACCUMULUS_TILES ACCUMULUS_PART_OF_CALLER void clearSums() {
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
}
ACCUMULUS_TILES ACCUMULUS_PART_OF_CALLER void loadSums(const float* from, std::int64_t step) {
    const auto bytes = static_cast<std::size_t>(step) * sizeof(float);
    _tile_loadd(0, from, bytes);
    _tile_loadd(1, from + lanes, bytes);
    _tile_loadd(2, from + lanes * step, bytes);
    _tile_loadd(3, from + lanes * step + lanes, bytes);
}
ACCUMULUS_TILES ACCUMULUS_PART_OF_CALLER void storeSums(float* to, std::int64_t step) {
    const auto bytes = static_cast<std::size_t>(step) * sizeof(float);
    _tile_stored(0, to, bytes);
    _tile_stored(1, to + lanes, bytes);
    _tile_stored(2, to + lanes * step, bytes);
    _tile_stored(3, to + lanes * step + lanes, bytes);
}
/// Adds the products of 32 terms: rows of the upper and lower factor with columns of the left and right one.
ACCUMULUS_TILES ACCUMULUS_PART_OF_CALLER void addProducts(const BfloatBits* upper, const BfloatBits* lower,
                                                          const BfloatBits* left, const BfloatBits* right) {
    _tile_loadd(4, upper, 64);
    _tile_loadd(6, left, 64);
    _tile_dpbf16ps(0, 4, 6);
    _tile_loadd(7, right, 64);
    _tile_dpbf16ps(1, 4, 7);
    _tile_loadd(5, lower, 64);
    _tile_dpbf16ps(2, 5, 6);
    _tile_dpbf16ps(3, 5, 7);
}

} // namespace

bool matrixTilesWork() {
    static const bool work = [] {
        // Intel's manual: CPUID leaf 7, sub-leaves 0 (EDX) and 1 (EAX). Linux hands out the tiles' memory to who asks.
        constexpr unsigned amxBf16 = 1U << 22, amxTile = 1U << 24, avx512Bf16 = 1U << 5;
        constexpr long requestPermission = 0x1023, tileData = 18; // ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA
        unsigned a = 0, b = 0, c = 0, d = 0;
        if (!__builtin_cpu_supports("avx512vl") || !__builtin_cpu_supports("avx512bw") ||
            !__builtin_cpu_supports("avx512dq") || __get_cpuid_count(7, 0, &a, &b, &c, &d) == 0 || a < 1 ||
            (d & amxBf16) == 0 || (d & amxTile) == 0 || __get_cpuid_count(7, 1, &a, &b, &c, &d) == 0)
            return false;
        return (a & avx512Bf16) != 0 && syscall(SYS_arch_prctl, requestPermission, tileData) == 0;
    }();
    return work;
}

ACCUMULUS_TILES void gatherRows(const TileRoom& room, const BfloatBits* images, std::int64_t begin, std::int64_t end,
                                BfloatBits* to) {
    const std::int64_t imageSize = room.height * room.width * room.channels, planeSize = room.positions() * tileBlock;
    const auto gather = [&](const BfloatBits* pixel, std::int64_t plane, std::int64_t position) ACCUMULUS_TILES {
        BfloatBits* place = to + plane * planeSize + position * tileBlock;
        for (std::int64_t n = 0; n < room.samples; ++n, place += tileBlock)
            _mm512_storeu_si512(place, readIf(pixel && n < room.filled, pixel + n * imageSize));
    };
    eachPlace(room, images, begin, end, gather);
}

ACCUMULUS_TILES void gatherPairs(const TileRoom& room, const BfloatBits* images, std::int64_t begin, std::int64_t end,
                                 BfloatBits* to) {
    const std::int64_t imageSize = room.height * room.width * room.channels, planeSize = room.positions() * lanes;
    const auto gather = [&](const BfloatBits* pixel, std::int64_t plane, std::int64_t position) ACCUMULUS_TILES {
        BfloatBits* place = to + 2 * plane * planeSize + position * lanes;
        for (std::int64_t n = 0; n < room.samples; n += 2, place += tileBlock) {
            __m512i low, high;
            pairUp(readIf(pixel && n < room.filled, pixel + n * imageSize),
                   readIf(pixel && n + 1 < room.filled, pixel + (n + 1) * imageSize), low, high);
            _mm512_storeu_si512(place, low);
            _mm512_storeu_si512(place + planeSize, high);
        }
    };
    eachPlace(room, images, begin, end, gather);
}

ACCUMULUS_TILES void turnImages(const TileRoom& room, const BfloatBits* images, std::int64_t begin, std::int64_t end,
                                BfloatBits* to) {
    const std::int64_t imageSize = room.height * room.width * room.channels, count = room.width * room.samples;
    const std::int64_t blocks = turnedBlocks(room), planeSize = room.height * blocks * tileSize;
    for (std::int64_t plane = begin; plane < end; ++plane)
        for (std::int64_t y = 0; y < room.height; ++y)
            for (std::int64_t block = 0; block < blocks; ++block) {
                VectorOf<lanes> low[lanes], high[lanes]; // what moves are bits
                for (std::int64_t pair = 0; pair < lanes; ++pair) {
                    const std::int64_t first = block * tileBlock + 2 * pair, n = first % room.samples;
                    const BfloatBits* from = images + n * imageSize +
                                             (y * room.width + first / room.samples) * room.channels +
                                             plane * tileBlock;
                    __m512i left, right;
                    pairUp(readIf(first < count && n < room.filled, from),
                           readIf(first < count && n + 1 < room.filled, from + imageSize), left, right);
                    std::memcpy(&low[pair], &left, sizeof left);
                    std::memcpy(&high[pair], &right, sizeof right);
                }
                transpose(low);
                transpose(high);
                BfloatBits* place = to + 2 * plane * planeSize + (y * blocks + block) * tileSize;
                std::memcpy(place, low, sizeof low);
                std::memcpy(place + planeSize, high, sizeof high);
            }
}

ACCUMULUS_TILES void packWeight(const BfloatBits* weight, std::int64_t taps, std::int64_t channels, std::int64_t begin,
                                std::int64_t end, BfloatBits* packed) {
    packed += begin * tileBlock * taps * channels;
    for (std::int64_t output = begin * tileBlock; output < end * tileBlock; output += tileBlock)
        for (std::int64_t tap = 0; tap < taps; ++tap)
            for (std::int64_t channel = 0; channel < channels; channel += tileBlock)
                for (std::int64_t half = 0; half < tileBlock; half += lanes, packed += tileSize) {
                    VectorOf<lanes> rows[lanes];
                    for (std::int64_t row = 0; row < lanes; ++row)
                        std::memcpy(&rows[row], weight + ((output + half + row) * taps + tap) * channels + channel,
                                    sizeof rows[row]);
                    transpose(rows);
                    std::memcpy(packed, rows, sizeof rows);
                }
}

ACCUMULUS_TILES void packTurnedWeight(const TurnedWeight& turned, std::int64_t begin, std::int64_t end,
                                      BfloatBits* packed) {
    const std::int64_t step = turned.taps * turned.channels; // between outputs
    packed += begin * turned.count * turned.outputs * tileBlock;
    for (std::int64_t block = begin; block < end; ++block)
        for (std::int64_t tap = 0; tap < turned.count; ++tap)
            for (std::int64_t output = 0; output < turned.outputs; output += tileBlock, packed += 2 * tileSize)
                for (std::int64_t pair = 0; pair < lanes; ++pair) {
                    const BfloatBits* from = turned.weight + (output + 2 * pair) * step +
                                             turned.chosen[tap] * turned.channels + block * tileBlock;
                    __m512i low, high;
                    pairUp(_mm512_loadu_si512(from), _mm512_loadu_si512(from + step), low, high);
                    _mm512_storeu_si512(packed + pair * tileBlock, low);
                    _mm512_storeu_si512(packed + tileSize + pair * tileBlock, high);
                }
}

namespace {

/// `count` rows of 32 sums, which begin with the `first` result of a row.
ACCUMULUS_TILES ACCUMULUS_PART_OF_CALLER void handOn(const TapSum& sum, const float* sums, std::int64_t count,
                                                     std::int64_t row, std::int64_t first, std::int64_t output) {
    for (std::int64_t i = 0; i < count; ++i, sums += tileBlock) {
        __m512 low = _mm512_load_ps(sums), high = _mm512_load_ps(sums + lanes);
        if (sum.shift) {
            low = _mm512_add_ps(low, _mm512_loadu_ps(sum.shift + output));
            high = _mm512_add_ps(high, _mm512_loadu_ps(sum.shift + output + lanes));
        }
        const __m512bh rounded = _mm512_cvtne2ps_pbh(high, low);
        std::memcpy(sum.results + row * sum.resultStep + sum.places[first + i] + output, &rounded, sizeof rounded);
    }
}

} // namespace

ACCUMULUS_TILES void sumTaps(const TapSum& sum, std::int64_t begin, std::int64_t end) {
    const TileScope tiles;
    alignas(64) float sums[tileBlock * tileBlock];
    const std::int64_t count = std::min(tileBlock, sum.width), last = sum.width - count;
    for (std::int64_t block = begin; block < end; ++block)
        for (std::int64_t row = 0; row < sum.rows; ++row)
            for (std::int64_t at = 0; at < sum.width; at += tileBlock) {
                const std::int64_t first = std::min(at, last); // those at a row's end may be computed twice
                const BfloatBits* columns = sum.weight + block * sum.taps * sum.planes * 2 * tileSize;
                clearSums();
                for (std::int64_t tap = 0; tap < sum.taps; ++tap) {
                    const BfloatBits* upper = sum.room + sum.offsets[tap] + row * sum.rowStep + first * tileBlock;
                    for (std::int64_t plane = 0; plane < sum.planes; ++plane) {
                        addProducts(upper, upper + tileSize, columns, columns + tileSize);
                        upper += sum.planeSize;
                        columns += 2 * tileSize;
                    }
                }
                storeSums(sums, tileBlock);
                handOn(sum, sums, count, row, first, block * tileBlock);
            }
}

ACCUMULUS_TILES void sumPositions(const PositionSum& sum, std::int64_t begin, std::int64_t end) {
    const TileScope tiles;
    const std::int64_t step = sum.taps * sum.channels, gradientPlane = sum.rows * sum.blocks * tileSize;
    for (std::int64_t block = begin; block < end; ++block)
        for (std::int64_t tap = 0; tap < sum.taps; ++tap)
            for (std::int64_t channel = 0; channel < sum.channels; channel += tileBlock) {
                float* sums = sum.sums + block * tileBlock * step + tap * sum.channels + channel;
                if (sum.add)
                    loadSums(sums, step);
                else
                    clearSums();
                const BfloatBits* upper = sum.gradient + 2 * block * gradientPlane;
                for (std::int64_t row = 0; row < sum.rows; ++row) {
                    const BfloatBits* left =
                        sum.pairs + sum.offsets[tap] + channel / lanes * sum.planeSize + row * sum.rowStep;
                    for (std::int64_t i = 0; i < sum.blocks; ++i, upper += tileSize, left += tileSize)
                        addProducts(upper, upper + gradientPlane, left, left + sum.planeSize);
                }
                storeSums(sums, step);
            }
}

ACCUMULUS_TILES void roundToBfloat(const float* from, std::int64_t count, BfloatBits* to) {
    for (std::int64_t i = 0; i < count; i += tileBlock) {
        const __m512bh rounded = _mm512_cvtne2ps_pbh(_mm512_loadu_ps(from + i + lanes), _mm512_loadu_ps(from + i));
        std::memcpy(to + i, &rounded, sizeof rounded);
    }
}

} // namespace accumulus

#else // never called there

namespace accumulus {
bool matrixTilesWork() { return false; }
void gatherRows(const TileRoom&, const BfloatBits*, std::int64_t, std::int64_t, BfloatBits*) {}
void gatherPairs(const TileRoom&, const BfloatBits*, std::int64_t, std::int64_t, BfloatBits*) {}
void turnImages(const TileRoom&, const BfloatBits*, std::int64_t, std::int64_t, BfloatBits*) {}
void packWeight(const BfloatBits*, std::int64_t, std::int64_t, std::int64_t, std::int64_t, BfloatBits*) {}
void packTurnedWeight(const TurnedWeight&, std::int64_t, std::int64_t, BfloatBits*) {}
void sumTaps(const TapSum&, std::int64_t, std::int64_t) {}
void sumPositions(const PositionSum&, std::int64_t, std::int64_t) {}
void roundToBfloat(const float*, std::int64_t, BfloatBits*) {}
} // namespace accumulus

#endif
