// SPDX-License-Identifier: GPL-3.0-or-later
// A window as two CUDA graphs: M, a whole micro-step from sample keys to the accumulator, and S, which divides, clips
// and updates. M is repeated for each full micro-batch, S ends the window: any number of accumulation steps, any
// learning rate and any loss scale without recording anew. What does not fit, a shorter last micro-batch or a window
// that was open before, is computed without a graph and commits to the same sums. One thread, which is that of the
// trainer.
#pragma once

#include "core/cuda/captured_graph.h"
#include "core/engine/micro_step.h"
#include "core/window/flat_optimizer.h"
#include "core/window/gradient_window.h"
#include "core/window/running_statistics.h"
#include "core/window/window_planner.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace accumulus {

struct WindowOptions;

/// Graph M.
class MicroStepGraph {
public:
    struct Settings {
        at::Device device = at::kCPU;
        at::ScalarType type = at::kFloat; ///< of parameters
        bool scaled = false;              ///< there is a loss scale
        std::int64_t largestWindow = 0;   ///< samples; a larger window is computed without the graph
    };
    /// All must outlive it. `step` has resident data.
    MicroStepGraph(MicroStep& step, GradientWindow& window, RunningStatistics& statistics, const Settings& settings);

    /// Hands the keys of a window to the device, and records the micro-step where that was not done for its size: this
    /// changes the empty `window`, which is cleared again. A failure to record is kept, and nothing is tried again.
    /// Unless it is `wanted`, the graph takes nothing of this window.
    void begin(const WindowPlan& plan, const WindowOptions& options, bool wanted = true);
    /// Is micro-step `index` of that window one for the graph?
    [[nodiscard]] bool takes(std::uint32_t index) const;
    /// Queues it, commit included.
    void run(std::uint32_t index);
    /// Why recording failed; empty while it did not.
    [[nodiscard]] const std::string& problem() const { return m_problem; }

private:
    [[nodiscard]] bool upload(const WindowPlan& plan, const WindowOptions& options);
    void record(std::int64_t micro);
    void body();

    MicroStep& m_step;
    GradientWindow& m_window;
    RunningStatistics& m_statistics;
    Settings m_settings;
    std::unique_ptr<gpu::CapturedWork> m_work;
    std::int64_t m_micro = 0;       ///< samples of the recorded micro-step
    int m_generation = 0;           ///< of the window's sums
    const void* m_buffer = nullptr; ///< of the micro-batch
    std::vector<bool> m_touched;
    std::string m_problem;
    // What the graph reads.
    at::Tensor m_windowKeys;    ///< int64 [largestWindow, 2]
    at::Tensor m_windowWeights; ///< fp64 [largestWindow]
    at::Tensor m_row;           ///< int64: micro-step of the window that comes next
    at::Tensor m_keys;          ///< int64 [micro, 2]
    at::Tensor m_weight;        ///< fp64
    at::Tensor m_lossScale;
    // The open window, as the host knows it.
    bool m_active = false;
    std::uint32_t m_nextRow = 0; ///< what m_row holds when the queued work is done
    double m_scale = 1.0;
    std::vector<std::int64_t> m_units;
    std::vector<bool> m_full; ///< micro-step has the recorded size
};

/// Graph S, or the same work without one.
class DeviceUpdate {
public:
    /// All must outlive it. `capture`: record it once its shape has come twice.
    DeviceUpdate(GradientWindow& window, FlatOptimizer& optimizer, at::Tensor& parameters, at::Device device,
                 bool capture);

    /// Queues division, clipping and the update, which the device leaves out when the window is not finite.
    void run(double lr);

private:
    /// What a recorded update depends on.
    struct Shape {
        std::vector<std::pair<std::int64_t, std::int64_t>> ranges;
        int generation = -1;
        bool operator==(const Shape&) const = default;
    };
    void work();

    GradientWindow& m_window;
    FlatOptimizer& m_optimizer;
    at::Tensor& m_parameters;
    at::Device m_device;
    bool m_capture;
    Shape m_last, m_recorded;
    std::unique_ptr<gpu::CapturedWork> m_work;
};

} // namespace accumulus
