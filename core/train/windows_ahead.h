// SPDX-License-Identifier: GPL-3.0-or-later
// Hands the samples of the windows to come to ReadAhead: those that this process will read, in its order. Without
// LibTorch.
#pragma once

#include "core/data/file_limits.h"
#include "core/data/read_ahead.h"
#include "core/window/window_planner.h"

#include <cstdint>
#include <deque>
#include <vector>

namespace accumulus {

class WindowsAhead {
public:
    /// `rank` of `ranks` computes every ranks-th micro-step. `ask`: as ReadAhead's.
    WindowsAhead(TensorColumn column, int rank, int ranks, std::int64_t ahead = fileLimits().ahead,
                 ReadAhead::Ask ask = {});

    /// `plan` is computed now, from micro-step `done` on, after `updates` updates. `planner` stands behind it and is
    /// left there. The trainer's thread.
    void begin(const WindowPlan& plan, std::int64_t done, WindowPlanner& planner, std::int64_t updates);
    /// Micro-step 0, 1, ... of that window was committed by this process. Any lane.
    void committed(std::int64_t microStep);

    /// Beyond the window that is computed now. At least one is looked at.
    static constexpr std::size_t mostWindows = 1024;
    static constexpr std::int64_t mostSamples = 1 << 16;

private:
    using Ids = std::vector<std::int64_t>;
    [[nodiscard]] Ids ownOf(const WindowPlan& plan, std::int64_t done) const;
    void lookAhead(WindowPlanner& planner);

    int m_rank, m_ranks;
    ReadAhead m_reader;
    std::deque<Ids> m_windows;          ///< handed over, behind the one that is computed now
    std::int64_t m_samples = 0;         ///< of these
    PlannerPosition m_position;         ///< behind them
    std::int64_t m_updates = 0;         ///< made before the next one
    std::int64_t m_end = 0;             ///< samples handed over up to the end of the window that is computed now
    std::vector<std::int64_t> m_readBy; ///< of these, read once each of its micro-steps is committed
};

} // namespace accumulus
