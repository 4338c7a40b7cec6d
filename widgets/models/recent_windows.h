// SPDX-License-Identifier: GPL-3.0-or-later
// The newest windows of one run, whole: what the Live page says about the inside of a window (where its time went, its
// memory, the parameter probe). Values only; GUI thread.
#pragma once

#include "core/base/rank_totals.h"
#include "core/base/training_records.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

namespace accumulus::ui {

/// Means over windows; seconds of one window. The first four parts are summed over lanes, so all may exceed `whole`.
/// Of several ranks the first one's.
struct WindowCost {
    std::size_t windows = 0;
    double data = 0.0, forward = 0.0, backward = 0.0, commit = 0.0, update = 0.0;
    double waiting = 0.0, reducing = 0.0; ///< 0 where one rank computed all
    double whole = 0.0;
    std::int64_t peakBytes = 0; ///< highest so far; 0: not measured
    double lossScale = 1.0;     ///< of the newest window
    [[nodiscard]] double parts() const { return data + forward + backward + commit + waiting + reducing + update; }
    bool operator==(const WindowCost&) const = default;
};

/// One probed window in order: the values at each micro-step and, last, after the update.
struct ProbedWindow {
    std::int64_t window = 0;
    std::vector<MicroStepRecord> microSteps; ///< before the update
    std::optional<MicroStepRecord> updated;  ///< empty while the window is open
    /// The values stayed the same, bit for bit, until the update: what accumulation promises.
    [[nodiscard]] bool constantUntilUpdate() const;
    /// The update changed at least one of them. False while the window is open.
    [[nodiscard]] bool movedByUpdate() const;
};

class RecentWindows {
public:
    static constexpr std::size_t maxWindows = 50;
    static constexpr std::int64_t maxProbed = 6; ///< windows of the probe

    /// Rows that are known already are ignored.
    void add(const WindowRecord& window);
    void add(const MicroStepRecord& microStep);
    /// What lies after window `last` is superseded.
    void truncate(std::int64_t last);
    /// Takes what `later` knows beyond this.
    void append(const RecentWindows& later);

    [[nodiscard]] const std::deque<WindowRecord>& windows() const { return m_windows; }
    [[nodiscard]] bool probed() const { return !m_microSteps.empty(); }
    [[nodiscard]] WindowCost cost() const;
    /// Of those that as many ranks computed as the newest one; no ranks where one computed that.
    [[nodiscard]] RankTotals rankTotals() const;
    [[nodiscard]] std::vector<ProbedWindow> probedWindows() const;

private:
    std::deque<WindowRecord> m_windows;
    std::deque<MicroStepRecord> m_microSteps;
};

} // namespace accumulus::ui
