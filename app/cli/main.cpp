// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verbs.h"
#include "core/base/log.h"
#include "core/base/result.h"
#include "core/run/study_runner.h"

#include <exception>
#include <iostream>

namespace accumulus::cli {
namespace {

int perform(const Work& work, Console& console) {
    try {
        return work(console);
    } catch (const std::exception& exception) {
        return console.fail({"internal.exception", {{"place", "accumulus-cli"}, {"reason", exception.what()}}});
    }
}

int commandLineMain(int argc, char** argv) {
    CLI::App app("Gradient accumulation: train with it, compare it with the large batch, see what it costs.",
                 "accumulus-cli");
    app.require_subcommand(1);
    app.set_version_flag("--version", [] { return currentEnvironment().program; });
    app.footer("`accumulus-cli VERB --help` explains a verb. Exit codes: 0 done, 2 usage or settings, 3 data, 4 device "
               "or memory,\n"
               "5 library, 6 training failed, 130 interrupted, 1 a bug of ours.");
    Work chosen;
    for (const auto add : {addRun, addResume, addDemo, addList, addCompare, addExport, addVerify, addReport, addFields})
        add(app, chosen);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        // Help and version arrive here too, with exit code 0.
        return app.exit(error, std::cout, std::cerr) == 0 ? 0 : static_cast<int>(ErrorKind::Configuration);
    }
    Console console;
    return perform(chosen, console);
}

} // namespace
} // namespace accumulus::cli

int main(int argc, char** argv) {
    accumulus::setUpLog();
    return accumulus::cli::commandLineMain(argc, argv);
}
