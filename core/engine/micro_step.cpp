// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/micro_step.h"

#include "core/base/clock.h"
#include "core/engine/autocast.h"
#include "core/engine/recovery.h"
#include "core/model/sixteen_bits.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <algorithm>
#include <cmath>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/function_hook.h>
#include <torch/csrc/autograd/variable.h>
#include <utility>

namespace accumulus {
namespace {

bool allFinite(const MicroGradient& micro) {
    // A sum of finite values overflows only where the gradient is useless already.
    return std::isfinite(micro.lossSum) && std::ranges::all_of(micro.gradients, [](const at::Tensor& gradient) {
               return !gradient.defined() || std::isfinite(inFloat(gradient).sum().item<double>());
           });
}

/// `own`: which tensors of `total` are sums made here. What autograd has returned may be one tensor for two parameters,
/// or one number spread over many elements: nothing is added into that.
void addInto(MicroGradient& total, MicroGradient part, std::vector<bool>& own) {
    const at::NoGradGuard noGrad;
    if (total.gradients.empty()) {
        total = std::move(part);
        own.assign(total.gradients.size(), false);
        return;
    }
    for (std::size_t i = 0; i < part.gradients.size(); ++i) {
        at::Tensor& sum = total.gradients[i];
        if (!sum.defined())
            sum = part.gradients[i];
        else if (part.gradients[i].defined()) {
            sum = own[i] ? sum.add_(part.gradients[i]) : inFloat(sum).add(part.gradients[i]);
            own[i] = true;
        }
    }
    for (std::size_t layer = 0; layer < part.statistics.size(); ++layer)
        std::ranges::move(part.statistics[layer], std::back_inserter(total.statistics[layer]));
    total.units += part.units;
    total.tokens += part.tokens;
    total.lossSum += part.lossSum;
    if (part.lossOnDevice.defined())
        total.lossOnDevice = total.lossOnDevice.defined() ? total.lossOnDevice + part.lossOnDevice : part.lossOnDevice;
    total.finite = total.finite && part.finite;
    total.times += part.times;
}

/// Hands a leaf's gradient to the window as soon as it is complete, and lets go of it.
class CommitHook final : public torch::autograd::PostAccumulateGradHook {
public:
    CommitHook(GradientWindow& window, std::size_t parameter, double weight)
        : m_window(window), m_parameter(parameter), m_weight(weight) {}
    void operator()(const at::Tensor& leaf) override {
        // Also where adding fails: what comes after a window that broke down would be added to it.
        const at::Tensor gradient = std::exchange(leaf.mutable_grad(), at::Tensor());
        m_window.addParameter(m_parameter, gradient, m_weight);
    }

private:
    GradientWindow& m_window;
    std::size_t m_parameter;
    double m_weight;
};

} // namespace

MicroStep::MicroStep(const Model& model, const at::Tensor& parameters, const at::Tensor& buffers, BatchSource source,
                     MicroStepSettings settings, const at::Tensor& cast)
    : m_leaves(model.layout().leaves(parameters, cast)),
      m_model(model.instantiate(m_leaves, model.buffers().views(buffers))), m_source(std::move(source)),
      m_settings(std::move(settings)) {
    std::ranges::copy_if(m_leaves, std::back_inserter(m_trainable),
                         [](const at::Tensor& leaf) { return leaf.requires_grad(); });
    m_context.training = true;
    m_context.batchNorm = m_settings.batchNorm;
    m_context.ghost = m_settings.ghost;
    m_settings.loss = m_settings.loss.placed(parameters);
}

at::Tensor MicroStep::outputOf(const Batch& batch) {
    m_context.deviceKeys = batch.deviceKeys;
    m_context.statistics.clear();
    const AutocastScope autocast(m_settings.precision, batch.input.is_cuda(),
                                 m_settings.bug == PlantedBug::AutocastCacheKept);
    if (m_settings.loss.kind == LossKind::Model)
        m_context.targets = batch.targets;
    m_context.units = -1.0;
    const at::Tensor output = m_model->forward(batch.input, m_context);
    // The loss of 16-bit outputs is taken in fp32, as autocast does in Python.
    return at::isReducedFloatingType(output.scalar_type()) ? output.to(at::kFloat) : output;
}

std::vector<at::Tensor> MicroStep::backward(const at::Tensor& loss) const {
    std::vector<at::Tensor> gradients =
        torch::autograd::grad({loss}, m_trainable, {}, /*retain_graph=*/false, /*create_graph=*/false,
                              /*allow_unused=*/true);
    if (m_trainable.size() == m_leaves.size())
        return gradients;
    std::vector<at::Tensor> all(m_leaves.size()); // frozen parameters have none
    for (std::size_t i = 0, next = 0; i < m_leaves.size(); ++i)
        if (m_leaves[i].requires_grad())
            all[i] = std::move(gradients[next++]);
    return all;
}

std::optional<double> MicroStep::unitsOf(const SampleKeys& keys) const {
    if (m_settings.loss.kind == LossKind::Model)
        return std::nullopt;
    Batch batch;
    batch.samples = static_cast<std::int64_t>(keys.size());
    batch.bearing = m_source.bearing(keys);
    if (m_settings.loss.kind != LossKind::CrossEntropy || m_settings.loss.classWeights.defined())
        batch.targets = m_source.targets(keys);
    return lossUnits(batch, m_settings.loss);
}

MicroGradient MicroStep::gradientOnDevice(const at::Tensor& deviceKeys, const at::Tensor& lossScale) {
    const at::AutoGradMode gradMode(true);
    m_context.keys = {};
    const Batch batch = m_source.fillOnDevice(deviceKeys);
    const at::Tensor loss = lossSum(outputOf(batch), batch, m_settings.loss);
    MicroGradient result;
    result.statistics = std::move(m_context.statistics);
    result.lossOnDevice = loss.detach().to(at::kDouble).view({1});
    result.gradients = backward(lossScale.defined() ? loss * lossScale : loss);
    return result;
}

MicroStep::Forward MicroStep::forward(const SampleKeys& keys, const MicroStepPlace& place, double lossScale) {
    Forward forward;
    MicroGradient& result = forward.result;
    Stopwatch watch;
    SampleKeys drawn = keys;
    if (m_settings.bug == PlantedBug::DrawsByCallOrder)
        drawn.seed = ++m_calls;
    const Batch batch = m_source.fill(drawn);
    result.times.data = watch.lap();
    if (m_settings.fault)
        m_settings.fault(FaultPoint::Forward, place.window, place.microStep);
    m_context.keys = drawn;
    const at::Tensor output = outputOf(batch); // first: it tells the units
    const BatchLoss loss = batchLoss(output, batch, m_settings.loss, m_context.units);
    result.microStep = place.microStep;
    result.samples = batch.samples;
    result.tokens = m_source.block() * batch.samples;
    result.units = loss.units;
    result.scale = lossScale;
    result.statistics = std::move(m_context.statistics);
    if (loss.units > 0.0) {
        if (m_settings.deferred)
            result.lossOnDevice = loss.sum.detach().to(at::kDouble).view({1});
        else
            result.lossSum = loss.sum.item<double>();
        forward.loss = lossScale == 1.0 ? loss.sum : loss.sum * lossScale;
    }
    result.times.forward = watch.lap();
    return forward;
}

MicroGradient MicroStep::gradientOfPart(const SampleKeys& keys, const MicroStepPlace& place, double lossScale) {
    const at::AutoGradMode gradMode(true);
    Forward forward = this->forward(keys, place, lossScale);
    MicroGradient& result = forward.result;
    Stopwatch watch;
    if (m_settings.fault)
        m_settings.fault(FaultPoint::Backward, place.window, place.microStep);
    if (forward.loss.defined())
        result.gradients = backward(forward.loss);
    else
        result.gradients.resize(m_leaves.size());
    if (m_settings.checkFinite) {
        if (result.lossOnDevice.defined())
            result.lossSum = result.lossOnDevice.item<double>(); // tells an overflow from a loss that is not finite
        result.finite = allFinite(result);
    }
    result.times.backward = watch.lap();
    return std::move(result);
}

MicroGradient MicroStep::gradient(const SampleKeys& keys, const MicroStepPlace& place, double lossScale,
                                  std::int64_t part, std::int64_t smallestPart) {
    MicroGradient total;
    std::vector<bool> own;
    std::size_t first = 0;
    for (const std::int64_t size : partsOf(static_cast<std::int64_t>(keys.size()), part, smallestPart)) {
        const auto count = static_cast<std::size_t>(size);
        addInto(total,
                gradientOfPart({keys.seed, keys.ids.subspan(first, count), keys.epochs.subspan(first, count)}, place,
                               lossScale),
                own);
        first += count;
    }
    return total;
}

MicroGradient MicroStep::gradientInto(GradientWindow& window, const SampleKeys& keys, const MicroStepPlace& place,
                                      double lossScale, std::optional<double> units) {
    const at::AutoGradMode gradMode(true);
    Forward forward = this->forward(keys, place, lossScale);
    Stopwatch watch;
    if (m_settings.fault)
        m_settings.fault(FaultPoint::Backward, place.window, place.microStep);
    if (forward.loss.defined()) {
        const double weight = window.commitWeight(units.value_or(forward.result.units)) / lossScale;
        for (std::size_t i = 0; i < m_leaves.size(); ++i)
            if (m_leaves[i].requires_grad())
                torch::autograd::impl::set_post_acc_grad_hooks(m_leaves[i],
                                                               std::make_unique<CommitHook>(window, i, weight));
        torch::autograd::backward({forward.loss}, {}, false, false, m_trainable);
    }
    forward.result.times.backward = watch.lap();
    return std::move(forward.result);
}

} // namespace accumulus
