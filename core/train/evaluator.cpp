// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/evaluator.h"

#include "core/engine/autocast.h"
#include "core/engine/losses.h"
#include "core/engine/recovery.h"
#include "core/ranks/packed.h"
#include "core/ranks/watched.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <algorithm>
#include <atomic>
#include <numeric>
#include <optional>

namespace accumulus {
namespace {

constexpr std::int64_t largestChunk = 200;

struct ChunkSums {
    double loss = 0.0;
    std::int64_t correct = 0;
    std::int64_t targets = 0;
};

/// The chunks of this rank: every ranks-th.
struct Share {
    std::size_t first = 0;
    std::size_t step = 1;
};

Evaluation meanOf(const std::vector<ChunkSums>& sums, std::int64_t count) {
    Evaluation result;
    result.count = count;
    std::int64_t correct = 0;
    std::int64_t targets = 0;
    for (const ChunkSums& sum : sums) {
        result.loss += sum.loss;
        correct += sum.correct;
        targets += sum.targets;
    }
    result.loss /= static_cast<double>(targets);
    result.accuracy = static_cast<double>(correct) / static_cast<double>(targets);
    return result;
}

std::vector<ChunkSums> sumsOfChunks(const Model& model, const at::Tensor& parameters, const at::Tensor& buffers,
                                    const Dataset& data, DataPart part, Precision precision, LanePool& lanes,
                                    ResidentData* resident, std::int64_t chunk, std::int64_t count, Share share,
                                    Communicator* ranks) {
    std::vector<ChunkSums> sums(static_cast<std::size_t>((count + chunk - 1) / chunk));
    std::atomic<std::size_t> nextChunk{share.first};
    lanes.run([&](int) {
        const at::NoGradGuard noGrad;
        const AutocastScope autocast(precision, parameters.is_cuda());
        BatchSource source(data, part, model.task(), false, parameters.scalar_type(), chunk, resident);
        const auto instance = model.instantiate(model.layout().views(parameters), model.buffers().views(buffers));
        ForwardContext context;
        std::vector<std::int64_t> ids, epochs;
        for (std::size_t i = nextChunk.fetch_add(share.step); i < sums.size(); i = nextChunk.fetch_add(share.step)) {
            if (ranks)
                ranks->alive();
            const auto first = static_cast<std::int64_t>(i) * chunk;
            ids.resize(static_cast<std::size_t>(std::min(chunk, count - first)));
            std::iota(ids.begin(), ids.end(), first);
            epochs.assign(ids.size(), 0);
            const Batch batch = source.fill({0, ids, epochs});
            const at::Tensor logits = instance->forward(batch.input, context);
            const BatchLoss loss = batchLoss(logits.to(parameters.scalar_type()), batch, LossUnit::Token, 0.0);
            sums[i].targets = loss.units;
            sums[i].loss = loss.units > 0 ? loss.sum.item<double>() : 0.0;
            sums[i].correct = logits.argmax(1).eq(batch.targets).sum().item<std::int64_t>();
        }
    });
    return sums;
}

/// Nothing where memory ran out on some rank.
std::optional<Evaluation> evaluateInChunks(const Model& model, const at::Tensor& parameters, const at::Tensor& buffers,
                                           const Dataset& data, DataPart part, Precision precision, LanePool& lanes,
                                           ResidentData* resident, Communicator* ranks, std::int64_t chunk) {
    const std::int64_t count = BatchSource(data, part, model.task(), false, parameters.scalar_type(), 0).count();
    Share share;
    if (ranks)
        share = {static_cast<std::size_t>(ranks->rank()), static_cast<std::size_t>(ranks->size())};
    std::optional<std::vector<ChunkSums>> sums;
    std::optional<Watched> watched;
    if (ranks)
        watched.emplace(*ranks);
    try {
        sums = sumsOfChunks(model, parameters, buffers, data, part, precision, lanes, resident, chunk, count, share,
                            ranks);
    } catch (...) {
        if (chunk == 1 || !isOutOfMemory(std::current_exception()))
            throw;
    }
    watched.reset();
    if (!ranks)
        return sums ? std::optional(meanOf(*sums, count)) : std::nullopt;
    const auto told =
        ranks->gather(Packed().put(sums.has_value()).put(sums.value_or(std::vector<ChunkSums>())).bytes());
    std::vector<ChunkSums> all;
    for (std::size_t rank = 0; rank < told.size(); ++rank) {
        Unpacked from(told[rank]);
        if (!from.get<bool>())
            return std::nullopt;
        const auto theirs = from.getList<ChunkSums>();
        all.resize(theirs.size());
        for (std::size_t i = rank; i < theirs.size(); i += share.step)
            all[i] = theirs[i];
    }
    return meanOf(all, count);
}

} // namespace

Evaluation evaluate(const Model& model, const at::Tensor& parameters, const at::Tensor& buffers, const Dataset& data,
                    DataPart part, Precision precision, LanePool& lanes, ResidentData* resident, Communicator* ranks) {
    for (std::int64_t chunk = largestChunk;; chunk /= 2)
        if (const auto result =
                evaluateInChunks(model, parameters, buffers, data, part, precision, lanes, resident, ranks, chunk))
            return *result;
}

} // namespace accumulus
