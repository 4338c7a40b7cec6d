// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/update_graph.h"

namespace accumulus {

std::string firstLineOf(const std::exception& problem) {
    const std::string text = problem.what();
    return text.substr(0, text.find('\n'));
}

UpdateGraph::UpdateGraph(ModelState& state, DeviceSums& sums, at::Device device, CapturePolicy capture)
    : m_state(state), m_sums(sums), m_device(device),
      m_capture(state.optimizer.takesLrFromDevice() ? capture : CapturePolicy::Off) {}

void UpdateGraph::work() {
    m_sums.queueClose(m_state.window.touched(), m_state.window.closingClip());
    m_state.optimizer.queueUpdate(m_state.parameters, m_state.window.gradient(), m_sums.foundInf());
}

void UpdateGraph::run(double lr) {
    queue(lr);
    m_sums.queueRestart();
}

void UpdateGraph::queue(double lr) {
    m_sums.setFactor(m_state.window.closingFactor());
    m_state.optimizer.prepareUpdate(m_state.window.touched(), lr);
    Shape shape;
    for (const FlatOptimizer::Range& range : m_state.optimizer.rangesOf(m_state.window.touched()))
        shape.ranges.emplace_back(range.begin, range.end);
    shape.generation = m_sums.generation();
    if (m_graph && shape == m_recorded) {
        m_graph->run();
        return;
    }
    // Recorded when it comes for the second time: the first, without a graph, has warmed everything up.
    if (m_capture != CapturePolicy::Off && shape == m_last) {
        try {
            m_graph.reset();
            m_graph = std::make_unique<gpu::CapturedGraph>(
                m_device, [this] { work(); }, 0);
            m_recorded = shape;
            m_graph->run();
            return;
        } catch (const c10::Error& problem) {
            m_graph.reset();
            m_problem = firstLineOf(problem);
            if (m_capture == CapturePolicy::On)
                throw UnusableGraph(m_problem);
            m_capture = CapturePolicy::Off; // goes on without
        }
    }
    m_last = shape;
    work();
}

} // namespace accumulus
