// SPDX-License-Identifier: GPL-3.0-or-later
// Graph S: a window divided, clipped and applied on the device, recorded as a CUDA graph. The trainer's thread.
#pragma once

#include "core/cuda/captured_graph.h"
#include "core/engine/model_state.h"
#include "core/window/device_sums.h"

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace accumulus {

/// device.capture = "on" where work cannot be recorded.
class UnusableGraph : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The first line of what CUDA says.
[[nodiscard]] std::string firstLineOf(const std::exception& problem);

/// Graph S, or the same work without one.
class UpdateGraph {
public:
    /// All must outlive it. `capture`: Off, or record it once its shape has come twice.
    UpdateGraph(ModelState& state, DeviceSums& sums, at::Device device, CapturePolicy capture);

    /// Queues division, clipping and the update, which the device leaves out when the window is not finite; the next
    /// window is then counted from its first micro-step. Throws UnusableGraph under CapturePolicy::On where it cannot
    /// be recorded; nothing was changed then.
    void run(double lr);
    /// Why recording failed; empty while it did not.
    [[nodiscard]] const std::string& problem() const { return m_problem; }

private:
    /// What a recorded update depends on.
    struct Shape {
        std::vector<std::pair<std::int64_t, std::int64_t>> ranges;
        int generation = -1;
        bool operator==(const Shape&) const = default;
    };
    void queue(double lr);
    void work();

    ModelState& m_state;
    DeviceSums& m_sums;
    at::Device m_device;
    CapturePolicy m_capture;
    std::string m_problem;
    Shape m_last, m_recorded;
    std::unique_ptr<gpu::CapturedGraph> m_graph;
};

} // namespace accumulus
