// SPDX-License-Identifier: GPL-3.0-or-later
// The sampler's ids cut into windows, and windows into micro-batches, under the tail policy. No torch. One thread.
#pragma once

#include "core/config/batch_plan.h"
#include "core/config/experiment_config.h"
#include "core/window/planted_bug.h"

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

namespace accumulus {

/// One window to train.
struct WindowPlan {
    std::int64_t epoch = 0;               ///< of its first sample
    std::vector<std::int64_t> ids;        ///< sample ids in order
    std::vector<std::int64_t> epochs;     ///< of each id: a carried tail goes on into the next epoch
    std::vector<std::int64_t> microSizes; ///< sum to ids.size()
    bool makesUpdate = true;              ///< false: left-over samples of a leaking tail, accumulated without an update
    std::int64_t epochsCompleted = 0;     ///< after this window
    double epochPosition = 0.0;           ///< after this window
    std::int64_t nominalSteps = 1;        ///< K of a full window
    std::int64_t nominal = 0;             ///< B of this window; more than it holds when it is a short tail
};

/// Where the next window starts; everything needed to continue.
struct PlannerPosition {
    std::int64_t epoch = 0;
    std::int64_t sample = 0; ///< within the epoch
    bool operator==(const PlannerPosition&) const = default;
};

/// The sizes of all micro-batches that a run of `updates` updates meets, ramps and short tails included. `samples`: of
/// an epoch that are trained on. `wholeEpochs`: the run ends with an epoch, and so behind a leaked tail. Arithmetic
/// only; its time grows with the ramp's points, not with the updates.
[[nodiscard]] std::set<std::int64_t> microSizesOfRun(const BatchPlan& batch, TailPolicy tail, std::int64_t samples,
                                                     std::int64_t updates, bool wholeEpochs);

class WindowPlanner {
public:
    /// `samples`: size of the training set, at least the largest B. `epochs`: where to end; 0: never. `used`: samples
    /// of an epoch that are trained on, the first ones of its order (data.drop_last); 0: all.
    WindowPlanner(BatchPlan batch, TailPolicy tail, std::int64_t samples, bool shuffle, std::int64_t seed,
                  std::int64_t epochs, PlantedBug bug = PlantedBug::None, std::int64_t used = 0);

    /// The next window, or nothing at the end of the last epoch (carry: when the rest no longer fills a window).
    /// `updatesDone`: of the run, which a ramp goes by: B is that of update updatesDone + 1, so a window without an
    /// update (skipped, left-over samples) is followed by one of the same B.
    [[nodiscard]] std::optional<WindowPlan> next(std::int64_t updatesDone = 0);

    /// What next() will return after so many updates; the position stays. Nothing, too, where the window goes on into
    /// the next epoch, whose order would have to be drawn now and again later.
    [[nodiscard]] std::optional<WindowPlan> foresee(std::int64_t updatesDone);

    [[nodiscard]] PlannerPosition position() const { return m_position; }
    void seek(PlannerPosition position) { m_position = position; }
    [[nodiscard]] const BatchPlan& batch() const { return m_batch; }

private:
    const std::vector<std::int64_t>& order(std::int64_t epoch);
    void append(WindowPlan& plan, std::int64_t count);
    [[nodiscard]] std::int64_t wantedSamples(std::int64_t effective) const;
    void dropTail(std::int64_t effective);

    BatchPlan m_batch;
    TailPolicy m_tail;
    std::int64_t m_drawn;   ///< samples that an epoch's order holds
    std::int64_t m_samples; ///< of these, trained on
    bool m_shuffle;
    std::int64_t m_seed;
    std::int64_t m_epochs;
    PlantedBug m_bug;
    PlannerPosition m_position;
    std::int64_t m_orderEpoch = -1;
    std::vector<std::int64_t> m_order;
};

} // namespace accumulus
