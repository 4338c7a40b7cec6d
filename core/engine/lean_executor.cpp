// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/lean_executor.h"

namespace accumulus {

LeanExecutor::LeanExecutor(ModelState& state, Recovery& recovery, LanePool& lanes, std::unique_ptr<MicroStep> step,
                           bool leavesOut, FaultInjector fault)
    : Executor(state, recovery, std::move(fault)), m_lanes(lanes), m_step(std::move(step)), m_leavesOut(leavesOut) {}

Accumulated LeanExecutor::accumulate(const WindowPlan& plan, const WindowRequest& request, const Gate& gate,
                                     const AfterCommit& afterCommit) {
    return oneByOne(m_lanes, plan, request, gate, afterCommit,
                    [&](const MicroBatches& batches, std::int64_t index, Accumulated& accumulated) {
                        add(batches, index, request, accumulated);
                    });
}

void LeanExecutor::add(const MicroBatches& batches, std::int64_t index, const WindowRequest& request,
                       Accumulated& accumulated) {
    const MicroStepPlace place = batches.place(index);
    if (request.leaveOut.contains(index)) {
        MicroGradient nothing;
        nothing.finite = false;
        nothing.microStep = index;
        commit(nothing, place, accumulated);
        return;
    }
    const std::int64_t pieces = m_state.window.pieces();
    try {
        const SampleKeys keys = batches.keys(index);
        const std::optional<double> units = m_step->unitsOf(keys);
        const auto parts = partsOf(batches.size(index), m_recovery.largestPart(), m_recovery.smallestPart());
        std::size_t first = 0;
        for (const std::int64_t part : parts) {
            const auto count = static_cast<std::size_t>(part);
            MicroGradient micro = m_step->gradientInto(
                m_state.window, {keys.seed, keys.ids.subspan(first, count), keys.epochs.subspan(first, count)}, place,
                request.scale, units);
            first += count;
            micro.continues = first < keys.size();
            if (micro.continues) {
                m_state.window.commit(micro);
                m_state.statistics.commit(micro.statistics, index);
                accumulated.tokens += micro.tokens;
                accumulated.times += micro.times;
            } else {
                commit(micro, place, accumulated);
            }
        }
    } catch (const WindowBroken&) {
        throw;
    } catch (...) {
        throw WindowBroken(std::current_exception());
    }
    if (m_leavesOut)
        if (const auto problem = m_state.window.nonfiniteSince(pieces))
            throw MicroStepNotFinite(index, *problem == GradientWindow::Nonfinite::Gradient && request.scale != 1.0);
}

} // namespace accumulus
