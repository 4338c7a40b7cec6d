// SPDX-License-Identifier: GPL-3.0-or-later
// How many lanes of how many threads: measured, because small models want many lanes of one thread and large ones a
// single lane of many threads.
#pragma once

#include "core/base/result.h"
#include "core/engine/engine_setup.h"

namespace accumulus {

/// Of the memory that the system has, what lanes may take.
inline constexpr double laneMemoryShare = 0.9;

/// The faster of the plans that device.lanes and device.threads leave open for an accumulated run on `cores` cores, by
/// timing a few micro-steps of each in turn on the run's own data and initial weights (a fraction of a second for small
/// models, a few seconds for large ones). Many lanes of one thread win unless another plan is clearly faster: their
/// results are the same bits for any number of lanes. Plans are tried from the fewest lanes up, and none that would not
/// fit into device.memory_limit; all together they take no more than laneMemoryShare of the memory that the system has.
/// Changes nothing of the run. Errors as Trainer::create.
[[nodiscard]] Result<LanePlan> calibrateLanes(const EngineSetup& setup, int cores);
/// With `available` bytes of the system's memory; 0: unknown.
[[nodiscard]] Result<LanePlan> calibrateLanes(const EngineSetup& setup, int cores, std::int64_t available);

} // namespace accumulus
