// SPDX-License-Identifier: GPL-3.0-or-later
// What a run shows of its parameters and gradients to those who asked.
#include "core/train/trainer_impl.h"

#include <ATen/ATen.h>
#include <algorithm>

namespace accumulus {
namespace {

constexpr std::int64_t probedElements = 10; // of a parameter

} // namespace

void Trainer::Impl::probeParameter(std::int64_t window, std::int64_t microStep) {
    if (!m_probedParameter)
        return;
    const ModelState& state = m_engine.state();
    MicroStepRecord record;
    record.window = window;
    record.microStep = microStep;
    const at::Tensor view = state.model->layout().view(state.parameters, *m_probedParameter);
    const at::Tensor values =
        view.flatten().narrow(0, 0, std::min(probedElements, view.numel())).to(at::kDouble).contiguous().cpu();
    record.values.assign(values.const_data_ptr<double>(), values.const_data_ptr<double>() + values.numel());
    m_probed.push_back(std::move(record));
}

void Trainer::Impl::probeGradient(const WindowRecord& record) const {
    const ModelState& state = m_engine.state();
    const ParameterLayout& layout = state.model->layout();
    const at::Tensor gradient = m_engine.wholeGradient().cpu();
    std::vector<double> values;
    for (std::size_t i = 0; i < layout.size(); ++i) {
        if (!state.window.touched()[i]) {
            values.insert(values.end(), static_cast<std::size_t>(layout.specs()[i].count()), 0.0);
            continue;
        }
        const at::Tensor view = layout.view(gradient, i).to(at::kDouble).flatten().contiguous();
        const double* data = view.const_data_ptr<double>();
        values.insert(values.end(), data, data + view.numel());
    }
    m_setup.gradientProbe(record, values);
}

} // namespace accumulus
