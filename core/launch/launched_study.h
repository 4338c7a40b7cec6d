// SPDX-License-Identifier: GPL-3.0-or-later
// A study that another process trains: mpirun on this machine, or whatever else starts `accumulus-cli run - --events`.
// The child reads the experiment and then commands on its standard input and says every event on its standard output;
// it keeps the library. One that loses its launcher trains on. Blocks the calling thread until the child has ended.
#pragma once

#include "core/base/result.h"
#include "core/config/experiment_config.h"
#include "core/launch/launch_command.h"
#include "core/run/run_control.h"
#include "core/run/run_events.h"
#include "core/run/study_runner.h"

#include <string_view>

namespace accumulus {

/// What stands between the experiment and the commands (LaunchVerb) on the child's standard input.
inline constexpr std::string_view experimentEnd = "---";

/// Trains `experiment` as `command` does it, as runStudy does here: `receive` gets the child's events in order, on the
/// calling thread, and what is asked of `control` becomes commands. Errors: the study's own; "launch.start" (the
/// program could not be started); "launch.ended" (it ended before its study did: then the run is left as it is, and
/// shows as interrupted once its process is known to be gone); "launch.event" (what it said cannot be understood).
[[nodiscard]] Result<StudyOutcome> launchStudy(const ExperimentConfig& experiment, const LaunchCommand& command,
                                               RunControl& control, const RunEventReceiver& receive);
/// The same for a run that goes on; `command` names it.
[[nodiscard]] Result<StudyOutcome> launchResumed(const LaunchCommand& command, RunControl& control,
                                                 const RunEventReceiver& receive);

} // namespace accumulus
