// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/engine/plan_work.h"
#include "app/cli/library_option.h"
#include "app/cli/number_checks.h"
#include "app/cli/training_options.h"
#include "app/cli/verbs.h"

#include <memory>

namespace accumulus::cli {

void addPlan(CLI::App& app, Work& chosen) {
    const auto options = std::make_shared<PlanOptions>();
    CLI::App& verb = *app.add_subcommand("plan", "Try micro-batches and recommend one: memory, speed, overhead");
    verb.add_option("FILE|RUN", options->target, "Experiment file (TOML), - for standard input, or a run")
        ->required()
        ->type_name("");
    addAssignments(verb, options->assignments);
    verb.add_option("--sizes", options->sizes, "Try these micro-batches only")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("N,N,...")
        ->check(wholeAboveZero());
    verb.add_flag("--ragged", options->ragged, "Also sizes that do not divide the effective batch");
    verb.add_option("--noise-scale", options->noiseScale,
                    "Gradient noise scale in samples: adds the effective batch that trains in the least time")
        ->type_name("B")
        ->check(aboveZero());
    verb.add_flag("--fresh", options->fresh, "Measure again, even where the library has a plan");
    addLibraryOption(verb, options->library);
    verb.add_flag("--json", options->json, "One JSON object");
    verb.add_flag("--trial", options->trial)->group("");
    verb.add_flag("--confirm", options->confirm)->group("");
    verb.add_option("--seed", options->seed)->group("");
    verb.callback([options, &chosen] { chosen = [options](Console& console) { return planFor(*options, console); }; });
}

} // namespace accumulus::cli
