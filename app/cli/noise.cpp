// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/engine/noise_work.h"
#include "app/cli/library_option.h"
#include "app/cli/verbs.h"

#include <memory>

namespace accumulus::cli {

void addNoise(CLI::App& app, Work& chosen) {
    const auto options = std::make_shared<NoiseOptions>();
    CLI::App& verb =
        *app.add_subcommand("noise", "The gradient noise scale: about the batch size up to which a larger batch pays");
    verb.add_option("RUN|STUDY", options->target, "A run, or a study: each run and all accumulated ones together")
        ->required()
        ->type_name("");
    verb.add_flag("--by-layer", options->byLayer,
                  "Also parameter by parameter, computed anew at a checkpoint's weights");
    verb.add_option("--checkpoint", options->checkpoint, "With --by-layer: initial, best or last")
        ->type_name("KIND")
        ->capture_default_str();
    verb.add_option("--windows", options->windows, "With --by-layer: how many windows to compute")
        ->type_name("N")
        ->check(CLI::Range(std::int64_t{2}, std::int64_t{100000}))
        ->capture_default_str();
    addLibraryOption(verb, options->library);
    verb.add_flag("--json", options->json, "One JSON object with every number");
    verb.callback([options, &chosen] { chosen = [options](Console& console) { return noiseOf(*options, console); }; });
}

} // namespace accumulus::cli
