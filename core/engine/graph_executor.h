// SPDX-License-Identifier: GPL-3.0-or-later
// Micro-steps queued on a device: full ones as CUDA graph M, others kernel by kernel; the window is closed and applied
// as graph S, and only then does the host wait; on several ranks it waits for their sums to meet, and closes and
// applies the window kernel by kernel. Without a GPU (tests) a graph is the function that it records.
#pragma once

#include "core/engine/micro_step_graph.h"
#include "core/engine/update_graph.h"

#include <memory>
#include <string>

namespace accumulus {

class GraphExecutor final : public Executor {
public:
    struct Settings {
        at::Device device = at::kCPU;
        CapturePolicy capture = CapturePolicy::Auto;
        std::string obstacle;    ///< why micro-steps cannot be recorded; empty when they can
        bool meetsRanks = false; ///< sums meet those of other ranks before they are divided: no graph S
        MicroStepGraph::Settings graph;
    };
    /// All must outlive it; `sums` are those of state's window, or what this rank adds to them, and null where there is
    /// an obstacle because it adds nothing alone. Throws UnusableGraph under CapturePolicy::On where there is an
    /// obstacle.
    GraphExecutor(ModelState& state, DeviceSums* sums, Recovery& recovery, LanePool& lanes,
                  std::unique_ptr<MicroStep> step, const Settings& settings, FaultInjector fault);

    /// Throws UnusableGraph under CapturePolicy::On where recording fails, before the window is changed.
    [[nodiscard]] Accumulated accumulate(const WindowPlan& plan, const WindowRequest& request, const Gate& gate,
                                         const AfterCommit& afterCommit) override;
    [[nodiscard]] WindowGradient close(double lr, const NextPlan& next) override;
    [[nodiscard]] bool closeUpdates() const override { return m_updating; }
    void update(double lr) override;
    [[nodiscard]] bool seesOverflowsLate() const override { return true; }
    [[nodiscard]] MicroStep& firstLane() override { return *m_step; }
    [[nodiscard]] std::string graphProblem() const override;

private:
    void foresee(const NextPlan& next);
    void add(const MicroBatches& batches, std::int64_t index, const WindowRequest& request, Accumulated& accumulated);

    LanePool& m_lanes;
    std::unique_ptr<MicroStep> m_step;
    at::Device m_device;
    CapturePolicy m_capture;
    std::unique_ptr<MicroStepGraph> m_graph; ///< null where nothing is recorded
    std::unique_ptr<UpdateGraph> m_update;   ///< null on several ranks
    bool m_updating = false;                 ///< work that changes weights is being queued
};

} // namespace accumulus
