// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/evaluator.h"

#include "core/engine/autocast.h"
#include "core/engine/recovery.h"
#include "core/ranks/packed.h"
#include "core/ranks/watched.h"
#include "core/train/metric_sums.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <algorithm>
#include <atomic>
#include <numeric>
#include <utility>

namespace accumulus {
namespace {

struct ChunkLimits {
    std::int64_t samples;
    std::int64_t bytes; ///< of a tensor
};

constexpr ChunkLimits limitsOfCpu{32, std::int64_t{2} << 20}, limitsOfGpu{200, std::int64_t{64} << 20};

/// The chunks of this rank: every ranks-th.
struct Share {
    std::size_t first = 0;
    std::size_t step = 1;
};

Evaluation meanOf(const std::vector<MetricSums>& sums, std::int64_t count, const LossSettings& loss) {
    Evaluation result;
    result.count = count;
    MetricSums all;
    for (const MetricSums& sum : sums)
        all.add(sum);
    all.tell(loss, result);
    return result;
}

std::vector<MetricSums> sumsOfChunks(const EvaluationSubject& subject, const LossSettings& loss, std::int64_t chunk,
                                     std::int64_t count, Share share) {
    std::vector<MetricSums> sums(static_cast<std::size_t>((count + chunk - 1) / chunk));
    std::atomic<std::size_t> nextChunk{share.first};
    const Model& model = subject.model;
    const at::ScalarType type = subject.parameters.scalar_type();
    // From a chunk to the one that is taken when all lanes have taken another.
    const std::int64_t ahead = chunk * static_cast<std::int64_t>(share.step) * subject.lanes.count();
    subject.lanes.run([&](int) {
        const at::NoGradGuard noGrad;
        const AutocastScope autocast(subject.precision, subject.parameters.is_cuda());
        BatchSource source(subject.data, subject.part, model.task(), false, type, chunk, subject.resident);
        const auto instance = model.instantiate(model.layout().leaves(subject.parameters, subject.cast),
                                                model.buffers().views(subject.buffers));
        ForwardContext context;
        std::vector<std::int64_t> ids, epochs;
        bool asked = false; // for the first chunk: the others were asked for by who took one before them
        for (std::size_t i = nextChunk.fetch_add(share.step); i < sums.size(); i = nextChunk.fetch_add(share.step)) {
            if (subject.ranks)
                subject.ranks->alive();
            const auto first = static_cast<std::int64_t>(i) * chunk;
            if (subject.watch && *subject.watch && !(*subject.watch)(first, count))
                throw ErrorThrown(Error{"library.cancelled", {}});
            ids.resize(static_cast<std::size_t>(std::min(chunk, count - first)));
            std::iota(ids.begin(), ids.end(), first);
            epochs.assign(ids.size(), 0);
            if (!std::exchange(asked, true))
                source.expect(first, chunk);
            source.expect(first + ahead, chunk);
            const Batch batch = source.fill({0, ids, epochs});
            if (loss.kind == LossKind::Model)
                context.targets = batch.targets;
            context.units = -1.0;
            const at::Tensor output = instance->forward(batch.input, context);
            sums[i] = metricSums(output.to(type), batch, loss, context.units);
        }
    });
    return sums;
}

/// The same for all ranks, some of which may have a GPU.
std::int64_t firstChunk(const EvaluationSubject& subject) {
    std::int64_t chunk = evaluationChunk(subject.data, subject.part, subject.parameters.is_cuda());
    if (subject.ranks)
        for (const std::string& told : subject.ranks->gather(Packed().put(chunk).bytes()))
            chunk = std::min(chunk, Unpacked(told).get<std::int64_t>());
    return chunk;
}

/// Nothing where memory ran out on some rank.
std::optional<Evaluation> evaluateInChunks(const EvaluationSubject& subject, const LossSettings& loss,
                                           std::int64_t chunk) {
    Communicator* ranks = subject.ranks;
    const std::int64_t count =
        BatchSource(subject.data, subject.part, subject.model.task(), false, subject.parameters.scalar_type(), 0)
            .count();
    Share share;
    if (ranks)
        share = {static_cast<std::size_t>(ranks->rank()), static_cast<std::size_t>(ranks->size())};
    std::optional<std::vector<MetricSums>> sums;
    std::optional<Watched> watched;
    if (ranks)
        watched.emplace(*ranks);
    try {
        sums = sumsOfChunks(subject, loss, chunk, count, share);
    } catch (...) {
        if (chunk == 1 || !isOutOfMemory(std::current_exception()))
            throw;
    }
    watched.reset();
    if (!ranks)
        return sums ? std::optional(meanOf(*sums, count, loss)) : std::nullopt;
    Packed own;
    own.put(sums.has_value());
    for (std::size_t i = share.first; sums && i < sums->size(); i += share.step)
        (*sums)[i].put(own);
    std::vector<MetricSums> all(static_cast<std::size_t>((count + chunk - 1) / chunk));
    const auto told = ranks->gather(own.bytes());
    for (std::size_t rank = 0; rank < told.size(); ++rank) {
        Unpacked from(told[rank]);
        if (!from.get<bool>())
            return std::nullopt;
        for (std::size_t i = rank; i < all.size(); i += share.step)
            all[i] = MetricSums::from(from);
    }
    return meanOf(all, count, loss);
}

} // namespace

std::int64_t evaluationChunk(const Dataset& data, DataPart part, bool gpu) {
    const ChunkLimits& limits = gpu ? limitsOfGpu : limitsOfCpu;
    const auto outputs = [&](std::int64_t targets) { return targets * std::max<std::int64_t>(1, data.classes); };
    std::int64_t inputs = 0;
    std::int64_t targets = 1;
    switch (data.kind()) {
    case SampleKind::Images:
        inputs = imagesOf(data, part).imageSize();
        break;
    case SampleKind::Text:
        inputs = targets = textOf(data, part).block;
        break;
    case SampleKind::Tensors:
        inputs = tensorsOf(data, part).inputs.elements();
        targets = tensorsOf(data, part).targets.elements();
        break;
    }
    const std::int64_t largest = std::max({inputs, outputs(targets), std::int64_t{1}});
    return std::clamp<std::int64_t>(limits.bytes / static_cast<std::int64_t>(sizeof(float)) / largest, 1,
                                    limits.samples);
}

Evaluation evaluate(const EvaluationSubject& subject, const LossConfig& config) {
    LossSettings loss = lossSettings(config);
    loss.unit = LossUnit::Token;
    loss.labelSmoothing = 0.0;
    loss = loss.placed(subject.parameters);
    for (std::int64_t chunk = firstChunk(subject);; chunk /= 2)
        if (const auto result = evaluateInChunks(subject, loss, chunk))
            return *result;
}

} // namespace accumulus
