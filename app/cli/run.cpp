// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/training.h"
#include "app/cli/verbs.h"

#include <memory>

namespace accumulus::cli {

void addRun(CLI::App& app, Work& chosen) {
    struct Options {
        std::string file;
        std::vector<std::string> assignments;
        TrainingOptions training;
    };
    const auto options = std::make_shared<Options>();
    CLI::App& verb = *app.add_subcommand("run", "Train what an experiment file describes");
    verb.add_option("FILE", options->file,
                    "Experiment file (TOML). -: standard input, up to its end or a line of three dashes; further "
                    "lines are commands: pause, resume, stop, stop-now")
        ->required();
    addAssignments(verb, options->assignments);
    addTrainingOptions(verb, options->training);
    verb.add_option("--ranks", options->training.ranks, "Train on N ranks (processes) of this computer, by mpirun")
        ->type_name("N")
        ->check(CLI::PositiveNumber);
    verb.add_flag("--events", options->training.events,
                  "Everything that happens, complete, one JSON object per line, for a program that follows the run; "
                  "all else goes to standard error")
        ->excludes("--json");
    verb.callback([options, &chosen] {
        chosen = [options](Console& console) {
            return trainFile(options->file, options->assignments, options->training, console);
        };
    });
}

} // namespace accumulus::cli
