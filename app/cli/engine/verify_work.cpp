// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/engine/verify_work.h"

#include "app/cli/json_output.h"
#include "app/cli/library_option.h"
#include "app/cli/words.h"
#include "core/run/verify.h"

#include <fmt/format.h>

namespace accumulus::cli {
namespace {

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

} // namespace

int verifyTarget(const VerifyOptions& options, Console& console) {
    const auto outcome = verify(options.target, {libraryPath(options.library), !options.library.empty()});
    if (!outcome)
        return console.fail(outcome.error());
    if (options.json)
        console.line(oneLine(verifyJson(*outcome)));
    else
        print(*outcome, console);
    return outcome->agrees() ? 0 : console.fail({"cli.verify-disagrees", {{"checkpoint", outcome->checkpoint}}});
}

} // namespace accumulus::cli
