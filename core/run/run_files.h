// SPDX-License-Identifier: GPL-3.0-or-later
// The files that a run's model comes from, model.path and model.weights: are they still the same?
#pragma once

#include "core/base/message.h"
#include "core/base/result.h"
#include "core/store/run_records.h"

#include <string>
#include <vector>

namespace accumulus {

/// Their hashes into `run`, before it begins or goes on. `fromBundle`: it has weights of its own, so that the file of
/// the initial weights does not matter; a note says if it has changed. Errors "file.open", "run.model-changed",
/// "run.weights-changed".
[[nodiscard]] Result<std::vector<Message>> takeFileHashes(RunRecord& run, bool fromBundle);

/// On rank `rank`, which reads the files itself: are they the first rank's? `weights` is empty where a bundle brings
/// them. Errors "file.open", "ranks.differ".
[[nodiscard]] Status compareFileHashes(const ModelConfig& config, const std::string& model, const std::string& weights,
                                       int rank);

} // namespace accumulus
