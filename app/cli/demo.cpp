// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/engine/training.h"
#include "app/cli/verbs.h"
#include "core/run/program.h"

#include <memory>

namespace accumulus::cli {

void addDemo(CLI::App& app, Work& chosen) {
    struct Options {
        std::vector<std::string> assignments;
        TrainingOptions training;
    };
    const auto options = std::make_shared<Options>();
    CLI::App& verb = *app.add_subcommand("demo", "The one-minute demo: LeNet-5 on MNIST, 256 samples per update, as "
                                                 "one batch and as 8 micro-batches of 32; five seeds");
    addAssignments(verb, options->assignments);
    addTrainingOptions(verb, options->training);
    verb.callback([options, &chosen] {
        chosen = [options](Console& console) {
            const std::filesystem::path file = resourceFolder("experiments") / "first-comparison.toml";
            return trainFile(file, options->assignments, options->training, console);
        };
    });
}

} // namespace accumulus::cli
