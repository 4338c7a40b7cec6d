// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/training.h"
#include "app/cli/verbs.h"

#include <memory>

namespace accumulus::cli {

void addFollow(CLI::App& app, Work& chosen) {
    struct Options {
        std::string launch;
        TrainingOptions training;
    };
    const auto options = std::make_shared<Options>();
    CLI::App& verb = *app.add_subcommand("follow", "Go on following a study that is trained elsewhere");
    verb.add_option("STUDY", options->launch,
                    "The id of the study, of its launch, or their first characters; not needed where only one is "
                    "under way");
    addTrainingOptions(verb, options->training);
    verb.callback([options, &chosen] {
        chosen = [options](Console& console) { return followTraining(options->launch, options->training, console); };
    });
}

} // namespace accumulus::cli
