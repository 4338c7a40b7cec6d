// SPDX-License-Identifier: GPL-3.0-or-later
// How long what waits will train, without set-up, evaluation and checkpoints: from a measured plan, or from the speed
// of runs that have been trained with the same settings here. Query thread.
#pragma once

#include "core/config/experiment_config.h"
#include "core/store/run_reader.h"

#include <optional>
#include <string>
#include <vector>

namespace accumulus::ui {

/// `trained`: newest first. Each arm counts at the speed of the newest run with its data, model, loss, batch, numerics
/// and device; nothing where an arm has none. `samples`: of one run.
[[nodiscard]] std::optional<double> secondsBySpeed(const ExperimentConfig& experiment, std::int64_t samples,
                                                   const std::vector<RunRecord>& trained);
/// By the newest plan, else by the runs of the library; nothing where neither tells.
[[nodiscard]] std::optional<double> studySeconds(RunReader& reader, const ExperimentConfig& experiment);
/// Of what is left of these runs, each at its own speed; nothing where one has none.
[[nodiscard]] std::optional<double> remainingSeconds(RunReader& reader, const std::vector<std::string>& runs);

} // namespace accumulus::ui
