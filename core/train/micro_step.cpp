// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/micro_step.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/autograd.h>

namespace accumulus {

std::pair<at::Tensor, at::Tensor> fillBatch(const ImageSet& images, double mean, double deviation, std::span<const std::int64_t> ids,
                                            at::Tensor& input, at::Tensor& labels) {
    if (input.scalar_type() == at::kDouble)
        gatherImages(images, ids, mean, deviation, input.mutable_data_ptr<double>());
    else
        gatherImages(images, ids, mean, deviation, input.mutable_data_ptr<float>());
    gatherLabels(images, ids, labels.mutable_data_ptr<std::int64_t>());
    const auto count = static_cast<std::int64_t>(ids.size());
    return {input.narrow(0, 0, count), labels.narrow(0, 0, count)};
}

at::Tensor summedLoss(const at::Tensor& logits, const at::Tensor& labels, double labelSmoothing) {
    return at::cross_entropy_loss(logits, labels, {}, at::Reduction::Sum, /*ignore_index=*/-100, labelSmoothing);
}

MicroStep::MicroStep(const Model& model, const at::Tensor& parameters, const ImageSet& images, double mean, double deviation,
                     double labelSmoothing, std::int64_t largest)
    : m_model(model), m_leaves(model.layout().leaves(parameters)), m_images(images), m_mean(mean), m_deviation(deviation),
      m_labelSmoothing(labelSmoothing),
      m_input(at::empty({largest, images.channels, images.height, images.width}, parameters.scalar_type())),
      m_labels(at::empty({largest}, at::kLong)) {}

MicroGradient MicroStep::gradient(std::span<const std::int64_t> ids) {
    const at::AutoGradMode gradMode(true);
    const auto [input, labels] = fillBatch(m_images, m_mean, m_deviation, ids, m_input, m_labels);
    const at::Tensor loss = summedLoss(m_model.forward(m_leaves, input), labels, m_labelSmoothing);
    MicroGradient result;
    result.gradients = torch::autograd::grad({loss}, m_leaves, {}, /*retain_graph=*/false, /*create_graph=*/false, /*allow_unused=*/true);
    result.units = static_cast<std::int64_t>(ids.size());
    result.lossSum = loss.item<double>();
    return result;
}

} // namespace accumulus
