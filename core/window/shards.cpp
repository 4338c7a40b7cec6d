// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/window/shards.h"

#include "core/window/flat_kernels.h"

#include <algorithm>

namespace accumulus {
namespace {

/// The place nearest to `wanted` where a shard may begin.
std::int64_t cutNear(const ParameterLayout& layout, std::int64_t wanted) {
    std::size_t parameter = 0; // the last one that begins before it; frozen ones lie behind all that is shared out
    for (std::size_t i = 0; i < layout.size(); ++i)
        if (layout.specs()[i].trainable && layout.offset(i) <= wanted)
            parameter = i;
    const std::int64_t start = layout.offset(parameter);
    const std::int64_t end = start + layout.extent(parameter);
    const std::int64_t below = start + (wanted - start) / kernelBlock * kernelBlock;
    const std::int64_t above = std::min(below + kernelBlock, end);
    return wanted - below <= above - wanted ? below : above;
}

} // namespace

std::vector<FlatRange> shardsOf(const ParameterLayout& layout, int ranks) {
    std::vector<FlatRange> shards;
    std::int64_t begin = 0;
    for (int rank = 0; rank < ranks; ++rank) {
        const bool last = rank + 1 == ranks;
        const std::int64_t end =
            last ? layout.gradientSize() : std::max(begin, cutNear(layout, layout.gradientSize() * (rank + 1) / ranks));
        shards.push_back({begin, end});
        begin = end;
    }
    return shards;
}

std::vector<std::size_t> endsInBytes(const std::vector<FlatRange>& shards, std::size_t elementSize) {
    std::vector<std::size_t> ends;
    for (const FlatRange& shard : shards)
        ends.push_back(static_cast<std::size_t>(shard.end) * elementSize);
    return ends;
}

std::vector<ShardPiece> piecesOf(const ParameterLayout& layout, FlatRange range) {
    std::vector<ShardPiece> pieces;
    for (std::size_t i = 0; i < layout.size(); ++i) {
        const std::int64_t start = layout.offset(i);
        const std::int64_t begin = std::max(range.begin, start);
        const std::int64_t end = std::min(range.end, start + layout.specs()[i].count());
        if (begin < end)
            pieces.push_back({i, begin, begin - start, end - begin});
    }
    return pieces;
}

} // namespace accumulus
