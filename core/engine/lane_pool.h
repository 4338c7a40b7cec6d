// SPDX-License-Identifier: GPL-3.0-or-later
// Lanes whose threads are set up for LibTorch's kernels. Owned by the trainer's thread, which is lane 0.
#pragma once

#include "core/engine/lanes.h"
#include "core/window/workers.h"

#include <functional>

namespace accumulus {

class LanePool final : public Workers {
public:
    /// `threads`: kernel threads of each lane. Throws std::system_error where a thread cannot be created.
    LanePool(int lanes, int threads);

    [[nodiscard]] int count() const { return m_lanes.count(); }
    /// Runs `work(lane)` once in every lane; see Lanes::run.
    void run(const std::function<void(int lane)>& work);

    /// Parts of one piece of work, taken by the lanes; by kernel threads where there is only one lane.
    [[nodiscard]] int atOnce() const override { return count() > 1 ? count() : m_threads; }
    void forEach(std::int64_t parts, const std::function<void(std::int64_t part)>& work) override;

private:
    void setThreads() const;

    int m_threads;
    Lanes m_lanes;
};

} // namespace accumulus
