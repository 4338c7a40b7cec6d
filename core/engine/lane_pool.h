// SPDX-License-Identifier: GPL-3.0-or-later
// Lanes whose threads are set up for LibTorch's kernels. Owned by the trainer's thread, which is lane 0.
#pragma once

#include "core/engine/lanes.h"

#include <functional>

namespace accumulus {

class LanePool {
public:
    /// `threads`: kernel threads of each lane. Throws std::system_error where a thread cannot be created.
    LanePool(int lanes, int threads);

    [[nodiscard]] int count() const { return m_lanes.count(); }
    /// Runs `work(lane)` once in every lane; see Lanes::run.
    void run(const std::function<void(int lane)>& work);

private:
    int m_threads;
    Lanes m_lanes;
};

} // namespace accumulus
