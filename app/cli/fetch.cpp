// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/library_option.h"
#include "app/cli/stop_on_signal.h"
#include "app/cli/verbs.h"
#include "core/launch/remote_files.h"

#include <memory>

namespace accumulus::cli {

void addFetch(CLI::App& app, Work& chosen) {
    struct Options {
        std::string run, library;
    };
    const auto options = std::make_shared<Options>();
    CLI::App& verb =
        *app.add_subcommand("fetch", "Copy the checkpoints of a run from where it was trained to this library");
    verb.add_option("RUN", options->run, "The run's id or its first characters")->required();
    addLibraryOption(verb, options->library);
    verb.callback([options, &chosen] {
        chosen = [options](Console& console) {
            const StopOnSignal signals;
            const auto fetched = fetchCheckpoints(options->run, libraryPath(options->library), signals.token());
            if (!fetched)
                return console.fail(fetched.error());
            console.line(*fetched == 0   ? "All checkpoints are here."
                         : *fetched == 1 ? "1 checkpoint fetched."
                                         : std::to_string(*fetched) + " checkpoints fetched.");
            return 0;
        };
    });
}

} // namespace accumulus::cli
