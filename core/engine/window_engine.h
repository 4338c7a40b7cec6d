// SPDX-License-Identifier: GPL-3.0-or-later
// Computes the micro-batches of a window on lanes and commits them in order, through faults: a micro-step that fails is
// computed again, one that runs out of memory in smaller parts, one that overflows at a lower loss scale. Called by the
// trainer's thread.
#pragma once

#include "core/engine/lanes.h"
#include "core/engine/micro_step.h"
#include "core/engine/micro_step_graph.h"
#include "core/window/gradient_window.h"
#include "core/window/running_statistics.h"
#include "core/window/window_planner.h"

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace accumulus {

/// A failure while the window was being changed: what it holds is of no use. The trainer clears it and computes it
/// again.
class WindowBroken : public std::exception {
public:
    explicit WindowBroken(std::exception_ptr cause) : m_cause(std::move(cause)) {}
    [[nodiscard]] const char* what() const noexcept override { return "the window was broken off"; }
    [[nodiscard]] const std::exception_ptr& cause() const { return m_cause; }

private:
    std::exception_ptr m_cause;
};

/// How a window is to be computed.
struct WindowOptions {
    std::int64_t window = 0; ///< number in the run, from 1
    std::int64_t seed = 0;
    std::int64_t done = 0; ///< micro-steps that `window` holds already (a resume in mid-window)
    double lossScale = 1.0;
    bool retryOverflow = false; ///< compute micro-steps that overflow again at lower scales
};

/// What computing it took.
struct WindowReport {
    bool complete = true;       ///< false: the gate said no
    std::int64_t committed = 0; ///< micro-steps of the plan that the window holds now
    std::int64_t tokens = 0;
    MicroTimes times; ///< sums over lanes
    double commitSeconds = 0.0;
    int overflows = 0;               ///< micro-steps that were computed again at a lower scale
    bool overflowed = false;         ///< one overflowed at every scale that was tried
    std::vector<std::string> faults; ///< what failed and was computed again
};

class WindowEngine {
public:
    struct Settings {
        int lanes = 1;
        int threads = 1;              ///< kernel threads of each lane
        bool lean = false;            ///< one lane; adds gradients in place
        bool resplit = true;          ///< out of memory: compute in parts
        at::Device device = at::kCPU; ///< a GPU has one lane
        FaultInjector fault;
    };
    explicit WindowEngine(Settings settings);

    /// Builds each lane's buffers, in its own thread so that they lie in memory near it.
    void prepare(const std::function<std::unique_ptr<MicroStep>()>& make);

    /// On a GPU: full micro-steps are queued as a graph. Only what it does not take is computed in parts when memory
    /// runs out.
    void useGraph(std::unique_ptr<MicroStepGraph> graph) { m_graph = std::move(graph); }
    [[nodiscard]] const MicroStepGraph* graph() const { return m_graph.get(); }
    [[nodiscard]] MicroStep& step(std::size_t lane) { return *m_steps[lane]; }

    /// Called by any lane before it takes another micro-step; may block (pause). False breaks the window off behind the
    /// micro-steps that are committed.
    using Gate = std::function<bool()>;
    /// Called in commit order after micro-step k (0, 1, ...) was committed, by the lane that computed it.
    using AfterCommit = std::function<void(std::int64_t)>;

    /// The micro-steps of `plan` from options.done on into `window` and `statistics`. Throws what a micro-step threw
    /// twice, OutOfMemory when one sample does not fit, and WindowBroken.
    [[nodiscard]] WindowReport accumulate(const WindowPlan& plan, GradientWindow& window, RunningStatistics& statistics,
                                          const WindowOptions& options, const Gate& gate,
                                          const AfterCommit& afterCommit = {});

    /// Runs `work(lane)` in every lane (evaluation).
    void run(const std::function<void(int)>& work);
    [[nodiscard]] int laneCount() const { return m_lanes.count(); }
    /// Most samples computed at once; 0 while everything fits. Halved when memory runs out, doubled again after
    /// windowsBeforeGrowth windows that fit.
    [[nodiscard]] std::int64_t largestPart() const { return m_part; }
    static constexpr int windowsBeforeGrowth = 50;

private:
    struct Job;
    void takeCallingThread() const;
    void work(Job& job, int lane);
    MicroGradient compute(Job& job, MicroStep& step, std::uint32_t index);
    MicroGradient computeRobustly(Job& job, MicroStep& step, std::uint32_t index);
    MicroGradient computeInLessMemory(Job& job, MicroStep& step, std::uint32_t index);
    void computeLean(Job& job, MicroStep& step, std::uint32_t index);
    void releaseUnusedMemory() const;
    void growBack(bool fitted, std::int64_t micro);

    Settings m_settings;
    Lanes m_lanes;
    Turnstile m_turnstile;
    std::vector<std::unique_ptr<MicroStep>> m_steps;
    std::unique_ptr<MicroStepGraph> m_graph;
    std::atomic<std::int64_t> m_part{0};
    int m_windowsThatFitted = 0;
};

/// Was memory refused? By type, never by the text of a message.
[[nodiscard]] bool isOutOfMemory(const std::exception_ptr& problem);

} // namespace accumulus
