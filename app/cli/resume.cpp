// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/engine/training.h"
#include "app/cli/verbs.h"

#include <memory>

namespace accumulus::cli {

void addResume(CLI::App& app, Work& chosen) {
    struct Options {
        std::string run;
        TrainingOptions training;
    };
    const auto options = std::make_shared<Options>();
    CLI::App& verb = *app.add_subcommand("resume", "Continue a run that was stopped, was interrupted or failed");
    verb.add_option("RUN", options->run, "The run's id or its first characters")->required();
    verb.add_flag(
        "--take-over", options->training.takeOver,
        "Resume a run that is recorded as running on another computer; use this when that computer is gone or its "
        "clock is wrong");
    verb.add_flag("--other-data", options->training.otherData,
                  "Resume even though the data set has changed since the run was trained");
    verb.add_flag("--here", options->training.here,
                  "Resume on this machine a run that was trained elsewhere; its checkpoints are fetched");
    addTrainingOptions(verb, options->training);
    addHostOption(verb, options->training,
                  "The machine where the run was trained, which is the default; for this one see --here");
    options->training.place.program.clear(); // unless it is named: where it was
    addLaunchOptions(verb, options->training);
    for (const char* place : {"--on", "--slurm", "--remote-program", "--detached"})
        verb.get_option("--here")->excludes(place);
    verb.callback([options, &chosen] {
        chosen = [options](Console& console) { return trainResumed(options->run, options->training, console); };
    });
}

} // namespace accumulus::cli
