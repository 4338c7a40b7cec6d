// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/graph_executor.h"

#include "core/cuda/device.h"

namespace accumulus {

GraphExecutor::GraphExecutor(ModelState& state, DeviceSums* sums, Recovery& recovery, LanePool& lanes,
                             std::unique_ptr<MicroStep> step, const Settings& settings, FaultInjector fault)
    : Executor(state, recovery, std::move(fault)), m_lanes(lanes), m_step(std::move(step)), m_device(settings.device),
      m_capture(settings.capture) {
    const bool records = settings.obstacle.empty() && m_capture != CapturePolicy::Off;
    if (!settings.meetsRanks)
        m_update =
            std::make_unique<UpdateGraph>(state, *sums, settings.device, records ? m_capture : CapturePolicy::Off);
    if (records)
        m_graph = std::make_unique<MicroStepGraph>(*m_step, state, *sums, settings.graph);
    else if (m_capture == CapturePolicy::On)
        throw UnusableGraph(settings.obstacle);
}

Accumulated GraphExecutor::accumulate(const WindowPlan& plan, const WindowRequest& request, const Gate& gate,
                                      const AfterCommit& afterCommit) {
    if (m_graph) {
        const bool whole = m_recovery.largestPart() == 0; // what did not fit is computed in parts
        m_lanes.run([&](int) { m_graph->begin(plan, request, whole); });
        if (m_capture == CapturePolicy::On && !m_graph->problem().empty())
            throw UnusableGraph(m_graph->problem());
    }
    return oneByOne(m_lanes, plan, request, gate, afterCommit,
                    [&](const MicroBatches& batches, std::int64_t index, Accumulated& accumulated) {
                        add(batches, index, request, accumulated);
                    });
}

void GraphExecutor::add(const MicroBatches& batches, std::int64_t index, const WindowRequest& request,
                        Accumulated& accumulated) {
    if (m_graph && m_graph->takes(index)) {
        m_graph->run(index);
        accumulated.tokens += m_step->source().block() * batches.size(index);
        ++accumulated.steps;
        return;
    }
    const auto enter = [&](bool alone) -> std::optional<bool> {
        if (alone && m_graph) // they are of no use while micro-batches are computed in parts
            m_graph->giveBack();
        if (alone && m_device.is_cuda()) // what the allocator keeps for sizes that are not asked for any more
            gpu::releaseUnused(m_device);
        return true;
    };
    const auto micro = compute(*m_step, batches, index, request.scale, enter);
    commit(*micro, batches.place(index), accumulated);
}

WindowGradient GraphExecutor::close(double lr, const NextPlan& next) {
    if (!m_update)
        return Executor::close(lr, next);
    m_updating = true;
    m_update->run(lr);
    foresee(next);
    WindowGradient closed = m_state.window.closed(); // waits for the device: an update may have been made until then
    m_updating = false;
    return closed;
}

/// While the device works off what is queued. Nothing of it is needed, so nothing of it may fail.
void GraphExecutor::foresee(const NextPlan& next) {
    if (!m_graph || !next || m_recovery.largestPart() != 0)
        return;
    try {
        if (const auto plan = next())
            m_graph->foresee(*plan);
    } catch (const std::exception&) { // NOLINT(bugprone-empty-catch): the window itself will say so, in its time
    }
}

void GraphExecutor::update(double lr) {
    if (m_update)
        m_state.optimizer.countUpdate(m_state.window.touched());
    else
        Executor::update(lr);
}

std::string GraphExecutor::graphProblem() const {
    if (m_graph && !m_graph->problem().empty())
        return m_graph->problem();
    return m_update ? m_update->problem() : std::string();
}

} // namespace accumulus
