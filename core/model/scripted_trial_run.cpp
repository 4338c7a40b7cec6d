// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/scripted_trial_run.h"

#include "core/base/keyed_draws.h"

#include <ATen/core/grad_mode.h>
#include <algorithm>
#include <stdexcept>
#include <torch/csrc/autograd/autograd.h>

namespace accumulus {
namespace {

TrialRun::Returned returned(const c10::IValue& value) {
    if (value.isTensor())
        return {value.toTensor()};
    if (value.isTuple()) {
        const auto& elements = value.toTupleRef().elements();
        if (elements.size() == 1 && elements[0].isTensor())
            return {elements[0].toTensor()};
        if (elements.size() == 2 && elements[0].isTensor() && elements[0].toTensor().dim() == 0)
            return {elements[0].toTensor(), true};
    }
    throw std::runtime_error("reason.not-one-tensor");
}

} // namespace

std::vector<std::int64_t> sampleShape(const InputShape& input) {
    if (input.block > 0)
        return {input.block};
    if (input.kind == SampleKind::Tensors)
        return input.sample;
    return {input.channels, input.height, input.width};
}

bool isWhole(const InputShape& input) { return input.block > 0 || input.wholeNumbers; }

at::Tensor TrialRun::samples(std::int64_t count, std::int64_t first) const {
    std::vector<std::int64_t> shape = sampleShape(m_input);
    shape.insert(shape.begin(), count);
    at::Tensor made = at::empty(shape, at::kDouble);
    const std::int64_t each = made.numel() / count;
    double* out = made.mutable_data_ptr<double>();
    for (std::int64_t i = 0; i < made.numel(); ++i) {
        const std::uint64_t key =
            mixKey(static_cast<std::uint64_t>(first + i / each), static_cast<std::uint64_t>(i % each), 0x7121A1);
        // Whole numbers: 0 and 1 are tokens of every vocabulary.
        out[i] = isWhole(m_input) ? static_cast<double>(key & 1) : unitDraw(key) * 2.0 - 1.0;
    }
    return made.to(isWhole(m_input) ? at::kLong : m_type);
}

at::Tensor TrialRun::targets(std::int64_t count) const {
    const bool tokens = m_input.block > 0;
    std::vector<std::int64_t> shape = tokens ? std::vector<std::int64_t>{m_input.block} : m_input.target;
    shape.insert(shape.begin(), count);
    if (tokens) // as a micro-batch of text has them
        shape = {count * m_input.block};
    return at::zeros(shape, m_input.wholeTargets ? at::kLong : m_type);
}

TrialRun::Returned TrialRun::forward(const at::Tensor& input, std::uint64_t seed) {
    const auto stream = seededStream(seed, at::kCPU);
    std::vector<c10::IValue> inputs{input};
    if (m_input.loss == LossKind::Model)
        inputs.emplace_back(targets(input.size(0)));
    return returned(m_instance.run(std::move(inputs)));
}

TrialRun::Returned TrialRun::run(const at::Tensor& input, std::uint64_t seed) {
    const at::NoGradGuard noGrad;
    return forward(input, seed);
}

TrialRun::Trained TrialRun::train(const at::Tensor& input) {
    const at::AutoGradMode withGradients(true);
    std::vector<at::Tensor> parameters, trained;
    std::vector<std::string> names;
    for (const ScriptedTensor& parameter : m_module.parameters) {
        const bool needed = parameter.value.requires_grad();
        parameters.push_back(parameter.value.detach().to(m_type).clone().set_requires_grad(needed));
        if (needed) {
            trained.push_back(parameters.back());
            names.push_back(parameter.names.front());
        }
    }
    m_instance.setParameters(parameters);
    m_instance.setTraining(true, /*frozenStatistics=*/false);
    const at::Tensor sum = forward(input, 1).tensor.sum();
    Trained result;
    for (std::size_t i = 0; i < parameters.size(); ++i)
        if (parameters[i]._version() != 0)
            result.changed = m_module.parameters[i].names.front();
    if (!sum.requires_grad() || !result.changed.empty())
        return result;
    const auto gradients = torch::autograd::grad({sum}, trained, {}, /*retain_graph=*/false, /*create_graph=*/false,
                                                 /*allow_unused=*/true);
    for (std::size_t i = 0; i < gradients.size(); ++i) {
        if (!gradients[i].defined())
            result.unreached.push_back(names[i]);
        else if (gradients[i].layout() != at::kStrided)
            result.sparse = names[i];
        result.any = result.any || gradients[i].defined();
    }
    return result;
}

at::Tensor TrialRun::output(const at::Tensor& input, bool training, std::uint64_t seed, bool frozenStatistics) {
    m_instance.setTraining(training, frozenStatistics);
    return run(input, seed).tensor.to(at::kDouble);
}

} // namespace accumulus
