// SPDX-License-Identifier: GPL-3.0-or-later
// The batch triple B = m x K x D and what it makes of a data set: windows, micro-batches, updates. Pure arithmetic, shared by the trainer,
// the form, the planner and the reports. Any thread.
#pragma once

#include "core/base/result.h"
#include "core/config/experiment_config.h"

#include <cstdint>
#include <vector>

namespace accumulus {

/// A resolved triple. microSizes are the micro-batches of one full window over all devices: m, m, ..., rest.
struct BatchPlan {
    std::int64_t effective = 0;
    std::int64_t micro = 0;
    std::int64_t steps = 0;
    std::int64_t devices = 1;
    std::vector<std::int64_t> microSizes;
    [[nodiscard]] bool ragged() const { return !microSizes.empty() && microSizes.back() != micro; }
    bool operator==(const BatchPlan&) const = default;
};

/// Derives what is 0 and checks that the rest agrees. Exactly one of effective and steps may be 0 (both given must agree).
/// Errors "config.batch.multiple" (arguments lower, upper: nearest multiples), "config.batch.micro-exceeds" (one micro-step is more
/// than the effective batch), "config.batch.disagree", and "config.value" for numbers out of range or a window of more than a million
/// micro-batches.
[[nodiscard]] Result<BatchPlan> resolveBatch(const BatchConfig& batch);

/// Sizes of the micro-batches of a window of `samples` samples: none exceeds `micro`, they sum to `samples`; only the last may be smaller.
[[nodiscard]] std::vector<std::int64_t> microSizes(std::int64_t samples, std::int64_t micro);

/// What one epoch of `samples` training samples becomes.
struct EpochPlan {
    std::int64_t samples = 0;
    std::int64_t fullWindows = 0;
    std::int64_t tailSamples = 0;     ///< samples of the short last window; 0 when B divides the epoch
    std::int64_t updates = 0;         ///< updates per epoch under the tail policy (carry: of the first epoch)
    bool operator==(const EpochPlan&) const = default;
};
[[nodiscard]] EpochPlan planEpoch(const BatchPlan& batch, std::int64_t samples, TailPolicy tail);

/// Updates of a whole run. apply: sum over epochs of ceil(D/B); drop and leak: floor(D/B) each; carry: floor(epochs D / B). An extent in
/// samples ends at the first update at or after that many training samples seen; dropped samples are not seen, leaked ones are.
/// 0 when no window can ever be completed (drop or leak with fewer samples than B).
[[nodiscard]] std::int64_t totalUpdates(const BatchPlan& batch, std::int64_t samples, TailPolicy tail, const Extent& length);
/// An extent of the schedule or an interval in updates, at least 1 when its count is positive.
[[nodiscard]] std::int64_t extentInUpdates(const Extent& extent, const BatchPlan& batch, std::int64_t samples, TailPolicy tail);

} // namespace accumulus
