// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/flat_optimizer.h"

#include <ATen/ATen.h>

namespace accumulus {

FlatOptimizer::FlatOptimizer(const OptimizerConfig& config, const ParameterLayout& layout, at::ScalarType type)
    : m_config(config), m_layout(layout), m_counts(layout.size(), 0) {
    const bool adam = config.name != OptimizerKind::Sgd;
    if (adam || config.momentum != 0.0)
        m_first = layout.allocate(type);
    if (adam)
        m_second = layout.allocate(type);
}

std::vector<FlatOptimizer::Range> FlatOptimizer::touchedRanges(const std::vector<bool>& touched) const {
    std::vector<Range> ranges;
    for (std::size_t i = 0; i < m_layout.size(); ++i) {
        if (!touched[i])
            continue;
        const std::int64_t begin = m_layout.offset(i);
        const std::int64_t end = begin + m_layout.extent(i); // with the gap, which is zero everywhere and stays so
        if (!ranges.empty() && ranges.back().end == begin && ranges.back().count == m_counts[i])
            ranges.back().end = end;
        else
            ranges.push_back({begin, end, m_counts[i]});
    }
    return ranges;
}

void FlatOptimizer::update(at::Tensor& parameters, const at::Tensor& gradients, const std::vector<bool>& touched, double lr) {
    const at::NoGradGuard noGrad;
    for (const Range& range : touchedRanges(touched)) {
        const auto part = [&](const at::Tensor& flat) { return flat.narrow(0, range.begin, range.end - range.begin); };
        const at::Tensor p = part(parameters);
        const at::Tensor g = part(gradients);
        if (m_config.name == OptimizerKind::Sgd) {
            // A zero momentum buffer equals PyTorch's copy at the first update, because dampening is 0.
            const std::vector<at::Tensor> momentum = m_first.defined() ? std::vector{part(m_first)} : std::vector<at::Tensor>{};
            at::_fused_sgd_({p}, {g}, momentum, m_config.weightDecay, m_config.momentum, lr, /*dampening=*/0.0,
                            m_config.nesterov, /*maximize=*/false, /*is_first_step=*/false);
            continue;
        }
        const at::Tensor count = at::scalar_tensor(static_cast<double>(range.count + 1), at::kFloat);
        if (m_config.name == OptimizerKind::Adam)
            at::_fused_adam_({p}, {g}, {part(m_first)}, {part(m_second)}, {}, {count}, lr, m_config.beta1, m_config.beta2,
                             m_config.weightDecay, m_config.eps, /*amsgrad=*/false, /*maximize=*/false);
        else
            at::_fused_adamw_({p}, {g}, {part(m_first)}, {part(m_second)}, {}, {count}, lr, m_config.beta1, m_config.beta2,
                              m_config.weightDecay, m_config.eps, /*amsgrad=*/false, /*maximize=*/false);
    }
    for (std::size_t i = 0; i < m_counts.size(); ++i)
        if (touched[i])
            ++m_counts[i];
}

std::map<std::string, at::Tensor> FlatOptimizer::state() const {
    std::map<std::string, at::Tensor> state;
    const bool adam = m_config.name != OptimizerKind::Sgd;
    if (m_first.defined())
        state[adam ? "exp_avg" : "momentum_buffer"] = m_first;
    if (m_second.defined())
        state["exp_avg_sq"] = m_second;
    return state;
}

} // namespace accumulus
