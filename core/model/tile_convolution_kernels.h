// SPDX-License-Identifier: GPL-3.0-or-later
// Convolutions in bfloat16 by matrix tiles (AMX): one instruction adds to a tile of 16 x 16 sums in fp32 the products
// of 32 terms each. A tile is read fastest as 1 KiB without gaps, from multiples of 64 bytes. So the images of a few
// samples are first copied into a room where the samples lie beside each other at each position, and planes of channels
// behind each other: there a position of the kernel is an offset, every row of outputs is whole tiles, and nothing is
// gathered again for each position of the kernel. Images lie channels last. Without LibTorch; any thread.
#pragma once

#include <cstdint>

namespace accumulus {

/// The bits of a bfloat16.
using BfloatBits = std::uint16_t;

/// Channels and outputs are taken in blocks of so many; what is not a multiple of it is not taken.
constexpr std::int64_t tileBlock = 32;
/// Numbers of 16 bits that a room, and what is packed, have behind their last: tiles may reach over the end.
constexpr std::int64_t tileOverhang = 2 * tileBlock * tileBlock;

/// Whether the processor has the tiles and the system lets this process use them; asks once.
[[nodiscard]] bool matrixTilesWork();

/// Which pixel of an image lies at which position of a room. Images are taken apart by where a pixel lies within a
/// stride: phase a * stride + b has pixel (row * stride + a - margin, column * stride + b - margin) at (row, column),
/// and 0 where that lies outside. A position is ((row * columns) + column) * samples + sample.
struct TileRoom {
    std::int64_t height, width, channels; ///< of the images
    std::int64_t stride, margin;
    std::int64_t phases; ///< the first so many of stride x stride
    std::int64_t rows, columns;
    std::int64_t filled;  ///< samples that there are
    std::int64_t samples; ///< those, and zeros behind them

    [[nodiscard]] std::int64_t positions() const { return rows * columns * samples; }
    [[nodiscard]] std::int64_t planes() const { return phases * channels / tileBlock; }
    [[nodiscard]] std::int64_t size() const { return phases * channels * positions(); }
};

// What is copied, packed and summed is shared by threads in parts [begin, end).

/// The room's planes() [begin, end): [phases][channels / 32][positions][32 channels] of images
/// [filled, height, width, channels].
void gatherRows(const TileRoom& room, const BfloatBits* images, std::int64_t begin, std::int64_t end, BfloatBits* to);
/// The same with samples in pairs, [phases][channels / 16][positions / 2][16 channels][2]. `samples` is even.
void gatherPairs(const TileRoom& room, const BfloatBits* images, std::int64_t begin, std::int64_t end, BfloatBits* to);
/// Numbers of a row of turned images: width x samples, samples beside each other, in blocks of 32 that end with zeros.
[[nodiscard]] constexpr std::int64_t turnedBlocks(const TileRoom& room) {
    return (room.width * room.samples + tileBlock - 1) / tileBlock;
}
/// Images turned: the blocks [begin, end) of 32 channels of [channels / 16][height][turnedBlocks()][16 channels][32].
void turnImages(const TileRoom& room, const BfloatBits* images, std::int64_t begin, std::int64_t end, BfloatBits* to);

/// For sumTaps() of images: the blocks [begin, end) of 32 outputs of weight [outputs][taps][channels], as
/// [outputs / 32][taps][channels / 32][2][16 pairs of channels][16 outputs][2].
void packWeight(const BfloatBits* weight, std::int64_t taps, std::int64_t channels, std::int64_t begin,
                std::int64_t end, BfloatBits* packed);
/// For sumTaps() of gradients, the kernel positions `chosen` of `taps`: the blocks [begin, end) of 32 channels of
/// [channels / 32][count][outputs / 32][2][16 pairs of outputs][16 channels][2].
struct TurnedWeight {
    const BfloatBits* weight; ///< [outputs][taps][channels]
    std::int64_t outputs, taps, channels;
    const std::int64_t* chosen;
    std::int64_t count;
};
void packTurnedWeight(const TurnedWeight& turned, std::int64_t begin, std::int64_t end, BfloatBits* packed);

/// Rows of results, each the sum over kernel positions and planes of 32 channels of a room from gatherRows().
struct TapSum {
    const BfloatBits* room;
    std::int64_t planes, planeSize;
    const std::int64_t* offsets; ///< [taps], of the first row
    std::int64_t taps;
    std::int64_t rows, rowStep; ///< of results; between theirs in the room
    std::int64_t width;         ///< results of a row: columns x samples
    const BfloatBits* weight;   ///< packed
    const float* shift;         ///< [outputs] is added to the results, or none
    BfloatBits* results;
    std::int64_t resultStep;    ///< between rows of results
    const std::int64_t* places; ///< [width] of the results of a row
};
/// The results' blocks [begin, end) of 32 outputs.
void sumTaps(const TapSum& sum, std::int64_t begin, std::int64_t end);

/// sums [outputs][taps][channels] in fp32 = or += the products of turned gradients (turnImages()) with pairs of images
/// (gatherPairs()), summed over all positions.
struct PositionSum {
    const BfloatBits* gradient;
    const BfloatBits* pairs;
    std::int64_t planeSize; ///< of 16 channels of pairs
    std::int64_t channels;
    const std::int64_t* offsets; ///< [taps], of the first row of pairs
    std::int64_t taps;
    std::int64_t rows, rowStep; ///< of outputs; between theirs in pairs
    std::int64_t blocks;        ///< of 32 outputs in a row
    float* sums;
    bool add;
};
/// The sums' blocks [begin, end) of 32 outputs.
void sumPositions(const PositionSum& sum, std::int64_t begin, std::int64_t end);

/// To bfloat16; `count` is a multiple of 32.
void roundToBfloat(const float* from, std::int64_t count, BfloatBits* to);

} // namespace accumulus
