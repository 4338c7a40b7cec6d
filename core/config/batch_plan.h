// SPDX-License-Identifier: GPL-3.0-or-later
// The batch triple B = m x K x D and what it makes of a data set: windows, micro-batches, updates. Pure arithmetic,
// shared by the trainer, the form, the planner and the reports. Any thread.
#pragma once

#include "core/base/result.h"
#include "core/config/experiment_config.h"

#include <cstdint>
#include <vector>

namespace accumulus {

/// A resolved triple. microSizes are the micro-batches of one full window over all devices: m, m, ..., rest. With a
/// ramp, effective, steps and microSizes are those of the first update.
struct BatchPlan {
    std::int64_t effective = 0;
    std::int64_t micro = 0;
    std::int64_t steps = 0;
    std::int64_t devices = 1;
    std::vector<std::int64_t> microSizes;
    BatchRamp ramp{}; ///< points after the first update, B(u) != B(u - 1) at each; empty: B is constant
    [[nodiscard]] bool ragged() const { return !microSizes.empty() && microSizes.back() != micro; }
    /// B(u): effective batch of the window that makes update `update` (1, 2, ...).
    [[nodiscard]] std::int64_t effectiveAt(std::int64_t update) const;
    [[nodiscard]] std::int64_t largestEffective() const;
    /// K of the windows of the largest B.
    [[nodiscard]] std::int64_t largestSteps() const;
    bool operator==(const BatchPlan&) const = default;
};

/// Derives what is 0 and checks that the rest agrees. Exactly one of effective and steps may be 0 (both given must
/// agree, for the first update where there is a ramp). Each value of the ramp must come out too: a multiple of m x D
/// unless ragged; then m is at most the largest B, so that a window of a smaller B is a single, smaller micro-batch.
/// Errors "config.batch.multiple" (arguments lower, upper: nearest multiples), "config.batch.micro-exceeds" (one
/// micro-step is more than the effective batch), "config.batch.ramp-multiple", "config.batch.ramp-exceeds" (the same
/// for a value of the ramp; argument update), "config.batch.disagree", and "config.value" for numbers out of range or a
/// window of more than a million micro-batches.
[[nodiscard]] Result<BatchPlan> resolveBatch(const BatchConfig& batch);

/// Sizes of the micro-batches of a window of `samples` samples: none exceeds `micro`, they sum to `samples`; only the
/// last may be smaller.
[[nodiscard]] std::vector<std::int64_t> microSizes(std::int64_t samples, std::int64_t micro);

/// Samples of an epoch that are trained on: all, or with data.drop_last the largest multiple of data.drop_multiple (0:
/// of the micro-batch).
[[nodiscard]] std::int64_t usedSamples(const DataConfig& data, const BatchPlan& batch, std::int64_t samples);

/// What one epoch of `samples` training samples becomes; with a ramp, the first epoch.
struct EpochPlan {
    std::int64_t samples = 0;
    std::int64_t fullWindows = 0;
    std::int64_t tailSamples = 0; ///< samples of the short last window; 0 when B divides the epoch
    std::int64_t updates = 0;     ///< updates per epoch under the tail policy (carry: of the first epoch)
    bool operator==(const EpochPlan&) const = default;
};
[[nodiscard]] EpochPlan planEpoch(const BatchPlan& batch, std::int64_t samples, TailPolicy tail);

/// Updates of a whole run. apply: sum over epochs of ceil(D/B); drop and leak: floor(D/B) each; carry: floor(epochs D /
/// B). An extent in samples ends at the first update at or after that many training samples seen; dropped samples are
/// not seen, leaked ones are. 0 when no window can ever be completed (drop or leak with fewer samples than B). With a
/// ramp the run is followed through its pieces of constant B; it ends early where a B is larger than the epoch. Its
/// time grows with the ramp's points, not with the updates.
[[nodiscard]] std::int64_t totalUpdates(const BatchPlan& batch, std::int64_t samples, TailPolicy tail,
                                        const Extent& length);
/// An extent of the schedule or an interval in updates, at least 1 when its count is positive. With a ramp: of the
/// run's beginning.
[[nodiscard]] std::int64_t extentInUpdates(const Extent& extent, const BatchPlan& batch, std::int64_t samples,
                                           TailPolicy tail);

/// Training samples seen by the first `updates` updates of a run, left-over samples between them included.
[[nodiscard]] std::int64_t samplesOfUpdates(const BatchPlan& batch, std::int64_t samples, TailPolicy tail,
                                            std::int64_t updates);

} // namespace accumulus
