// SPDX-License-Identifier: GPL-3.0-or-later
// The learning rate of every update, as one pure function: the trainer applies it and the form draws it. Any thread.
#pragma once

#include "core/config/experiment_config.h"

#include <cstdint>

namespace accumulus {

/// Learning rate used by `update` (1 is the first update of the run).
///
/// Warm-up: update u <= W uses lr u / W, so update W is the first with the full lr. The rest of the schedule then sees
/// t = update - 1 - W, the updates completed since the warm-up, out of T = totalUpdates - W:
///   constant  lr
///   linear    lr (1 - (1 - f) t / T)
///   cosine    lr (f + (1 - f) (1 + cos(pi t / T)) / 2)
///   step      lr factor^floor(t / stepEveryUpdates)
/// with f = final_lr_fraction. As in torch.optim.lr_scheduler, f is reached after the last update, so that with f = 0
/// no update is spent on lr = 0; beyond the end the rate stays at lr f. A stepEveryUpdates below 1 never decays; a
/// warm-up that fills the run leaves nothing to decay.
[[nodiscard]] double scheduledLr(const OptimizerConfig& optimizer, const ScheduleConfig& schedule, std::int64_t update,
                                 std::int64_t warmupUpdates, std::int64_t totalUpdates, std::int64_t stepEveryUpdates);

} // namespace accumulus
