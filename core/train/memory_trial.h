// SPDX-License-Identifier: GPL-3.0-or-later
// How much memory a run will take: tried, not estimated. Blocks the calling thread, which becomes lane 0 of the
// attempt.
#pragma once

#include "core/base/result.h"
#include "core/engine/engine_setup.h"

#include <cstdint>

namespace accumulus {

/// Peak bytes of tensors while two windows and their updates are computed with `setup` on its own data, every lane
/// holding its activations at the same time (see EngineTrial::peakBytes). Tensors that the process held before count
/// too; evaluation, checkpoints and oneDNN's scratch memory do not. `limit`: bytes that the trial may take; 0: what the
/// system has. Changes nothing of the run. Errors as Trainer::create, and "training.memory" where the limit does not
/// suffice.
[[nodiscard]] Result<std::int64_t> measurePeakMemory(const EngineSetup& setup, std::int64_t limit = 0);

} // namespace accumulus
