// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/engine/verify_work.h"
#include "app/cli/library_option.h"
#include "app/cli/verbs.h"

#include <memory>

namespace accumulus::cli {

void addVerify(CLI::App& app, Work& chosen) {
    const auto options = std::make_shared<VerifyOptions>();
    CLI::App& verb =
        *app.add_subcommand("verify", "Load a checkpoint, evaluate it, and compare with what was recorded");
    verb.add_option("CHECKPOINT|RUN", options->target, "A .safetensors file or a run")->required()->type_name("");
    addLibraryOption(verb, options->library);
    verb.add_flag("--json", options->json, "One JSON object");
    verb.callback(
        [options, &chosen] { chosen = [options](Console& console) { return verifyTarget(*options, console); }; });
}

} // namespace accumulus::cli
