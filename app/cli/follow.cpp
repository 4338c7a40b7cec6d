// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/engine/training.h"
#include "app/cli/verbs.h"

#include <memory>

namespace accumulus::cli {

void addFollow(CLI::App& app, Work& chosen) {
    struct Options {
        std::string launch;
        TrainingOptions training;
    };
    const auto options = std::make_shared<Options>();
    CLI::App& verb = *app.add_subcommand(
        "follow",
        "Follow a study that trains elsewhere, after the connection or terminal was lost. Ctrl+C stops it there; "
        "when the terminal closes, it is left alone.");
    verb.add_option(
        "STUDY", options->launch,
        "The id of the study or of its launch, or its first characters; not needed if only one is under way");
    verb.add_flag("--resume", options->training.unpause, "If it is paused, let it continue");
    verb.add_flag("--forget", options->training.forget,
                  "Stop following it, for example because its machine is gone. This does not stop the training");
    addTrainingOptions(verb, options->training);
    verb.callback([options, &chosen] {
        chosen = [options](Console& console) { return followTraining(options->launch, options->training, console); };
    });
}

} // namespace accumulus::cli
