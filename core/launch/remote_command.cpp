// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/remote_command.h"

#include "core/base/shell_word.h"
#include "core/launch/child_talk.h"

#include <algorithm>
#include <cstdlib>

namespace accumulus {
namespace {

/// Nothing is asked, and a connection that is dead is noticed within half a minute.
const std::vector<std::string> sshOptions{"-o", "BatchMode=yes",          "-o", "ConnectTimeout=15",
                                          "-o", "ServerAliveInterval=10", "-o", "ServerAliveCountMax=3"};

/// A word for the shell over there; a tilde is that one's to resolve.
std::string wordThere(const std::string& word) {
    return word.starts_with("~/") ? "~/" + posixWord(word.substr(2)) : posixWord(word);
}

Result<std::string> findSsh() {
    const char* said = std::getenv("ACCUMULUS_SSH");
    std::string ssh = said ? said : findProgram("ssh");
    if (ssh.empty())
        return failure("launch.no-ssh", {{"program", "ssh"}});
    return ssh;
}

} // namespace

Status checkHost(const std::string& host) {
    const bool good = !host.empty() && host.front() != '-' && std::ranges::none_of(host, [](unsigned char c) {
        return c <= ' ' || c == 0x7F || c == '\'' || c == '"' || c == '\\' || c == '`' || c == '$' || c == ';';
    });
    if (!good)
        return failure("launch.host", {{"host", host}});
    return {};
}

std::string placeArguments(const LaunchPlace& place) {
    const LaunchPlace usual;
    std::string text;
    if (!place.host.empty())
        text += " --on " + posixWord(place.host);
    if (place.slurm)
        text += place.slurm->empty() ? " --slurm" : " --slurm=" + posixWord(*place.slurm);
    if (place.program != usual.program)
        text += " --remote-program " + posixWord(place.program);
    if (!place.library.empty())
        text += " --remote-library " + posixWord(place.library);
    return text;
}

MachineFeatures featuresElsewhere() {
    MachineFeatures machine;
    machine.fastBf16 = machine.fastFp16 = machine.vectors = machine.wideVectors = machine.cuda = machine.launchesRanks =
        true;
    return machine;
}

Result<LaunchCommand> commandAt(const LaunchPlace& place, const std::vector<std::string>& arguments) {
    LaunchCommand command;
    if (place.host.empty()) {
        command.arguments = {findCli()};
        if (command.arguments.front().empty())
            return failure("launch.cli-missing", {});
        command.arguments.insert(command.arguments.end(), arguments.begin(), arguments.end());
        return command;
    }
    ACCUMULUS_TRY(checkHost(place.host));
    ACCUMULUS_TRY_ASSIGN(const std::string ssh, findSsh());
    command.arguments = {ssh, "-T"};
    command.arguments.insert(command.arguments.end(), sshOptions.begin(), sshOptions.end());
    std::string line = wordThere(place.program);
    for (const std::string& argument : arguments)
        line += " " + wordThere(argument);
    command.arguments.insert(command.arguments.end(), {"--", place.host, line});
    return command;
}

Result<LaunchCommand> copyFrom(const LaunchPlace& place, const std::string& from, const std::filesystem::path& to) {
    ACCUMULUS_TRY(checkHost(place.host));
    ACCUMULUS_TRY_ASSIGN(const std::string ssh, findSsh());
    LaunchCommand command;
    command.arguments = {findProgram("scp"), "-q", "-S", ssh};
    if (command.arguments.front().empty())
        return failure("launch.no-ssh", {{"program", "scp"}});
    command.arguments.insert(command.arguments.end(), sshOptions.begin(), sshOptions.end());
    command.arguments.insert(command.arguments.end(), {"--", place.host + ":" + from, to.string()});
    return command;
}

} // namespace accumulus
