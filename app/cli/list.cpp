// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/comparing.h"
#include "app/cli/json_output.h"
#include "app/cli/library_option.h"
#include "app/cli/verbs.h"
#include "app/cli/words.h"
#include "core/base/clock.h"
#include "core/config/batch_words.h"
#include "core/run/library_views.h"

#include <fmt/format.h>
#include <map>
#include <memory>

namespace accumulus::cli {
namespace {

struct ListArguments {
    std::string library, study;
    bool json = false, trash = false;
};

/// "97.85 %", "RMSE 0.4312".
std::string mainText(const RunRecord& run) {
    const CompareMetric metric = mainMetric(run.config);
    const auto value = metricOf(run.summary, metric);
    if (metricRow(metric).isShare)
        return percent(value);
    if (!value || metric == CompareMetric::TestLoss)
        return "-";
    return (metric == CompareMetric::TestMae ? "MAE " : "RMSE ") + number(value);
}

std::vector<std::string> tableRow(const RunRecord& run, const std::string& study, RunState state) {
    return {shortId(run.id),
            study,
            armName(run.arm),
            fmt::format("{}", run.seed),
            batchEquation(run.batch, plainSigns()),
            grouped(run.summary.updates),
            grouped(run.summary.samples),
            mainText(run),
            number(run.summary.testLoss),
            runStateName(state),
            isoTime(run.createdAt)};
}

int list(const ListArguments& options, Console& console) {
    const std::filesystem::path path = libraryPath(options.library);
    // Where nothing can be seen because a folder is closed, opening says so.
    std::error_code problem;
    if (options.library.empty() && !std::filesystem::exists(path, problem) && !problem) {
        console.line(options.json ? "[]" : "No runs yet. Try: accumulus-cli demo");
        return 0;
    }
    auto reader = openReader(path);
    if (!reader)
        return console.fail(reader.error());
    RunFilter filter{.trashed = options.trash, .study = {}};
    if (!options.study.empty()) {
        const auto study = findStudy(*reader, options.study);
        if (!study)
            return console.fail(study.error());
        filter.study = study->id;
    }
    const auto studies = reader->studies();
    const auto runs = reader->runs(filter);
    if (!studies || !runs)
        return console.fail(studies ? runs.error() : studies.error());

    std::map<std::string, std::string> names;
    for (const StudyRecord& study : *studies)
        names[study.id] = study.name;
    const double now = unixTime();
    if (options.json) {
        Json rows = Json::array();
        for (const RunRecord& run : *runs)
            rows.push_back(runJson(run, names[run.study], shownState(run, now)));
        console.line(oneLine(rows));
        return 0;
    }
    std::vector<std::vector<std::string>> rows{
        {"run", "study", "arm", "seed", "batch", "updates", "samples", "test metric", "test loss", "state", "created"}};
    for (const RunRecord& run : *runs)
        rows.push_back(tableRow(run, names[run.study], shownState(run, now)));
    for (const std::string& line :
         tableLines(rows, {false, false, false, true, true, true, true, true, true, false, false}))
        console.line(line);
    return 0;
}

} // namespace

void addList(CLI::App& app, Work& chosen) {
    const auto options = std::make_shared<ListArguments>();
    CLI::App& verb = *app.add_subcommand("list", "The runs of the library, newest first");
    addLibraryOption(verb, options->library);
    verb.add_option("--study", options->study, "Only the runs of this study (id or name)")->type_name("STUDY");
    verb.add_flag("--trash", options->trash, "The runs in the trash instead");
    verb.add_flag("--json", options->json, "One JSON array with state, settings and results of each run");
    verb.callback([options, &chosen] { chosen = [options](Console& console) { return list(*options, console); }; });
}

} // namespace accumulus::cli
