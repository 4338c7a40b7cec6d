// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/micro_step_graph.h"

#include "core/cuda/device.h"
#include "core/engine/update_graph.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <algorithm>

namespace accumulus {

MicroStepGraph::MicroStepGraph(MicroStep& step, ModelState& state, DeviceSums& sums, const Settings& settings)
    : m_step(step), m_state(state), m_sums(sums), m_settings(settings) {
    const auto options = at::TensorOptions(at::kLong).device(settings.device);
    m_windowKeys = at::zeros({settings.largestWindow, 2}, options);
    m_windowWeights = at::zeros({settings.largestWindow}, options.dtype(at::kDouble));
    m_row = at::zeros({1}, options);
    m_weight = at::zeros({1}, options.dtype(at::kDouble));
    if (settings.scaled)
        m_lossScale = at::ones({1}, options.dtype(settings.type));
}

void MicroStepGraph::begin(const WindowPlan& plan, const WindowRequest& request, bool wanted) {
    m_active = false;
    if (!wanted || !m_problem.empty() || request.done >= std::ssize(plan.microSizes))
        return;
    m_sums.reserve(std::ssize(plan.microSizes));
    const std::int64_t micro = plan.microSizes.front();
    const bool recorded = m_graph && m_micro == micro && m_generation == m_sums.generation() &&
                          m_buffer == m_step.source().bufferAddress();
    if ((!recorded && !m_state.window.empty()) || !upload(plan, request))
        return;
    if (!recorded)
        record(micro);
    m_active = m_problem.empty();
    if (m_active)
        m_state.statistics.open();
}

bool MicroStepGraph::upload(const WindowPlan& plan, const WindowRequest& request) {
    if (static_cast<std::int64_t>(plan.ids.size()) > m_settings.largestWindow)
        return false;
    const at::NoGradGuard noGrad;
    const std::size_t steps = plan.microSizes.size();
    m_units.assign(steps, 0.0);
    m_full.assign(steps, false);
    at::Tensor weights = at::empty({static_cast<std::int64_t>(steps)},
                                   at::TensorOptions(at::kDouble).pinned_memory(m_settings.device.is_cuda()));
    std::size_t first = 0;
    for (std::size_t k = 0; k < steps; ++k) {
        const auto size = static_cast<std::size_t>(plan.microSizes[k]);
        m_units[k] = m_step
                         .unitsOf({request.seed, std::span(plan.ids).subspan(first, size),
                                   std::span(plan.epochs).subspan(first, size)})
                         .value_or(0.0);
        // Rows of the graph are multiples of the micro-batch; a micro-batch without loss units has no gradient.
        m_full[k] = plan.microSizes[k] == plan.microSizes.front() && first == k * size && m_units[k] > 0.0;
        weights.mutable_data_ptr<double>()[k] =
            m_units[k] > 0.0 ? m_state.window.commitWeight(m_units[k]) / request.scale : 0.0;
        first += size;
    }
    m_windowKeys.narrow(0, 0, static_cast<std::int64_t>(plan.ids.size()))
        .copy_(deviceKeysOf({request.seed, plan.ids, plan.epochs}, m_settings.device));
    m_windowWeights.narrow(0, 0, weights.numel()).copy_(weights, /*non_blocking=*/true);
    if (m_settings.scaled && m_scale != request.scale)
        m_lossScale.fill_(request.scale);
    m_scale = request.scale;
    return true;
}

/// What is recorded.
void MicroStepGraph::body() {
    kernels::selectMicroStep(m_windowKeys, m_windowWeights, m_row, m_keys, m_weight);
    const MicroGradient micro = m_step.gradientOnDevice(m_keys, m_lossScale);
    const at::NoGradGuard noGrad;
    m_sums.queueMicroStep(micro.gradients, m_weight, micro.lossOnDevice);
    m_state.statistics.commit(micro.statistics);
    for (std::size_t i = 0; i < m_touched.size(); ++i)
        m_touched[i] = micro.gradients[i].defined();
}

void MicroStepGraph::record(std::int64_t micro) {
    m_graph.reset();
    m_micro = micro;
    m_keys = at::zeros({micro, 2}, m_windowKeys.options());
    m_touched.assign(m_state.window.touched().size(), false);
    try {
        m_state.statistics.open(); // not part of what is repeated
        const auto again = [this] {
            m_row.zero_();
            body();
        };
        for (int i = 0; i < gpu::CapturedGraph::usualWarmUps; ++i)
            again();
        m_row.zero_();
        m_graph = std::make_unique<gpu::CapturedGraph>(
            m_settings.device, [this] { body(); }, 0);
        m_nextRow = 0;
    } catch (const std::exception& problem) {
        m_graph.reset();
        m_problem = firstLineOf(problem);
    }
    m_generation = m_sums.generation();
    m_buffer = m_step.source().bufferAddress();
    // What the warm-ups have left.
    m_state.window.clear();
    m_state.statistics.clear();
    if (!m_problem.empty() && m_settings.device.is_cuda())
        gpu::releaseUnused(m_settings.device);
}

bool MicroStepGraph::takes(std::int64_t index) const {
    return m_active && m_full[static_cast<std::size_t>(index)] && m_generation == m_sums.generation();
}

void MicroStepGraph::run(std::int64_t index) {
    if (m_nextRow != index) {
        const at::NoGradGuard noGrad;
        m_row.fill_(index);
    }
    m_nextRow = index + 1;
    m_graph->run();
    m_sums.countMicroStep();
    m_state.window.countMicroStep(m_touched, m_units[static_cast<std::size_t>(index)], m_scale, index);
}

} // namespace accumulus
