// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/engine/training.h"
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
    addHostOption(verb, options->training,
                  "Train on another machine and record the run here. `ssh HOST` must connect without prompting. Use "
                  "`accumulus-cli follow` to come back to it. An empty HOST is this machine, in the background");
    verb.add_option("--remote-library", options->training.place.library, "Library on HOST, in place of its default one")
        ->type_name("FILE");
    addLaunchOptions(verb, options->training);
    verb.get_option("--detached")->excludes("--remote-library");
    verb.callback([options, &verb, &chosen] {
        requirePlace(verb, options->training);
        chosen = [options](Console& console) {
            return trainFile(options->file, options->assignments, options->training, console);
        };
    });
}

} // namespace accumulus::cli
