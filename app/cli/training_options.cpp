// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/training_options.h"
#include "app/cli/library_option.h"
#include "app/cli/number_checks.h"

#include <CLI/Error.hpp>

namespace accumulus::cli {

void addTrainingOptions(CLI::App& verb, TrainingOptions& options) {
    addLibraryOption(verb, options.library);
    verb.add_flag(
        "--json", options.json,
        "One JSON object per line: run-started, window, evaluation, run-finished, ... Of windows at most ten a "
        "second, with windows_left_out since the last; export has all");
    verb.add_option("--log-every", options.logEvery, "Print epoch, update and loss every N updates")
        ->type_name("N")
        ->check(wholeAboveZero());
}

void addHostOption(CLI::App& verb, TrainingOptions& options, const std::string& help) {
    const auto onHost = [&options](const std::string& host) {
        options.place.host = host;
        options.elsewhere = true;
    };
    verb.add_option_function<std::string>("--on", onHost, help)->type_name("HOST");
}

void addLaunchOptions(CLI::App& verb, TrainingOptions& options) {
    verb.add_option("--ranks", options.ranks, "Train on N ranks (processes), by mpirun")
        ->type_name("N")
        ->check(wholeAboveZero());
    verb.add_flag("--events", options.events,
                  "Everything that happens, complete, one JSON object per line, for a program that follows the run; "
                  "all else goes to standard error")
        ->excludes("--json");
    const auto asJob = [&options](const std::string& words) {
        options.place.slurm = words;
        options.elsewhere = true;
    };
    verb.add_option_function<std::string>(
            "--slurm", asJob,
            "Train as a job of a Slurm cluster, here or on HOST. OPTIONS are passed to sbatch and need the equals "
            "sign: --slurm=\"--partition=long --time=2:00:00\"")
        ->type_name("OPTIONS")
        ->expected(0, 1);
    verb.add_option("--remote-program", options.place.program,
                    "Path of accumulus-cli on HOST, if its shell does not find it")
        ->type_name("PATH");
    // For what starts accumulus-cli over there.
    verb.add_option("--commands", options.commands,
                    "Obey pause, resume, stop and stop-now from the lines that are appended to this file from now on; "
                    "-: standard input")
        ->type_name("FILE");
    verb.add_flag("--commands-so-far", options.commandsSoFar,
                  "With --commands: also obey the lines that the file already holds")
        ->needs("--commands");
    verb.add_option("--detached", options.detached,
                    "Start a study that continues when this program ends, and follow it. If one of this name has "
                    "already started, only follow it. Commands come from standard input")
        ->type_name("NAME")
        ->needs("--events")
        ->excludes("--on", "--commands", "--remote-program");
    verb.add_option("--after", options.after, "With --detached: leave out the first N bytes of what has happened")
        ->type_name("N")
        ->check(CLI::NonNegativeNumber)
        ->needs("--detached");
}

void requirePlace(const CLI::App& verb, const TrainingOptions& options) {
    for (const char* name : {"--remote-library", "--remote-program"})
        if (!options.elsewhere && verb.count(name) > 0)
            throw CLI::RequiresError(name, "--on or --slurm");
}

void addAssignments(CLI::App& verb, std::vector<std::string>& assignments) {
    verb.add_option("--set", assignments,
                    "Change a setting, for example --set batch.micro=16; can be repeated; the last value counts")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
}

} // namespace accumulus::cli
