// SPDX-License-Identifier: GPL-3.0-or-later
// How flat arenas are shared out over ranks. Pure; any thread.
#pragma once

#include "core/model/parameter_arena.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace accumulus {

/// Elements [begin, end) of a flat arena; may cut a parameter.
struct FlatRange {
    std::int64_t begin = 0, end = 0;
    [[nodiscard]] std::int64_t size() const { return end - begin; }
    bool operator==(const FlatRange&) const = default;
};

/// Of gradients: one shard a rank, in order and without holes, as equal as whole kernel blocks (4096 elements from a
/// parameter's start, so that a sum of squares over shards can be taken in the order of the whole) allow; some may be
/// empty.
[[nodiscard]] std::vector<FlatRange> shardsOf(const ParameterLayout& layout, int ranks);

/// The ends of shards in bytes, for Communicator::collect().
[[nodiscard]] std::vector<std::size_t> endsInBytes(const std::vector<FlatRange>& shards, std::size_t elementSize);

/// A part of a parameter: elements [begin, begin + count) of the arena, the first of them `inside` the parameter.
struct ShardPiece {
    std::size_t parameter = 0;
    std::int64_t begin = 0;
    std::int64_t inside = 0;
    std::int64_t count = 0;
};
/// The trained parameters' elements in `range`, gaps left out.
[[nodiscard]] std::vector<ShardPiece> piecesOf(const ParameterLayout& layout, FlatRange range);

} // namespace accumulus
