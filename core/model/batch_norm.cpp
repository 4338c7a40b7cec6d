// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/batch_norm.h"

#include <ATen/ATen.h>
#include <stdexcept>

namespace accumulus {
namespace {

at::Tensor normaliseGroup(const at::Tensor& input, const at::Tensor& weight, const at::Tensor& bias,
                          std::vector<NormStatistics>& statistics) {
    const std::int64_t channels = input.size(1);
    const std::int64_t count = input.numel() / channels;
    if (count < 2)
        throw std::runtime_error(
            "BatchNorm cannot normalise a single value per channel: take more samples per micro-batch");
    // With momentum 1 the running tensors become the batch's mean and unbiased variance: (1 - 1) x 0 + 1 x statistic,
    // exactly.
    NormStatistics seen{at::zeros({channels}, weight.options().requires_grad(false)), at::Tensor(), count};
    seen.variance = at::zeros_like(seen.mean);
    at::Tensor output = at::batch_norm(input, weight, bias, seen.mean, seen.variance, /*training=*/true,
                                       /*momentum=*/1.0, normEpsilon, /*cudnn_enabled=*/true);
    statistics.push_back(std::move(seen));
    return output;
}

} // namespace

at::Tensor batchNorm(const at::Tensor& input, const at::Tensor& weight, const at::Tensor& bias, std::size_t layer,
                     ForwardContext& context) {
    if (!context.training || context.batchNorm == BatchNormMode::Frozen)
        return at::batch_norm(input, weight, bias, context.buffers[2 * layer], context.buffers[2 * layer + 1],
                              /*training=*/false, /*momentum=*/0.0, normEpsilon, /*cudnn_enabled=*/true);
    if (context.statistics.size() <= layer)
        context.statistics.resize(layer + 1);
    std::vector<NormStatistics>& statistics = context.statistics[layer];
    if (context.ghost == 0 || context.ghost >= input.size(0))
        return normaliseGroup(input, weight, bias, statistics);
    std::vector<at::Tensor> groups;
    for (const at::Tensor& rows : input.split(context.ghost))
        groups.push_back(normaliseGroup(rows, weight, bias, statistics));
    return at::cat(groups);
}

} // namespace accumulus
