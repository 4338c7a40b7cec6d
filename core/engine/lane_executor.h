// SPDX-License-Identifier: GPL-3.0-or-later
// Micro-steps on lanes: each computes into gradients of its own, and the turnstile commits them in micro-batch order
// whatever lane finished first. So a run has the same bits on any number of lanes.
#pragma once

#include "core/engine/executor.h"

#include <memory>
#include <shared_mutex>
#include <vector>

namespace accumulus {

class LaneExecutor final : public Executor {
public:
    /// All must outlive it. `steps`: one for each lane of `lanes`.
    LaneExecutor(ModelState& state, Recovery& recovery, LanePool& lanes, std::vector<std::unique_ptr<MicroStep>> steps,
                 FaultInjector fault);

    [[nodiscard]] Accumulated accumulate(const WindowPlan& plan, const WindowRequest& request, const Gate& gate,
                                         const AfterCommit& afterCommit) override;
    [[nodiscard]] MicroStep& firstLane() override { return *m_steps.front(); }

private:
    struct Job;
    void work(Job& job, MicroStep& step);
    std::optional<MicroGradient> computeInLane(Job& job, MicroStep& step, std::int64_t turn);

    LanePool& m_lanes;
    std::vector<std::unique_ptr<MicroStep>> m_steps;
    Turnstile m_turnstile;
    std::shared_mutex m_activations; ///< held shared by lanes that compute; alone by one that needs all the memory
};

} // namespace accumulus
