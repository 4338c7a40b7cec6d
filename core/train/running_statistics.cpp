// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/running_statistics.h"

#include <ATen/ATen.h>

namespace accumulus {

RunningStatistics::RunningStatistics(const ParameterLayout& layout, BatchNormMode mode, at::ScalarType type)
    : m_layout(layout), m_mode(mode), m_running(initialBuffers(layout).to(type)), m_next(layout.allocate(at::kDouble)),
      m_counts(at::zeros({static_cast<std::int64_t>(layout.size() / 2)}, at::kDouble)) {}

void RunningStatistics::commit(const std::vector<std::vector<NormStatistics>>& statistics) {
    if (m_mode == BatchNormMode::Frozen || statistics.empty())
        return;
    const at::NoGradGuard noGrad;
    if (!m_open) {
        if (m_mode == BatchNormMode::Micro)
            m_next.copy_(m_running);
        else
            m_next.zero_();
        m_counts.zero_();
        m_open = true;
    }
    for (std::size_t layer = 0; layer < statistics.size(); ++layer)
        for (const NormStatistics& group : statistics[layer])
            m_mode == BatchNormMode::Micro ? commitMicro(layer, group) : commitPooled(layer, group);
}

void RunningStatistics::commitMicro(std::size_t layer, const NormStatistics& group) {
    m_layout.view(m_next, 2 * layer).mul_(1.0 - momentum).add_(group.mean.to(at::kDouble), momentum);
    m_layout.view(m_next, 2 * layer + 1).mul_(1.0 - momentum).add_(group.variance.to(at::kDouble), momentum);
}

void RunningStatistics::commitPooled(std::size_t layer, const NormStatistics& group) {
    at::Tensor mean = m_layout.view(m_next, 2 * layer);
    at::Tensor m2 = m_layout.view(m_next, 2 * layer + 1);
    double& before = m_counts.mutable_data_ptr<double>()[layer];
    const auto count = static_cast<double>(group.count);
    const double after = before + count;
    const at::Tensor delta = group.mean.to(at::kDouble) - mean;
    mean.add_(delta, count / after);
    m2.add_(group.variance.to(at::kDouble), count - 1.0).add_(delta.square(), before * count / after);
    before = after;
}

void RunningStatistics::apply() {
    if (!m_open)
        return;
    const at::NoGradGuard noGrad;
    if (m_mode == BatchNormMode::Micro) {
        m_running.copy_(m_next);
    } else {
        for (std::size_t layer = 0; layer < m_layout.size() / 2; ++layer) {
            const double count = m_counts.const_data_ptr<double>()[layer];
            const auto move = [&](std::size_t buffer, const at::Tensor& value) {
                at::Tensor running = m_layout.view(m_running, buffer);
                running.copy_(running.to(at::kDouble).mul_(1.0 - momentum).add_(value, momentum));
            };
            move(2 * layer, m_layout.view(m_next, 2 * layer));
            move(2 * layer + 1, m_layout.view(m_next, 2 * layer + 1) / (count - 1.0));
        }
    }
    m_open = false;
}

void RunningStatistics::clear() { m_open = false; }

std::map<std::string, at::Tensor> RunningStatistics::pending() const {
    return m_open ? std::map<std::string, at::Tensor>{{"next", m_next}, {"counts", m_counts}} : std::map<std::string, at::Tensor>{};
}

void RunningStatistics::restorePending(const std::map<std::string, at::Tensor>& pending) {
    m_open = !pending.empty();
    if (!m_open)
        return;
    m_next.copy_(pending.at("next"));
    m_counts.copy_(pending.at("counts"));
}

} // namespace accumulus
