// SPDX-License-Identifier: GPL-3.0-or-later
// How much memory a run will take: tried, not estimated. Blocks the calling thread, which becomes lane 0 of the
// attempt.
#pragma once

#include "core/train/trainer.h"

#include <cstdint>

namespace accumulus {

/// Peak bytes of tensors while two windows and their updates are computed with `setup` on its own data, every lane
/// holding its activations at the same time. The first micro-batch proves nothing (trap T13): gradients, optimizer
/// state and the other lanes come after it. Tensors that the process held before count too; evaluation, checkpoints and
/// oneDNN's scratch memory do not. device.memory_limit is not enforced. Changes nothing of the run. Errors as
/// Trainer::create.
[[nodiscard]] Result<std::int64_t> probeMemory(TrainerSetup setup);

} // namespace accumulus
