// SPDX-License-Identifier: GPL-3.0-or-later
// What a configuration tells of its learning rate: the effective batch that it was tuned for (optimizer.lr_batch, 0:
// the configuration's own) and the rule by which it has followed the batch since (optimizer.lr_rule). Training reads
// neither: optimizer.lr is what is used. Pure functions. Any thread.
#pragma once

#include "core/config/experiment_config.h"

#include <cstdint>
#include <string>
#include <vector>

namespace accumulus {

/// The note as assignments for --set: {"optimizer.lr_batch=64", "optimizer.lr_rule=linear"}.
[[nodiscard]] std::vector<std::string> lrNote(LrRule rule, std::int64_t batch);

/// By how much `rule` changes the learning rate when the effective batch grows by `kappa` = new B / old B, above 0: 1,
/// kappa or sqrt(kappa).
[[nodiscard]] double lrFactor(LrRule rule, double kappa);

/// `now` came out of `before` by one edit of a person; afterwards its note is true.
///  - Another rule, and nothing else of it: the learning rate becomes what that rule makes of the one at lr_batch (six
///    digits; the moments of Adam stay). Where that is no possible learning rate, the rule becomes keep.
///  - Another lr_batch, and nothing else of it: the rule becomes keep.
///  - Another learning rate: it belongs to the batch of now, nothing is noted.
///  - Another effective batch under a rule that scales: the learning rate was good for the batch of before, and is
///  kept.
/// Any other edit, and one that brings a whole note with its learning rate, stays as it is.
void keepLrNoteTrue(const RunConfig& before, RunConfig& now);

} // namespace accumulus
