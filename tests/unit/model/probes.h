// SPDX-License-Identifier: GPL-3.0-or-later
// What the tests of models look at: logits, gradients, derivatives by differences. All in fp64 unless said otherwise.
#pragma once

#include "core/model/model.h"
#include "tests/support/numeric.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace accumulus::test {

inline std::vector<double> valuesOf(const at::Tensor& tensor) {
    const at::Tensor dense = tensor.detach().to(at::kDouble).contiguous();
    return {dense.const_data_ptr<double>(), dense.const_data_ptr<double>() + dense.numel()};
}

/// Of `got` from `wanted`.
inline double distance(const at::Tensor& got, const at::Tensor& wanted) {
    return relativeL2(valuesOf(got), valuesOf(wanted));
}

/// Sample ids 0, 1, ... of epoch 0, for as long as this object lives.
struct Samples {
    explicit Samples(std::int64_t count, std::int64_t first = 0) : epochs(static_cast<std::size_t>(count), 0) {
        for (std::int64_t i = 0; i < count; ++i)
            ids.push_back(first + i);
    }
    [[nodiscard]] SampleKeys keys() const { return {7, ids, epochs}; }
    std::vector<std::int64_t> ids, epochs;
};

/// A model with weights: what a lane holds.
struct Lane {
    Lane(std::shared_ptr<const Model> made, std::int64_t seed = 5, at::ScalarType type = at::kDouble)
        : model(std::move(made)), flat(initialWeights(model->layout(), {}, seed).to(type)),
          running(initialBuffers(model->buffers()).to(type)), leaves(model->layout().leaves(flat)) {
        for (std::size_t i = 0; i < model->buffers().size(); ++i)
            buffers.push_back(model->buffers().view(running, i));
    }

    [[nodiscard]] ForwardContext context(bool training) const {
        ForwardContext result;
        result.training = training;
        result.buffers = buffers;
        return result;
    }
    [[nodiscard]] at::Tensor evaluate(const at::Tensor& input) const {
        const at::NoGradGuard noGrad;
        ForwardContext evaluation = context(false);
        return model->forward(leaves, input, evaluation);
    }
    /// Sum over the samples' losses.
    [[nodiscard]] at::Tensor loss(const at::Tensor& input, const at::Tensor& targets, ForwardContext& used) const {
        const at::Tensor logits = model->forward(leaves, input, used);
        return at::cross_entropy_loss(logits, targets, {}, at::Reduction::Sum);
    }
    [[nodiscard]] std::vector<at::Tensor> gradients(const at::Tensor& input, const at::Tensor& targets,
                                                    ForwardContext& used) const {
        const at::AutoGradMode gradMode(true);
        return torch::autograd::grad({loss(input, targets, used)}, leaves, {}, false, false, /*allow_unused=*/true);
    }
    [[nodiscard]] std::size_t indexOf(const std::string& name) const {
        const auto& specs = model->layout().specs();
        return static_cast<std::size_t>(std::ranges::find(specs, name, &ParameterSpec::name) - specs.begin());
    }

    std::shared_ptr<const Model> model;
    at::Tensor flat, running;
    std::vector<at::Tensor> leaves, buffers;
};

inline void add(std::vector<at::Tensor>& sum, const std::vector<at::Tensor>& part) {
    if (sum.empty())
        sum.resize(part.size());
    for (std::size_t i = 0; i < part.size(); ++i)
        if (part[i].defined())
            sum[i] = sum[i].defined() ? sum[i] + part[i] : part[i];
}

/// The worst tensor's relative L2 distance; gradients that vanish are measured against the whole gradient's share
/// (tests/README.md, Tolerances): a key's bias in attention has no effect, so all of its gradient is rounding.
inline double worstDistance(const std::vector<at::Tensor>& got, const std::vector<at::Tensor>& wanted) {
    double whole = 0.0;
    for (const at::Tensor& tensor : wanted)
        whole += tensor.square().sum().item<double>();
    double worst = 0.0;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const double size = std::max(wanted[i].norm().item<double>(), 1e-6 * std::sqrt(whole));
        worst = std::max(worst, (got[i] - wanted[i]).norm().item<double>() / size);
    }
    return worst;
}

/// (L(w + h) - L(w - h)) / 2h for one element of one parameter. `lossAt` computes the loss with the lane's present
/// weights.
template <typename Loss>
double centralDifference(Lane& lane, std::size_t parameter, std::int64_t element, double h, Loss lossAt) {
    const at::NoGradGuard noGrad;
    const at::Tensor value = lane.model->layout().view(lane.flat, parameter);
    std::vector<std::int64_t> place;
    for (std::int64_t rest = element, dimension = value.dim(); dimension-- > 0; rest /= value.size(dimension))
        place.insert(place.begin(), rest % value.size(dimension));
    at::Tensor one = value;
    for (const std::int64_t index : place)
        one = one.select(0, index);
    const double before = one.item<double>();
    one.fill_(before + h);
    const double above = lossAt();
    one.fill_(before - h);
    const double below = lossAt();
    one.fill_(before);
    return (above - below) / (2.0 * h);
}

} // namespace accumulus::test
