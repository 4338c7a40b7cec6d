// SPDX-License-Identifier: GPL-3.0-or-later
// How another process is started that trains: mpirun on this machine, or whatever else starts
// `accumulus-cli run - --events`.
#pragma once

#include "core/base/machine_features.h"
#include "core/base/result.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace accumulus {

struct LaunchCommand {
    std::vector<std::string> arguments;                             ///< the program first, with its path
    std::vector<std::pair<std::string, std::string>> environment{}; ///< what is set beside this process's own
    /// From "stop-now" until the child is asked to end (SIGTERM), and from there until it is ended (SIGKILL). Who asks
    /// to stop now once more waits a sixth of it.
    std::chrono::milliseconds grace{30'000};
};

/// mpirun, which starts `ranks` processes of accumulus-cli here, for an experiment on standard input or for `resumes`,
/// a run that goes on. `options`: further ones of accumulus-cli. A child of it ends with it, and it ends with the
/// process that reads its output. Errors "launch.no-mpirun", "launch.no-cli", "launch.no-module".
[[nodiscard]] Result<LaunchCommand> mpirunCommand(std::int64_t ranks, const std::filesystem::path& library,
                                                  const std::string& resumes = {},
                                                  const std::vector<std::string>& options = {});
/// accumulus-cli, which starts the same mpirun and outlives this process. Errors as mpirunCommand.
[[nodiscard]] Result<LaunchCommand> localRanksCommand(std::int64_t ranks, const std::filesystem::path& library,
                                                      const std::string& resumes = {});

/// MachineFeatures of this machine for a program that starts ranks itself where it can.
[[nodiscard]] MachineFeatures launchingFeatures();

} // namespace accumulus
