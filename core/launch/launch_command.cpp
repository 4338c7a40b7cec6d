// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/launch_command.h"

#include "core/base/shell_word.h"
#include "core/launch/child_talk.h"
#include "core/ranks/launch.h"
#include "core/store/library.h"

#include <unistd.h>

namespace accumulus {
namespace {

constexpr int secondsToSave = 5; // mpirun waits them out, whatever its ranks need, and that twice: only after a death

struct Programs {
    std::string mpirun;
    std::string cli;
};
Result<Programs> findPrograms(std::int64_t ranks) {
    Programs found{findProgram("mpirun"), findCli()};
    if (found.mpirun.empty())
        return failure("launch.no-mpirun", {{"ranks", std::to_string(ranks)}});
    if (found.cli.empty())
        return failure("launch.no-cli", {{"ranks", std::to_string(ranks)}});
    if (mpiModule().empty())
        return failure("launch.no-module", {{"ranks", std::to_string(ranks)}});
    return found;
}

} // namespace

namespace {

/// What accumulus-cli is to do; what is asked of it comes on its standard input either way.
std::vector<std::string> workOf(const std::filesystem::path& library, const std::string& resumes,
                                const std::vector<std::string>& options = {}) {
    std::vector<std::string> words{"run", "-"};
    if (!resumes.empty())
        words = {"resume", resumes, "--commands", "-"};
    words.insert(words.end(), {"--events", "--library", library.string()});
    words.insert(words.end(), options.begin(), options.end());
    return words;
}

} // namespace

Result<LaunchCommand> mpirunCommand(std::int64_t ranks, const std::filesystem::path& library,
                                    const std::string& resumes, const std::vector<std::string>& options) {
    ACCUMULUS_TRY_ASSIGN(const auto found, findPrograms(ranks));
    LaunchCommand command;
    command.arguments = {found.mpirun, "-n", std::to_string(ranks), found.cli};
    const auto work = workOf(library, resumes, options);
    command.arguments.insert(command.arguments.end(), work.begin(), work.end());
    // By variables, which another MPI does not mind. Ranks share the cores out themselves, and there may be more of
    // them than cores. Open MPI 4, then 5.
    command.environment = {{"OMPI_MCA_rmaps_base_oversubscribe", "1"},
                           {"OMPI_MCA_hwloc_base_binding_policy", "none"},
                           {"PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe"},
                           {"PRTE_MCA_hwloc_default_binding_policy", "none"}};
    // Once a rank has failed, the first one saves a checkpoint: a second, as mpirun gives it, is not enough for that.
    for (const char* name : {"OMPI_MCA_odls_base_sigkill_timeout", "PRTE_MCA_odls_base_sigkill_timeout"})
        command.environment.emplace_back(name, std::to_string(secondsToSave));
    if (geteuid() == 0) // as in a container
        for (const char* name : {"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"})
            command.environment.emplace_back(name, "1");
    return command;
}

Result<LaunchCommand> localRanksCommand(std::int64_t ranks, const std::filesystem::path& library,
                                        const std::string& resumes) {
    ACCUMULUS_TRY_ASSIGN(const auto found, findPrograms(ranks));
    LaunchCommand command;
    command.arguments = workOf(library, resumes);
    command.arguments.insert(command.arguments.begin(), found.cli);
    command.arguments.insert(command.arguments.end(), {"--ranks", std::to_string(ranks)});
    command.grace = 3 * command.grace; // it has a child with a grace of its own
    return command;
}

MachineFeatures launchingFeatures() {
    MachineFeatures machine = machineFeatures();
    machine.launchesRanks = findPrograms(2).has_value();
    return machine;
}

} // namespace accumulus
