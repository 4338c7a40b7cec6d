// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/window/touched_scale.h"

#include "core/window/flat_kernels.h"

#include <ATen/ATen.h>
#include <ATen/Dispatch.h>
#include <algorithm>

namespace accumulus {
namespace {

/// What one worker scales at a time: elements of one parameter, from the start of a block on.
struct Stretch {
    std::int64_t begin, count;
    std::int64_t firstBlock; ///< of all blocks that are scaled
};

std::int64_t blocksOf(std::int64_t elements) { return (elements + kernelBlock - 1) / kernelBlock; }

std::vector<Stretch> stretchesOf(const std::vector<ShardPiece>& pieces, std::int64_t size) {
    std::vector<Stretch> stretches;
    std::int64_t block = 0;
    for (const ShardPiece& piece : pieces)
        for (std::int64_t at = 0; at < piece.count; at += size) {
            const std::int64_t count = std::min(size, piece.count - at);
            stretches.push_back({piece.begin + at, count, block});
            block += blocksOf(count);
        }
    return stretches;
}

} // namespace

void scaleTouched(at::Tensor& elements, const ParameterLayout& layout, FlatRange range,
                  const std::vector<bool>& touched, double factor, RunningSquares& running, Workers* workers) {
    std::vector<ShardPiece> pieces = piecesOf(layout, range);
    std::erase_if(pieces, [&](const ShardPiece& piece) { return !touched[piece.parameter]; });
    if (pieces.empty())
        return;
    std::int64_t count = 0;
    for (const ShardPiece& piece : pieces)
        count += piece.count;
    workers = worthwhile(workers, count);
    const std::vector<Stretch> stretches = stretchesOf(pieces, stretchSize(count, workers));
    const std::int64_t blocks = stretches.back().firstBlock + blocksOf(stretches.back().count);
    AT_DISPATCH_FLOATING_TYPES(elements.scalar_type(), "scale", [&] {
        scalar_t* flat = elements.mutable_data_ptr<scalar_t>() - range.begin;
        std::vector<BlockSquares<scalar_t>> squares(static_cast<std::size_t>(blocks));
        forEachPart(workers, std::ssize(stretches), [&](std::int64_t part) {
            const Stretch& stretch = stretches[static_cast<std::size_t>(part)];
            scaleKernel(flat + stretch.begin, stretch.count, static_cast<scalar_t>(factor),
                        squares.data() + stretch.firstBlock);
        });
        const BlockSquares<scalar_t>* next = squares.data();
        for (const ShardPiece& piece : pieces) {
            const double sum = sumOf(next, blocksOf(piece.count), running.open);
            next += blocksOf(piece.count);
            const bool complete = piece.inside + piece.count == layout.specs()[piece.parameter].count();
            running.squared += complete ? sum : 0.0;
            running.open = complete ? 0.0 : sum;
        }
    });
}

} // namespace accumulus
