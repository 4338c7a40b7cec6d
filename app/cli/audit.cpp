// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/engine/audit_work.h"
#include "app/cli/library_option.h"
#include "app/cli/number_checks.h"
#include "app/cli/training_options.h"
#include "app/cli/verbs.h"

#include <fmt/format.h>
#include <memory>

namespace accumulus::cli {
namespace {

constexpr const char* footer =
    "Exit codes: 0 equivalent, 10 not equivalent, 11 differs as expected (BatchNorm, draws by the order of calls).\n\n"
    "The files of another program are safetensors: --accumulated and --reference hold a gradient for each parameter "
    "under its\nname, --micro-gradients the tensors 0/NAME, 1/NAME, ... (of the mean loss of each micro-batch) and "
    "`units`, a list of\nnumbers. It may hold `windows`, `ranks`, `nominal_steps` and weights/NAME as well. "
    "accumulus_capture.py records them.";

} // namespace

void addAudit(CLI::App& app, Work& chosen) {
    const auto options = std::make_shared<AuditOptions>();
    CLI::App& verb = *app.add_subcommand(
        "audit", "Compare the accumulated gradient with the large batch's, tensor by tensor, and name what is wrong");
    verb.footer(footer);
    auto* target = verb.add_option("FILE|RUN", options->target,
                                   "An experiment file at its initial weights, or a run at its last checkpoint")
                       ->type_name("");
    addLibraryOption(verb, options->library);
    addAssignments(verb, options->assignments);
    verb.add_option("--checkpoint", options->checkpoint, "Which weights of the run: initial, best or last")
        ->check(CLI::IsMember({"initial", "best", "last"}));
    std::vector<std::string> faults;
    for (const AuditPattern& pattern : auditPatterns())
        if (pattern.canPlant)
            faults.emplace_back(pattern.code);
    verb.add_option("--fault", options->fault,
                    "Build a mistake in, to see what it does: " + fmt::format("{}", fmt::join(faults, ", ")))
        ->type_name("PATTERN");
    verb.add_option("--seed", options->seed, "Seed of initial weights, sample order and random draws")->type_name("N");
    verb.add_option(
            "--tolerance", options->tolerance,
            "Relative error up to which a tensor passes; by default 1e-12 in fp64, 1e-5 in fp32, 1e-2 in 16 bits")
        ->type_name("X")
        ->check(aboveZero());
    verb.add_option("--updates", options->updates, "Also make N updates both ways and compare the weights")
        ->type_name("N")
        ->check(wholeAboveZero());
    verb.add_flag("--no-reference", options->noReference, "Leave out the fp64 reference");
    auto* accumulated = verb.add_option("--accumulated", options->files.accumulated,
                                        "Gradient that another program has accumulated (safetensors)")
                            ->type_name("FILE")
                            ->excludes(target);
    auto* reference = verb.add_option("--reference", options->files.reference,
                                      "Gradient of the large batch, from the same program (safetensors)")
                          ->type_name("FILE")
                          ->needs(accumulated);
    accumulated->needs(reference);
    for (const char* option : {"--set", "--checkpoint", "--fault", "--seed", "--updates", "--no-reference"})
        accumulated->excludes(verb.get_option(option)); // nothing is computed
    verb.add_option("--micro-gradients", options->files.microGradients, "Gradients of its micro-batches (safetensors)")
        ->type_name("FILE")
        ->needs(accumulated);
    verb.add_flag("--json", options->json, "One JSON object");
    verb.callback([options, target, accumulated, &chosen] {
        if (target->empty() && accumulated->empty())
            throw CLI::RequiredError("FILE|RUN, or --accumulated and --reference");
        chosen = [options](Console& console) { return auditTarget(*options, console); };
    });
}

} // namespace accumulus::cli
