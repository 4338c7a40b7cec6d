// SPDX-License-Identifier: GPL-3.0-or-later
// What a bundle of several ranks needs.
#include "core/engine/tensor_in_file.h"
#include "core/ranks/communicator.h"
#include "core/train/checkpoint.h"

#include <ATen/ATen.h>
#include <cstring>

namespace accumulus {
namespace {

/// The ranks' parts of a flat tensor, on rank 0 one after the other; nothing elsewhere. In a file: who shares out the
/// optimizer's state may have no room for all of it.
at::Tensor partsOnFirst(const at::Tensor& part, std::span<const std::int64_t> sizes, Communicator& ranks,
                        const std::filesystem::path& folder) {
    const at::Tensor dense = part.contiguous().cpu();
    const auto elementSize = static_cast<std::size_t>(dense.element_size());
    std::vector<Communicator::Bytes> parts(sizes.size());
    parts.front() = {static_cast<const std::byte*>(dense.const_data_ptr()), dense.nbytes()};
    std::vector<std::size_t> expected(sizes.size(), 0);
    std::vector<std::size_t> begins;
    std::size_t total = 0;
    for (std::size_t rank = 0; rank < sizes.size(); ++rank) {
        begins.push_back(total);
        total += static_cast<std::size_t>(sizes[rank]) * elementSize;
        if (ranks.rank() == 0)
            expected[rank] = static_cast<std::size_t>(sizes[rank]) * elementSize;
    }
    const std::int64_t count = ranks.rank() == 0 ? static_cast<std::int64_t>(total / elementSize) : 0;
    at::Tensor all = count > 0 ? tensorInFile(count, dense.scalar_type(), folder) : at::Tensor();
    if (!all.defined())
        all = at::empty({count}, dense.scalar_type());
    ranks.exchange(parts, expected, [&](int from, std::size_t offset, Communicator::Bytes bytes) {
        if (!bytes.empty())
            std::memcpy(static_cast<std::byte*>(all.mutable_data_ptr()) + begins[static_cast<std::size_t>(from)] +
                            offset,
                        bytes.data(), bytes.size());
    });
    return all;
}

/// What this rank had added, in row-major order.
at::Tensor ownPart(const TrainingState& training, const std::filesystem::path& folder) {
    const at::Tensor accumulator = training.window.sums().accumulator().cpu();
    at::Tensor own = tensorBeside(accumulator.numel(), accumulator.scalar_type(), folder);
    training.layout.copyRowMajor(accumulator, training.window.touchedHere(), own);
    return own;
}

} // namespace

GatheredState gatherState(const TrainingState& training, const std::vector<FlatRange>& shards, Communicator& ranks,
                          const std::filesystem::path& folder) {
    const ParameterLayout& layout = training.layout;
    const bool first = ranks.rank() == 0;
    std::vector<std::int64_t> shardSizes;
    for (const FlatRange& shard : shardsOf(layout, ranks.size()))
        shardSizes.push_back(shard.size());
    GatheredState gathered;
    for (const auto& [name, tensor] : training.optimizer.state()) {
        const at::Tensor whole = shards.empty() ? tensor : partsOnFirst(tensor, shardSizes, ranks, folder);
        if (first)
            gathered.optimizer[name] = whole;
    }
    GradientWindow& window = training.window;
    if (!window.isMerged()) {
        window.merge(ranks);
        training.statistics.merge(ranks);
    }
    if (window.empty())
        return gathered;
    if (window.couples()) {
        const at::Tensor whole = partsOnFirst(window.sums().accumulator(), shardSizes, ranks, folder);
        if (first)
            gathered.accumulators.push_back(layout.rowMajorPieces(whole, window.touched()));
        return gathered;
    }
    const std::vector<std::int64_t> sizes(static_cast<std::size_t>(ranks.size()), layout.gradientSize());
    const at::Tensor all = partsOnFirst(ownPart(training, folder), sizes, ranks, folder);
    for (int rank = 0; first && rank < ranks.size(); ++rank)
        gathered.accumulators.push_back({all.narrow(0, rank * layout.gradientSize(), layout.gradientSize())});
    return gathered;
}

} // namespace accumulus
