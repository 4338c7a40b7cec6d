// SPDX-License-Identifier: GPL-3.0-or-later
// Graph M: a whole micro-step, from sample keys to the accumulator, recorded as a CUDA graph and repeated for each full
// micro-batch of a window: any number of accumulation steps and any loss scale without recording anew. A shorter last
// micro-batch, or a window that was open before, does not go through it. The trainer's thread.
#pragma once

#include "core/cuda/captured_graph.h"
#include "core/engine/executor.h"
#include "core/window/device_sums.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace accumulus {

class MicroStepGraph {
public:
    struct Settings {
        at::Device device = at::kCPU;
        at::ScalarType type = at::kFloat; ///< of parameters
        bool scaled = false;              ///< there is a loss scale
        std::int64_t largestWindow = 0;   ///< samples; a larger window is computed without the graph
    };
    /// All must outlive it. `step` has resident data.
    MicroStepGraph(MicroStep& step, ModelState& state, DeviceSums& sums, const Settings& settings);

    /// Hands the keys of a window to the device, and records the micro-step where that was not done for its size: this
    /// changes the empty `window`, which is cleared again. A failure to record is kept, and nothing is tried again.
    /// Unless it is `wanted`, the graph takes nothing of this window.
    void begin(const WindowPlan& plan, const WindowRequest& request, bool wanted = true);
    /// Is micro-step `index` of that window one for the graph?
    [[nodiscard]] bool takes(std::int64_t index) const;
    /// Queues it, commit included.
    void run(std::int64_t index);
    /// Why recording failed; empty while it did not.
    [[nodiscard]] const std::string& problem() const { return m_problem; }

private:
    [[nodiscard]] bool upload(const WindowPlan& plan, const WindowRequest& request);
    void record(std::int64_t micro);
    void body();

    MicroStep& m_step;
    ModelState& m_state;
    DeviceSums& m_sums;
    Settings m_settings;
    std::unique_ptr<gpu::CapturedGraph> m_graph;
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
    std::int64_t m_nextRow = 0; ///< what m_row holds when the queued work is done
    double m_scale = 1.0;
    std::vector<double> m_units;
    std::vector<bool> m_full; ///< micro-step has the recorded size
};

} // namespace accumulus
