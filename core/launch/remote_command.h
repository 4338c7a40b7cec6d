// SPDX-License-Identifier: GPL-3.0-or-later
// How accumulus-cli is reached in another place: over ssh, with the person's own keys and configuration and without any
// question, or as a process of this machine.
#pragma once

#include "core/launch/launch_command.h"
#include "core/store/run_records.h"

#include <filesystem>
#include <string>
#include <vector>

namespace accumulus {

/// Is this a name that ssh can be given? Error "launch.host".
[[nodiscard]] Status checkHost(const std::string& host);

/// " --on HOST --slurm=OPTIONS ...", as the person types them.
[[nodiscard]] std::string placeArguments(const LaunchPlace& place);
/// What settings may ask of a machine that is not known here: anything.
[[nodiscard]] MachineFeatures featuresElsewhere();

/// accumulus-cli with these arguments there. Errors "launch.host", "launch.no-ssh", "launch.no-cli". The variable
/// ACCUMULUS_SSH names another ssh.
[[nodiscard]] Result<LaunchCommand> commandAt(const LaunchPlace& place, const std::vector<std::string>& arguments);

/// scp from there to here. Errors as commandAt.
[[nodiscard]] Result<LaunchCommand> copyFrom(const LaunchPlace& place, const std::string& from,
                                             const std::filesystem::path& to);

/// ssh's exit code for what is its own failure, and a shell's for a program that it does not find.
inline constexpr int sshFailed = 255;
inline constexpr int programNotFound = 127;

} // namespace accumulus
