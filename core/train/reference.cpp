// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/reference.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <torch/csrc/autograd/autograd.h>

namespace accumulus {

ReferenceGradient referenceGradient(const Model& model, const at::Tensor& parameters, const Dataset& data,
                                    std::span<const std::int64_t> ids, double labelSmoothing) {
    const at::AutoGradMode gradMode(true);
    const ImageSet& set = data.train;
    // Own arithmetic on purpose: not the engine's gather.
    at::Tensor input =
        at::empty({static_cast<std::int64_t>(ids.size()), set.channels, set.height, set.width}, at::kDouble);
    at::Tensor labels = at::empty({static_cast<std::int64_t>(ids.size())}, at::kLong);
    const std::int64_t area = set.height * set.width;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        for (std::int64_t j = 0; j < set.imageSize(); ++j) {
            const auto channel = static_cast<std::size_t>(j / area);
            input.mutable_data_ptr<double>()[static_cast<std::int64_t>(i) * set.imageSize() + j] =
                (static_cast<double>(set.pixels[static_cast<std::size_t>(ids[i] * set.imageSize() + j)]) / 255.0 -
                 data.mean[channel]) /
                data.deviation[channel];
        }
        labels.mutable_data_ptr<std::int64_t>()[i] = set.labels[static_cast<std::size_t>(ids[i])];
    }
    std::vector<at::Tensor> leaves = model.layout().leaves(parameters.to(at::kDouble));
    ForwardContext context;
    const at::Tensor logProbability = at::log_softmax(model.forward(leaves, input, context), 1);
    const at::Tensor picked = -logProbability.gather(1, labels.unsqueeze(1)).mean();
    const at::Tensor loss = (1.0 - labelSmoothing) * picked - labelSmoothing * logProbability.mean(1).mean();
    return {loss.item<double>(), torch::autograd::grad({loss}, leaves, {}, false, false, /*allow_unused=*/true)};
}

} // namespace accumulus
