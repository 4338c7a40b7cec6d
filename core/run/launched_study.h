// SPDX-License-Identifier: GPL-3.0-or-later
// A study that another process trains: mpirun on this machine, or whatever else starts `accumulus-cli run - --events`.
// The child reads the experiment and then commands on its standard input and says every event on its standard output;
// it keeps the library. One that loses its launcher trains on. Blocks the calling thread until the child has ended.
#pragma once

#include "core/base/machine_features.h"
#include "core/base/result.h"
#include "core/config/experiment_config.h"
#include "core/run/run_control.h"
#include "core/run/run_events.h"
#include "core/run/study_runner.h"

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace accumulus {

/// What stands between the experiment and the commands on the child's standard input.
inline constexpr std::string_view experimentEnd = "---";

/// The child's standard input after the experiment: one of these words a line.
enum class LaunchVerb { Pause, Resume, Stop, StopNow };
[[nodiscard]] std::string_view launchVerbName(LaunchVerb verb); ///< "pause", "resume", "stop", "stop-now"

struct LaunchCommand {
    std::vector<std::string> arguments;                           ///< the program first, with its path
    std::vector<std::pair<std::string, std::string>> environment; ///< what is set beside this process's own
    /// From "stop-now" until the child is asked to end (SIGTERM), and from there until it is ended (SIGKILL). Who asks
    /// to stop now once more waits a sixth of it.
    std::chrono::milliseconds grace{30'000};
};

/// Trains `experiment` as `command` does it, as runStudy does here: `receive` gets the child's events in order, on the
/// calling thread, and what is asked of `control` becomes commands. Errors: the study's own; "launch.start" (the
/// program could not be started); "launch.ended" (it ended before its study did: then the run is left as it is, and
/// shows as interrupted once its process is known to be gone); "launch.event" (what it said cannot be understood).
[[nodiscard]] Result<StudyOutcome> launchStudy(const ExperimentConfig& experiment, const LaunchCommand& command,
                                               RunControl& control, const RunEventReceiver& receive);

/// mpirun, which starts `ranks` processes of accumulus-cli here. A child of it ends with it, and it ends with the
/// process that reads its output. Errors "launch.no-mpirun", "launch.no-cli", "launch.no-module".
[[nodiscard]] Result<LaunchCommand> mpirunCommand(std::int64_t ranks, const std::filesystem::path& library);
/// accumulus-cli, which starts the same mpirun and outlives this process. Errors as mpirunCommand.
[[nodiscard]] Result<LaunchCommand> localRanksCommand(std::int64_t ranks, const std::filesystem::path& library);

/// MachineFeatures of this machine for a program that starts ranks itself where it can.
[[nodiscard]] MachineFeatures launchingFeatures();

} // namespace accumulus
