// SPDX-License-Identifier: GPL-3.0-or-later
// Training in another place, on the command line: from here, and over there for whoever follows from afar. Each
// function returns the exit code.
#pragma once

#include "app/cli/engine/standard_input.h"
#include "app/cli/engine/training.h"
#include "core/launch/detached_study.h"
#include "core/run/run_events.h"

#include <optional>
#include <span>
#include <string>

namespace accumulus::cli {

/// Trains at options.place and follows to the end, or until it is left.
int trainAtPlace(const ExperimentConfig& experiment, const CommandSource& asked, const TrainingOptions& options,
                 Console& console);
/// Continues a run where it was trained; nothing where that is this machine, or where options.here is to make it so.
std::optional<int> resumeWhereTrained(const std::string& run, const CommandSource& asked,
                                      const TrainingOptions& options, Console& console);
/// A run that was trained elsewhere and has started here, as `events` say, is one of this machine from now on.
void keepHere(std::span<const RunEvent> events, const TrainingOptions& options, Console& console);
/// A study whose followers may come and go: begins it unless it was begun, and says what happens.
int serve(DetachedTask task, StandardInput& input, const TrainingOptions& options, Console& console);

} // namespace accumulus::cli
