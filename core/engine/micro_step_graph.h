// SPDX-License-Identifier: GPL-3.0-or-later
// Graph M: a whole micro-step, from sample keys to the accumulator, recorded as a CUDA graph for each size of
// micro-batch and repeated wherever that size comes: any number of accumulation steps and any loss scale without
// recording anew. Graphs of several sizes are kept side by side while memory allows. The trainer's thread.
#pragma once

#include "core/cuda/captured_graph.h"
#include "core/engine/executor.h"
#include "core/engine/window_keys.h"
#include "core/window/device_sums.h"

#include <map>
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
        std::int64_t largestWindow = 0;   ///< samples; a larger window is computed without graphs
        std::int64_t mostBytes = 0;       ///< that the graphs of several sizes hold together; 0: no bound
    };
    /// All must outlive it. `step` has resident data.
    MicroStepGraph(MicroStep& step, ModelState& state, DeviceSums& sums, const Settings& settings);

    /// Hands the keys of a window to the device, and records micro-steps of its sizes where that was not done and is
    /// worth it: this changes the empty `window`, which is cleared again. Where the first size cannot be recorded, that
    /// is kept as the problem, and nothing is tried again. Unless they are `wanted`, graphs take nothing of this
    /// window.
    void begin(const WindowPlan& plan, const WindowRequest& request, bool wanted = true);
    /// Is micro-step `index` of that window one for a graph?
    [[nodiscard]] bool takes(std::int64_t index) const;
    /// Queues it, commit included.
    void run(std::int64_t index);
    /// The present window is closed, and `next` will probably follow it: its keys are queued behind it.
    void foresee(const WindowPlan& next);
    /// Memory ran out: what graphs hold is given back. Sizes that come again are recorded again.
    void giveBack();
    /// Why recording failed; empty while it did not.
    [[nodiscard]] const std::string& problem() const { return m_problem; }

private:
    /// A micro-step of one size.
    struct Graph {
        std::unique_ptr<gpu::CapturedGraph> captured{}; ///< null: kernel by kernel
        at::Tensor keys{};                              ///< int64 [samples, 2]
        std::vector<bool> touched{};
        std::vector<std::vector<NormStatistics>> statistics{}; ///< on several ranks: what it leaves behind
        std::int64_t bytes = 0;      ///< that it holds, or held when it was recorded; 0: never recorded
        std::int64_t lastWindow = 0; ///< that had such a micro-step, counted by begin(); 0: none
        bool refused = false;        ///< it could not be recorded

        /// With what it leaves behind, which lies in its memory.
        void drop() {
            statistics.clear();
            captured.reset();
        }
    };
    void recordSizes(const WindowPlan& plan);
    [[nodiscard]] bool isWorthIt(const WindowPlan& plan, std::int64_t size, std::int64_t cameBefore) const;
    void record(std::int64_t size, std::int64_t cameBefore);
    void capture(std::int64_t size);
    void body(Graph& graph);
    void keepStatistics(const Graph& graph, std::int64_t index);
    [[nodiscard]] std::int64_t held() const;
    [[nodiscard]] std::int64_t expectedBytes(std::int64_t size) const;
    [[nodiscard]] bool makeRoom(std::int64_t size, std::int64_t bytes, std::int64_t cameBefore);
    [[nodiscard]] bool dropOlder(std::int64_t size, std::int64_t cameBefore);
    void dropMoved();
    [[nodiscard]] WindowKeys::WeightOf weightsAt(double scale) const;
    void queueRow(std::int64_t row);
    void releaseUnused() const;

    MicroStep& m_step;
    ModelState& m_state;
    DeviceSums& m_sums;
    Settings m_settings;
    std::int64_t m_mostBytes;
    std::map<std::int64_t, Graph> m_graphs; ///< by samples
    int m_generation = 0;                   ///< of the window's sums, when they were recorded
    const void* m_buffer = nullptr;         ///< of the micro-batch, likewise
    std::string m_problem;
    std::int64_t m_windows = 0; ///< begun
    // What graphs read.
    WindowKeys m_keys;
    at::Tensor m_row;    ///< int64: micro-step of the window that comes next
    at::Tensor m_weight; ///< fp64
    at::Tensor m_lossScale;
    // The open window, as the host knows it.
    std::vector<Graph*> m_taken; ///< by micro-step; null: not for a graph
    std::int64_t m_nextRow = -1; ///< what m_row holds when the queued work is done; -1: unknown
    double m_scale = 1.0;
    std::int64_t m_seed = 0;
};

} // namespace accumulus
