// SPDX-License-Identifier: GPL-3.0-or-later
// Computes the micro-batches of a window on lanes and commits them in order. Called by the trainer's thread.
#pragma once

#include "core/parallel/lanes.h"
#include "core/train/gradient_window.h"
#include "core/train/micro_step.h"
#include "core/train/window_planner.h"

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

namespace accumulus {

class WindowEngine {
public:
    /// `threads`: kernel threads of each lane.
    WindowEngine(int lanes, int threads);

    /// Builds each lane's buffers, in its own thread so that they lie in memory near it.
    void prepare(const std::function<std::unique_ptr<MicroStep>()>& make);

    /// Called by any lane before it takes another micro-step; may block (pause). False abandons the window.
    using Gate = std::function<bool()>;
    /// Called in commit order after micro-step k (0, 1, ...) was committed, by the lane that computed it.
    using AfterCommit = std::function<void(std::int64_t)>;

    /// All micro-steps of `plan` into `window`. False when the gate said no: then `window` holds a part and must be cleared.
    [[nodiscard]] bool accumulate(const WindowPlan& plan, GradientWindow& window, const Gate& gate, const AfterCommit& afterCommit = {});

    /// Runs `work(lane)` in every lane (evaluation).
    void run(const std::function<void(int)>& work) { m_lanes.run(work); }
    [[nodiscard]] int laneCount() const { return m_lanes.count(); }

private:
    Lanes m_lanes;
    Turnstile m_turnstile;
    std::vector<std::unique_ptr<MicroStep>> m_steps;
};

} // namespace accumulus
