// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/verify.h"
#include "app/cli/json_output.h"
#include "app/cli/library_option.h"
#include "app/cli/verbs.h"
#include "app/cli/words.h"

#include <fmt/format.h>
#include <memory>

namespace accumulus::cli {
namespace {

struct Options {
    std::string target, library;
    bool json = false;
};

void print(const VerifyOutcome& outcome, Console& console) {
    const EvaluationRecord& now = outcome.now;
    console.line(outcome.checkpoint);
    console.line(fmt::format("weights {}{}", outcome.weightsHash,
                             outcome.weightsHashAgrees ? "" : "   (not what was recorded)"));
    console.line(fmt::format("{} set of {} samples: {}", now.split, grouped(now.count), measuredText(now)));
    if (outcome.recorded)
        console.line(fmt::format("recorded after update {}: {}", grouped(outcome.recorded->update),
                                 measuredText(*outcome.recorded)));
    else
        console.line("The library has no evaluation at this update to compare with.");
}

int verifyTarget(const Options& options, Console& console) {
    const auto outcome = verify(options.target, libraryPath(options.library));
    if (!outcome)
        return console.fail(outcome.error());
    if (options.json)
        console.line(oneLine(verifyJson(*outcome)));
    else
        print(*outcome, console);
    return outcome->agrees() ? 0 : console.fail({"cli.verify-disagrees", {{"checkpoint", outcome->checkpoint}}});
}

} // namespace

void addVerify(CLI::App& app, Work& chosen) {
    const auto options = std::make_shared<Options>();
    CLI::App& verb =
        *app.add_subcommand("verify", "Load a checkpoint, evaluate it, and compare with what was recorded");
    verb.add_option("CHECKPOINT|RUN", options->target, "A .safetensors file or a run")->required()->type_name("");
    addLibraryOption(verb, options->library);
    verb.add_flag("--json", options->json, "One JSON object");
    verb.callback(
        [options, &chosen] { chosen = [options](Console& console) { return verifyTarget(*options, console); }; });
}

} // namespace accumulus::cli
