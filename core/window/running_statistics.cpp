// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/window/running_statistics.h"

#include "core/ranks/packed.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <algorithm>
#include <utility>

namespace accumulus {

RunningStatistics::RunningStatistics(const ParameterLayout& layout, BatchNormMode mode, at::ScalarType type,
                                     at::Device device)
    : m_layout(layout), m_mode(mode), m_running(initialBuffers(layout).to(type).to(device)),
      m_next(layout.allocate(at::kDouble, device)),
      m_counts(at::zeros({static_cast<std::int64_t>(layout.size() / 2)}, at::kDouble)),
      m_oneMomentum(std::ranges::all_of(layout.specs(), [&](const ParameterSpec& spec) {
          return spec.momentum == layout.specs().front().momentum;
      })) {}

void RunningStatistics::open() {
    if (m_open || m_mode == BatchNormMode::Frozen || m_layout.size() == 0)
        return;
    const at::NoGradGuard noGrad;
    if (m_mode == BatchNormMode::Micro)
        m_next.copy_(m_running);
    else
        m_next.zero_();
    m_counts.zero_();
    m_open = true;
}

void RunningStatistics::commit(const std::vector<std::vector<NormStatistics>>& statistics, std::int64_t microStep) {
    if (m_mode == BatchNormMode::Frozen || statistics.empty())
        return;
    if (m_keeps)
        m_kept.push_back({microStep, statistics});
    else
        take(statistics);
}

void RunningStatistics::merge(Communicator& ranks) {
    if (m_mode == BatchNormMode::Frozen || m_layout.size() == 0)
        return;
    const at::NoGradGuard noGrad;
    std::vector<at::Tensor> seen; // of all micro-steps: one copy brings them over from a device
    for (const Kept& kept : m_kept)
        for (const auto& layer : kept.statistics)
            for (const NormStatistics& group : layer)
                seen.insert(seen.end(), {group.mean.reshape({-1}), group.variance.reshape({-1})});
    const at::Tensor numbers = seen.empty() ? at::Tensor() : at::cat(seen).to(at::kDouble).cpu();
    const double* next = seen.empty() ? nullptr : numbers.const_data_ptr<double>();
    const auto values = [&next](const at::Tensor& tensor) {
        const double* first = std::exchange(next, next + tensor.numel());
        return std::vector<double>(first, next);
    };
    const auto onDevice = [this](const std::vector<double>& list) {
        return at::tensor(list, at::kDouble).to(m_next.device());
    };
    Packed own;
    own.put(std::uint64_t{m_kept.size()});
    for (const Kept& kept : m_kept) {
        own.put(kept.microStep).put(std::uint64_t{kept.statistics.size()});
        for (const auto& layer : kept.statistics) {
            own.put(std::uint64_t{layer.size()});
            for (const NormStatistics& group : layer)
                own.put(group.count).put(values(group.mean)).put(values(group.variance));
        }
    }
    m_kept.clear();
    std::vector<Kept> all;
    for (const std::string& message : ranks.gather(own.bytes())) {
        Unpacked of(message);
        for (auto count = of.get<std::uint64_t>(); count > 0; --count) {
            Kept kept{of.get<std::int64_t>(), {}};
            kept.statistics.resize(of.get<std::uint64_t>());
            for (auto& layer : kept.statistics)
                for (auto groups = of.get<std::uint64_t>(); groups > 0; --groups) {
                    NormStatistics group;
                    group.count = of.get<decltype(group.count)>();
                    group.mean = onDevice(of.getList<double>());
                    group.variance = onDevice(of.getList<double>());
                    layer.push_back(std::move(group));
                }
            all.push_back(std::move(kept));
        }
    }
    std::ranges::stable_sort(all, {}, &Kept::microStep);
    for (const Kept& kept : all)
        take(kept.statistics);
}

void RunningStatistics::take(const std::vector<std::vector<NormStatistics>>& statistics) {
    const at::NoGradGuard noGrad;
    open();
    if (m_mode == BatchNormMode::Micro && m_next.is_cuda() && m_oneMomentum) {
        commitMicroOnDevice(statistics);
        return;
    }
    for (std::size_t layer = 0; layer < statistics.size(); ++layer)
        for (const NormStatistics& group : statistics[layer])
            m_mode == BatchNormMode::Micro ? commitMicro(layer, group) : commitPooled(layer, group);
}

void RunningStatistics::commitMicro(std::size_t layer, const NormStatistics& group) {
    const double momentum = momentumOf(layer);
    m_layout.view(m_next, 2 * layer).mul_(1.0 - momentum).add_(group.mean.to(at::kDouble), momentum);
    m_layout.view(m_next, 2 * layer + 1).mul_(1.0 - momentum).add_(group.variance.to(at::kDouble), momentum);
}

/// The same as commitMicro for all layers, group by group, with a few kernels in place of several for each layer.
void RunningStatistics::commitMicroOnDevice(const std::vector<std::vector<NormStatistics>>& statistics) {
    std::size_t groups = 0;
    for (const auto& layer : statistics)
        groups = std::max(groups, layer.size());
    for (std::size_t group = 0; group < groups; ++group) {
        std::vector<at::Tensor> targets, seen;
        std::vector<std::int64_t> sizes;
        for (std::size_t layer = 0; layer < statistics.size(); ++layer) {
            if (group >= statistics[layer].size())
                continue;
            for (const at::Tensor& value : {statistics[layer][group].mean, statistics[layer][group].variance}) {
                targets.push_back(m_layout.view(m_next, 2 * layer + targets.size() % 2));
                seen.push_back(value);
                sizes.push_back(value.numel());
            }
        }
        if (targets.empty())
            continue;
        const double momentum = momentumOf(0); // that of all layers
        at::_foreach_mul_(targets, 1.0 - momentum);
        at::_foreach_add_(targets, at::cat(seen).to(at::kDouble).split_with_sizes(sizes), momentum);
    }
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
            if (count == 0.0) // no micro-batch went through it
                continue;
            const auto move = [&](std::size_t buffer, const at::Tensor& value) {
                at::Tensor running = m_layout.view(m_running, buffer);
                const double momentum = momentumOf(layer);
                running.copy_(running.to(at::kDouble).mul_(1.0 - momentum).add_(value, momentum));
            };
            move(2 * layer, m_layout.view(m_next, 2 * layer));
            move(2 * layer + 1, m_layout.view(m_next, 2 * layer + 1) / (count - 1.0));
        }
    }
    m_open = false;
}

void RunningStatistics::clear() {
    m_open = false;
    m_kept.clear();
}

std::map<std::string, at::Tensor> RunningStatistics::pending() const {
    return m_open ? std::map<std::string, at::Tensor>{{"next", m_next}, {"counts", m_counts}}
                  : std::map<std::string, at::Tensor>{};
}

void RunningStatistics::restorePending(const std::map<std::string, at::Tensor>& pending) {
    m_open = !pending.empty();
    m_kept.clear();
    if (!m_open)
        return;
    m_next.copy_(pending.at("next"));
    m_counts.copy_(pending.at("counts"));
}

} // namespace accumulus
