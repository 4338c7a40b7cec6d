// SPDX-License-Identifier: GPL-3.0-or-later
// The running means and variances of BatchNorm layers, and what a window will do to them. Statistics arrive with each
// commit, in order; the buffers move once, at the boundary, and not at all when the window is skipped or abandoned. One
// thread at a time.
#pragma once

#include "core/config/experiment_config.h"
#include "core/model/model.h"
#include "core/ranks/communicator.h"

#include <ATen/core/Tensor.h>
#include <map>
#include <string>
#include <vector>

namespace accumulus {

class RunningStatistics {
public:
    /// `layout`: Model::buffers(). The buffers live in `type`; without BatchNorm layers nothing happens here.
    RunningStatistics(const ParameterLayout& layout, BatchNormMode mode, at::ScalarType type,
                      at::Device device = at::kCPU);

    [[nodiscard]] const at::Tensor& flat() const { return m_running; }
    [[nodiscard]] at::Tensor& flat() { return m_running; }

    /// Before the first commit() of a window, which otherwise does it itself: what it will move starts from the
    /// buffers.
    void open();
    /// Of one micro-step: [layer][group], as ForwardContext leaves them. In an open window in the modes micro and
    /// frozen it queues work on the device only.
    void commit(const std::vector<std::vector<NormStatistics>>& statistics, std::int64_t microStep = 0);
    /// On several ranks, instead of taking them at once: keeps them until merge().
    void keepForMerge() { m_keeps = true; }
    [[nodiscard]] bool keeps() const { return m_keeps; }
    /// Takes what all ranks have kept, in micro-step order. Waits for a device.
    void merge(Communicator& ranks);
    /// The window was closed with an update. micro: r moves once for each group, in order. pooled: once, with the
    /// statistics of all groups together (Chan, Golub and LeVeque 1983): mu = sum n_i mu_i / n, M2 = sum n_i (v_i +
    /// (mu_i - mu)^2) with v_i the biased variance, s = M2 / (n - 1). frozen: not at all.
    void apply();
    /// Forgets what the open window has brought.
    void clear();

    /// State of the open window for a resume bundle; empty when nothing is pending.
    [[nodiscard]] std::map<std::string, at::Tensor> pending() const;
    void restorePending(const std::map<std::string, at::Tensor>& pending);

private:
    [[nodiscard]] double momentumOf(std::size_t layer) const { return m_layout.specs()[2 * layer].momentum; }
    void take(const std::vector<std::vector<NormStatistics>>& statistics);
    void commitMicro(std::size_t layer, const NormStatistics& group);
    void commitMicroOnDevice(const std::vector<std::vector<NormStatistics>>& statistics);
    void commitPooled(std::size_t layer, const NormStatistics& group);

    const ParameterLayout& m_layout;
    BatchNormMode m_mode;
    at::Tensor m_running; ///< mean, variance, mean, variance, ...
    at::Tensor m_next;    ///< micro: the buffers after the boundary. pooled: mean and M2. fp64
    at::Tensor m_counts;  ///< pooled: n of each layer. fp64, on the CPU
    bool m_oneMomentum;   ///< all layers have the same
    bool m_open = false;
    struct Kept {
        std::int64_t microStep;
        std::vector<std::vector<NormStatistics>> statistics;
    };
    bool m_keeps = false;
    std::vector<Kept> m_kept;
};

} // namespace accumulus
