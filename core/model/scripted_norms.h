// SPDX-License-Identifier: GPL-3.0-or-later
// The BatchNorm layers of a module from a file, found by what training passes do to its buffers.
#pragma once

#include "core/base/message.h"
#include "core/model/scripted_trial_run.h"

#include <string>
#include <vector>

namespace accumulus {

/// The last part of a dotted name.
[[nodiscard]] std::string scriptedOwnName(const std::string& tensor);

/// The layers with running statistics, with their momentum. `trial` runs `module`; its buffers are afterwards what they
/// were. Error "model.file-buffer": a buffer moves in a way that cannot be kept in order.
[[nodiscard]] Result<std::vector<ScriptedNorm>> normsOf(const ScriptedModule& module, TrialRun& trial);

/// Fills the area of each of `module.norms`: how many values per sample stand behind its statistics.
void measureAreas(ScriptedModule& module, const InputShape& input, at::ScalarType type);

} // namespace accumulus
