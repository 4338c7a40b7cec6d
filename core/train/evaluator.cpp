// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/evaluator.h"

#include "core/engine/autocast.h"
#include "core/engine/losses.h"
#include "core/engine/recovery.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <algorithm>
#include <atomic>
#include <numeric>

namespace accumulus {
namespace {

constexpr std::int64_t largestChunk = 200;

struct ChunkSums {
    double loss = 0.0;
    std::int64_t correct = 0;
    std::int64_t targets = 0;
};

Evaluation evaluateInChunks(const Model& model, const at::Tensor& parameters, const at::Tensor& buffers,
                            const Dataset& data, DataPart part, Precision precision, LanePool& lanes,
                            ResidentData* resident, std::int64_t chunk) {
    const std::int64_t count = BatchSource(data, part, model.task(), false, parameters.scalar_type(), 0).count();
    std::vector<ChunkSums> sums(static_cast<std::size_t>((count + chunk - 1) / chunk));
    std::atomic<std::size_t> nextChunk{0};
    lanes.run([&](int) {
        const at::NoGradGuard noGrad;
        const AutocastScope autocast(precision, parameters.is_cuda());
        BatchSource source(data, part, model.task(), false, parameters.scalar_type(), chunk, resident);
        const auto instance = model.instantiate(model.layout().views(parameters), model.buffers().views(buffers));
        ForwardContext context;
        std::vector<std::int64_t> ids, epochs;
        for (std::size_t i = nextChunk++; i < sums.size(); i = nextChunk++) {
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

} // namespace

Evaluation evaluate(const Model& model, const at::Tensor& parameters, const at::Tensor& buffers, const Dataset& data,
                    DataPart part, Precision precision, LanePool& lanes, ResidentData* resident) {
    for (std::int64_t chunk = largestChunk;; chunk /= 2)
        try {
            return evaluateInChunks(model, parameters, buffers, data, part, precision, lanes, resident, chunk);
        } catch (...) {
            if (chunk == 1 || !isOutOfMemory(std::current_exception()))
                throw;
        }
}

} // namespace accumulus
