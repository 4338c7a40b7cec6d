// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/comparing.h"
#include "app/cli/library_option.h"
#include "app/cli/stop_on_signal.h"
#include "app/cli/verbs.h"
#include "app/cli/words.h"
#include "core/base/measured_values.h"
#include "core/launch/remote_files.h"
#include "core/run/run_export.h"

#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace accumulus::cli {
namespace {

const std::map<std::string, ExportedWeights> weightsByName = {
    {"initial", ExportedWeights::Initial}, {"best", ExportedWeights::Best}, {"last", ExportedWeights::Last}};

const std::map<std::string, ExportedStep> stepsByName = {{"updates", ExportedStep::Updates},
                                                         {"samples", ExportedStep::Samples}};

/// Options that one format alone heeds.
constexpr std::pair<const char*, const char*> optionsOfFormats[] = {
    {"--checkpoint", "safetensors"}, {"--layout", "csv"}, {"--step", "tensorboard"}};

struct ExportArguments {
    std::string run, format, out, library;
    std::string checkpoint = "last";
    std::string layout = "long";
    std::string step = "updates";
};

/// The file that was written.
Result<std::string> write(RunReader& reader, const std::string& run, const ExportArguments& options) {
    if (options.format == "tensorboard") {
        ACCUMULUS_TRY_ASSIGN(const auto file, exportRunEvents(reader, run, stepsByName.at(options.step), options.out));
        return file.string();
    }
    if (options.format == "csv")
        ACCUMULUS_TRY(options.layout == "wide" ? exportRunWideCsv(reader, run, options.out)
                                               : exportRunCsv(reader, run, options.out));
    else if (options.format == "json")
        ACCUMULUS_TRY(exportRunJson(reader, run, options.out));
    else {
        const StopOnSignal signals;
        ACCUMULUS_TRY(
            exportWeightsFromAnywhere(reader, run, weightsByName.at(options.checkpoint), options.out, signals.token()));
    }
    return options.out;
}

/// One line for each value of a kind of row: "  loss    mean loss over the window's loss units".
template <class Record>
void addLines(std::vector<std::vector<std::string>>& table, std::span<const MeasuredValue<Record>> values) {
    for (const MeasuredValue<Record>& value : values)
        table.push_back({"  " + std::string(value.name), std::string(value.unit), std::string(value.description)});
}

/// What the columns of the CSV and the members of the JSON mean, and those of the events of `run --json`.
std::string columnHelp() {
    std::vector<std::vector<std::string>> table = {{"Values of a window:", "", ""}};
    addLines(table, windowValues());
    table.push_back({"Values of an evaluation:", "", ""});
    addLines(table, evaluationValues());
    table.push_back({"Values of one of several ranks:", "", ""});
    addLines(table, rankValues());
    std::string text;
    for (const std::string& line : tableLines(table, {false, false, false}))
        text += line + '\n';
    return text +
           "A value that was not measured is empty in CSV and null in JSON; one that was not finite is nan or inf "
           "in CSV and null in JSON.";
}

int exportRun(const ExportArguments& options, Console& console) {
    auto reader = openReader(libraryPath(options.library));
    if (!reader)
        return console.fail(reader.error());
    const auto run = reader->run(options.run);
    if (!run)
        return console.fail(run.error());
    const auto written = write(*reader, run->id, options);
    if (!written)
        return console.fail(written.error());
    console.line(*written);
    return 0;
}

} // namespace

void addExport(CLI::App& app, Work& chosen) {
    const auto options = std::make_shared<ExportArguments>();
    CLI::App& verb =
        *app.add_subcommand("export", "Write a run's measurements (csv, json, tensorboard) or weights (safetensors)");
    verb.add_option("RUN", options->run, "The run's id or its first characters")->required();
    verb.add_option("--format", options->format, "csv, json, tensorboard or safetensors")
        ->required()
        ->check(CLI::IsMember({"csv", "json", "tensorboard", "safetensors"}))
        ->type_name("FORMAT");
    verb.add_option("--checkpoint", options->checkpoint,
                    "Which weights (safetensors): initial (kept with checkpoint.initial), best (kept with "
                    "checkpoint.best and data.validation above 0) or last, the default")
        ->check(CLI::IsMember({"initial", "best", "last"}))
        ->type_name("KIND");
    verb.add_option(
            "--layout", options->layout,
            "Layout of the CSV: long (the default; windows, evaluations and ranks are rows of their own) or wide (one "
            "row per window, evaluations in columns beside it)")
        ->check(CLI::IsMember({"long", "wide"}))
        ->type_name("LAYOUT");
    verb.add_option("--step", options->step, "What TensorBoard calls a step: updates (the default) or samples")
        ->check(CLI::IsMember({"updates", "samples"}))
        ->type_name("COUNTER");
    verb.add_option("--out", options->out,
                    "The file to write. For tensorboard it may be a folder, in which events.out.tfevents... is made")
        ->required()
        ->type_name("FILE");
    addLibraryOption(verb, options->library);
    verb.footer(columnHelp);
    verb.callback([options, &verb, &chosen] {
        for (const auto& [option, format] : optionsOfFormats)
            if (verb.count(option) > 0 && options->format != format)
                throw CLI::RequiresError(option, std::string("--format ") + format);
        chosen = [options](Console& console) { return exportRun(*options, console); };
    });
}

} // namespace accumulus::cli
