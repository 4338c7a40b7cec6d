// SPDX-License-Identifier: GPL-3.0-or-later
// Micro-steps whose gradients are added to the window in place, parameter by parameter as the backward pass frees them:
// one gradient copy less. Whatever fails breaks the window, which is then computed anew. One lane.
#pragma once

#include "core/engine/executor.h"

#include <memory>

namespace accumulus {

class LeanExecutor final : public Executor {
public:
    /// `leavesOut`: numerics.nonfinite = "skip-micro".
    LeanExecutor(ModelState& state, Recovery& recovery, LanePool& lanes, std::unique_ptr<MicroStep> step,
                 bool leavesOut, FaultInjector fault);

    [[nodiscard]] Accumulated accumulate(const WindowPlan& plan, const WindowRequest& request, const Gate& gate,
                                         const AfterCommit& afterCommit) override;
    [[nodiscard]] bool seesOverflowsLate() const override { return true; }
    [[nodiscard]] MicroStep& firstLane() override { return *m_step; }

private:
    void add(const MicroBatches& batches, std::int64_t index, const WindowRequest& request, Accumulated& accumulated);

    LanePool& m_lanes;
    std::unique_ptr<MicroStep> m_step;
    bool m_leavesOut;
};

} // namespace accumulus
