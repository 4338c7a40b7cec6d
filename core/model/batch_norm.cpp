// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/batch_norm.h"

#include "core/model/fused_batch_norm.h"

#include <ATen/ATen.h>
#include <stdexcept>

namespace accumulus {
namespace {

at::Tensor normaliseGroup(const at::Tensor& input, const at::Tensor& weight, const at::Tensor& bias,
                          const AfterNorm& after, NormStatistics& seen) {
    const std::int64_t channels = input.size(1);
    seen.count = input.numel() / channels;
    if (seen.count < 2)
        throw std::runtime_error(
            "BatchNorm cannot normalise a single value per channel: take more samples per micro-batch");
    if (fusedBatchNormTakes(input, after))
        return fusedBatchNorm(input, weight, bias, after, seen);
    // With momentum 1 the running tensors become the batch's mean and unbiased variance: (1 - 1) x 0 + 1 x statistic,
    // exactly.
    seen.mean = at::zeros({channels}, weight.options().requires_grad(false));
    seen.variance = at::zeros_like(seen.mean);
    return followed(at::batch_norm(input, weight, bias, seen.mean, seen.variance, /*training=*/true, /*momentum=*/1.0,
                                   normEpsilon, /*cudnn_enabled=*/true),
                    after);
}

} // namespace

std::int64_t leastSamples(const Model& model, BatchNormMode mode) {
    return model.hasBatchNorm() && mode != BatchNormMode::Frozen && model.leastNormalisedArea() == 1 ? 2 : 1;
}

at::Tensor followed(at::Tensor output, const AfterNorm& after) {
    if (after.added.defined())
        output += after.added;
    return after.rectify ? output.relu_() : output;
}

at::Tensor batchNorm(const at::Tensor& input, const at::Tensor& weight, const at::Tensor& bias, std::size_t layer,
                     ForwardContext& context, const AfterNorm& after) {
    if (!context.training || context.batchNorm == BatchNormMode::Frozen)
        return followed(at::batch_norm(input, weight, bias, context.buffers[2 * layer], context.buffers[2 * layer + 1],
                                       /*training=*/false, /*momentum=*/0.0, normEpsilon, /*cudnn_enabled=*/true),
                        after);
    if (context.statistics.size() <= layer)
        context.statistics.resize(layer + 1);
    std::vector<NormStatistics>& statistics = context.statistics[layer];
    if (context.ghost == 0 || context.ghost >= input.size(0))
        return normaliseGroup(input, weight, bias, after, statistics.emplace_back());
    std::vector<at::Tensor> groups;
    for (const at::Tensor& rows : input.split(context.ghost))
        groups.push_back(normaliseGroup(rows, weight, bias, {}, statistics.emplace_back()));
    return followed(at::cat(groups), after);
}

} // namespace accumulus
