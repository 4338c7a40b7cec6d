// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/engine_program.h"
#include "app/cli/verbs.h"
#include "core/base/log.h"
#include "core/base/result.h"
#include "core/run/program.h"

#include <exception>
#include <filesystem>
#include <iostream>
#include <sstream>

namespace accumulus::cli {
namespace {

int perform(const Work& work, Console& console) {
    try {
        return work(console);
    } catch (const std::filesystem::filesystem_error& error) {
        return console.fail({"file.open", {{"file", error.path1().native()}, {"reason", error.code().message()}}});
    } catch (const std::exception& exception) {
        return console.fail({"internal.exception", {{"place", "accumulus-cli"}, {"reason", exception.what()}}});
    }
}

int commandLineMain(int argc, char** argv) {
    CLI::App app("Gradient accumulation: train with it, compare it with the large batch, see what it costs.",
                 "accumulus-cli");
    app.require_subcommand(1);
    app.set_version_flag("--version", programName);
    app.footer(
        "`accumulus-cli VERB --help` explains a verb. Exit codes: 0 done, 2 usage or settings, 3 data, 4 device "
        "or memory,\n"
        "5 library, 6 training failed, 130 interrupted, 1 an internal error, or output that could not be written.");
    Work chosen;
    for (const auto add : {addRun, addResume, addFollow, addFetch, addDemo, addList, addCompare, addExport, addImport,
                           addAudit, addPlan, addNoise, addVerify, addReport, addFields})
        add(app, chosen);
    Console console;
    if (argc < 2)
        console.print(app.help() + "\n"); // for a person who looks around; parse() says that a verb is missing
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        // Help and version arrive here too, with exit code 0.
        std::ostringstream help;
        const bool good = app.exit(error, help, std::cerr) == 0;
        console.print(help.str());
        return good ? console.finish(0) : static_cast<int>(ErrorKind::Configuration);
    }
    const int code = perform(chosen, console);
    return console.finish(code == needsEngine ? becomeEngine(argv, console) : code);
}

} // namespace
} // namespace accumulus::cli

int main(int argc, char** argv) {
    accumulus::setUpLog();
    return accumulus::cli::commandLineMain(argc, argv);
}
