// SPDX-License-Identifier: GPL-3.0-or-later
// One micro-batch, tried: the lanes that a run would take, what it takes of memory, and how long an update lasts. For a
// process of its own, since memory that runs out may end it. Blocks the calling thread, which becomes lane 0.
#pragma once

#include "core/base/result.h"
#include "core/engine/engine_setup.h"

#include <cstdint>

namespace accumulus {

struct MicroTrial {
    LanePlan lanes;
    std::int64_t peakBytes = 0;   ///< of tensors, as a run counts them
    double updateSeconds = 0.0;   ///< of an update of the full effective batch, median
    double fixedSeconds = 0.0;    ///< of these, what is spent once an update: dividing, clipping, the optimizer
    std::int64_t memoryLimit = 0; ///< bytes that it might take: device.memory_limit, or what the system had; 0: unknown
};

enum class TrialKind {
    Measure, ///< lanes, peak memory, time
    Confirm  ///< as many windows as a short run has, on the lanes that are given in device.lanes; and their time
};

/// `setup.config`: a run's, with m and B in `batch`. Peak memory is that of the second micro-batch of a window after an
/// update, every lane at once (EngineTrial::peakBytes); time is that of real windows with their updates. Where a window
/// takes long, shorter ones are timed and the rest is added in proportion. Nothing is kept. Errors as Trainer::create,
/// and "training.memory" where device.memory_limit or the system's memory does not suffice.
[[nodiscard]] Result<MicroTrial> tryMicroBatch(const EngineSetup& setup, int cores, TrialKind kind);

} // namespace accumulus
