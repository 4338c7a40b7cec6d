// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/library_option.h"
#include "app/cli/number_checks.h"
#include "app/cli/stop_on_signal.h"
#include "app/cli/verbs.h"
#include "core/run/run_import.h"
#include "core/run/run_import_words.h"

#include <memory>
#include <nlohmann/json.hpp>

namespace accumulus::cli {
namespace {

struct ImportArguments {
    std::vector<std::string> files;
    std::string library;
    std::string step = "updates";
    std::int64_t effective = 0;
    bool json = false;
};

std::string jsonText(const ImportOutcome& outcome) {
    return nlohmann::ordered_json{{"imported", outcome.added},
                                  {"known", outcome.known},
                                  {"known_in_trash", outcome.knownInTrash},
                                  {"unfinished", outcome.unfinished},
                                  {"trashed", outcome.trashed}}
        .dump();
}

int import(const ImportArguments& options, Console& console) {
    const StopOnSignal signals;
    auto library = Library::open(libraryPath(options.library), Library::Mode::Write);
    if (!library)
        return console.fail(library.error());
    RunStore store(std::move(*library));
    const std::vector<std::filesystem::path> files(options.files.begin(), options.files.end());
    const auto outcome = importRuns(
        store, files,
        {.step = options.step == "samples" ? EventStep::Samples : EventStep::Updates, .effective = options.effective},
        signals.token());
    if (!outcome)
        return console.fail(outcome.error());
    if (options.json) {
        console.line(jsonText(*outcome));
        return 0;
    }
    for (const std::string& run : outcome->added)
        console.line(run);
    for (const Message& message : importMessages(*outcome))
        console.note(messageText(message));
    return 0;
}

} // namespace

void addImport(CLI::App& app, Work& chosen) {
    const auto options = std::make_shared<ImportArguments>();
    CLI::App& verb = *app.add_subcommand(
        "import", "Add runs of another library, of exported CSV and JSON, or of TensorBoard event files");
    verb.add_option("FILE", options->files,
                    "What to import. After an error, nothing is imported. A CSV does not say how its run ended: it "
                    "counts as completed")
        ->required()
        ->type_name("");
    verb.add_option("--step", options->step,
                    "What event files of other programs call a step: updates (the default) or samples")
        ->check(CLI::IsMember({"updates", "samples"}))
        ->type_name("COUNTER");
    verb.add_option("--effective-batch", options->effective,
                    "Samples per update, for event files that do not record it")
        ->check(wholeAboveZero())
        ->type_name("N");
    verb.add_flag("--json", options->json,
                  "One object of JSON: imported (UUIDs), known, known_in_trash, unfinished, "
                  "trashed");
    addLibraryOption(verb, options->library);
    verb.callback([options, &chosen] { chosen = [options](Console& console) { return import(*options, console); }; });
}

} // namespace accumulus::cli
