// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/micro_step_graph.h"

#include "core/cuda/device.h"
#include "core/engine/window_engine.h"

#include <ATen/ATen.h>
#include <algorithm>

namespace accumulus {

MicroStepGraph::MicroStepGraph(MicroStep& step, GradientWindow& window, RunningStatistics& statistics,
                               const Settings& settings)
    : m_step(step), m_window(window), m_statistics(statistics), m_settings(settings) {
    const auto options = at::TensorOptions(at::kLong).device(settings.device);
    m_windowKeys = at::zeros({settings.largestWindow, 2}, options);
    m_windowWeights = at::zeros({settings.largestWindow}, options.dtype(at::kDouble));
    m_row = at::zeros({1}, options);
    m_weight = at::zeros({1}, options.dtype(at::kDouble));
    if (settings.scaled)
        m_lossScale = at::ones({1}, options.dtype(settings.type));
}

void MicroStepGraph::begin(const WindowPlan& plan, const WindowOptions& options, bool wanted) {
    m_active = false;
    if (!wanted || !m_problem.empty() || options.done >= std::ssize(plan.microSizes))
        return;
    m_window.reserveMicroSteps(std::ssize(plan.microSizes));
    const std::int64_t micro = plan.microSizes.front();
    const bool recorded = m_work && m_micro == micro && m_generation == m_window.sums().generation() &&
                          m_buffer == m_step.source().bufferAddress();
    if ((!recorded && !m_window.empty()) || !upload(plan, options))
        return;
    if (!recorded)
        record(micro);
    m_active = m_problem.empty();
    if (m_active)
        m_statistics.open();
}

bool MicroStepGraph::upload(const WindowPlan& plan, const WindowOptions& options) {
    if (static_cast<std::int64_t>(plan.ids.size()) > m_settings.largestWindow)
        return false;
    const at::NoGradGuard noGrad;
    const std::size_t steps = plan.microSizes.size();
    m_units.assign(steps, 0);
    m_full.assign(steps, false);
    at::Tensor weights = at::empty({static_cast<std::int64_t>(steps)},
                                   at::TensorOptions(at::kDouble).pinned_memory(m_settings.device.is_cuda()));
    std::size_t first = 0;
    for (std::size_t k = 0; k < steps; ++k) {
        const auto size = static_cast<std::size_t>(plan.microSizes[k]);
        m_units[k] = m_step.unitsOf(
            {options.seed, std::span(plan.ids).subspan(first, size), std::span(plan.epochs).subspan(first, size)});
        // Rows of the graph are multiples of the micro-batch; a micro-batch without loss units has no gradient.
        m_full[k] = plan.microSizes[k] == plan.microSizes.front() && first == k * size && m_units[k] > 0;
        weights.mutable_data_ptr<double>()[k] =
            m_units[k] > 0 ? m_window.commitWeight(m_units[k]) / options.lossScale : 0.0;
        first += size;
    }
    m_windowKeys.narrow(0, 0, static_cast<std::int64_t>(plan.ids.size()))
        .copy_(deviceKeysOf({options.seed, plan.ids, plan.epochs}, m_settings.device));
    m_windowWeights.narrow(0, 0, weights.numel()).copy_(weights, /*non_blocking=*/true);
    if (m_settings.scaled && m_scale != options.lossScale)
        m_lossScale.fill_(options.lossScale);
    m_scale = options.lossScale;
    return true;
}

/// What is recorded.
void MicroStepGraph::body() {
    kernels::selectMicroStep(m_windowKeys, m_windowWeights, m_row, m_keys, m_weight);
    const MicroGradient micro = m_step.gradientOnDevice(m_keys, m_lossScale);
    const at::NoGradGuard noGrad;
    m_window.commitOnDevice(micro, {1.0, m_weight});
    m_statistics.commit(micro.statistics);
    for (std::size_t i = 0; i < m_touched.size(); ++i)
        m_touched[i] = micro.gradients[i].defined();
}

void MicroStepGraph::record(std::int64_t micro) {
    m_work.reset();
    m_micro = micro;
    m_keys = at::zeros({micro, 2}, m_windowKeys.options());
    m_touched.assign(m_window.touched().size(), false);
    try {
        m_statistics.open(); // not part of what is repeated
        const auto again = [this] {
            m_row.zero_();
            body();
        };
        for (int i = 0; i < gpu::CapturedWork::usualWarmUps; ++i)
            again();
        m_row.zero_();
        m_work = std::make_unique<gpu::CapturedWork>(
            m_settings.device, [this] { body(); }, 0);
        m_nextRow = 0;
    } catch (const std::exception& problem) {
        m_work.reset();
        m_problem = problem.what();
        m_problem = m_problem.substr(0, m_problem.find('\n'));
    }
    m_generation = m_window.sums().generation();
    m_buffer = m_step.source().bufferAddress();
    // What the warm-ups have left.
    m_window.clear();
    m_statistics.clear();
    if (!m_problem.empty() && m_settings.device.is_cuda())
        gpu::releaseUnused(m_settings.device);
}

bool MicroStepGraph::takes(std::uint32_t index) const {
    return m_active && m_full[index] && m_generation == m_window.sums().generation();
}

void MicroStepGraph::run(std::uint32_t index) {
    if (m_nextRow != index) {
        const at::NoGradGuard noGrad;
        m_row.fill_(static_cast<std::int64_t>(index));
    }
    m_nextRow = index + 1;
    m_work->run();
    m_window.countMicroStep(m_touched, m_units[index], m_scale);
}

DeviceUpdate::DeviceUpdate(GradientWindow& window, FlatOptimizer& optimizer, at::Tensor& parameters, at::Device device,
                           bool capture)
    : m_window(window), m_optimizer(optimizer), m_parameters(parameters), m_device(device),
      m_capture(capture && optimizer.takesLrFromDevice()) {}

void DeviceUpdate::work() {
    m_window.closeOnDevice();
    m_optimizer.queueUpdate(m_parameters, m_window.gradient(), m_window.sums().foundInf());
}

void DeviceUpdate::run(double lr) {
    m_window.prepareClosing();
    m_optimizer.prepareUpdate(m_window.touched(), lr);
    Shape shape;
    for (const FlatOptimizer::Range& range : m_optimizer.rangesOf(m_window.touched()))
        shape.ranges.emplace_back(range.begin, range.end);
    shape.generation = m_window.sums().generation();
    if (m_work && shape == m_recorded) {
        m_work->run();
        return;
    }
    // Recorded when it comes for the second time: the first, without a graph, has warmed everything up.
    if (m_capture && shape == m_last) {
        try {
            m_work.reset();
            m_work = std::make_unique<gpu::CapturedWork>(
                m_device, [this] { work(); }, 0);
            m_recorded = shape;
            m_work->run();
            return;
        } catch (const c10::Error&) { // goes on without
            m_work.reset();
            m_capture = false;
        }
    }
    m_last = shape;
    work();
}

} // namespace accumulus
