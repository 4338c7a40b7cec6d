// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/engine/report_work.h"
#include "app/cli/library_option.h"
#include "app/cli/number_checks.h"
#include "app/cli/report_output.h"
#include "app/cli/verbs.h"
#include "app/cli/words.h"
#include "core/report/report_languages.h"
#include "core/report/report_words.h"
#include "core/run/library_views.h"

#include <memory>

namespace accumulus::cli {
namespace {

Result<ReportDocument> comparisonDocument(RunReader& reader, const ReportOptions& options) {
    ACCUMULUS_TRY_ASSIGN(const auto groups, resolveGroups(reader, options.targets));
    ACCUMULUS_TRY_ASSIGN(const auto compared, compareGroupsOf(reader, groups, options.compare));
    return compared.several() ? familyReport(reader, compared.input, compared.family)
                              : comparisonReport(reader, compared.input, compared.comparison());
}

int reportOf(const ReportOptions& options, Console& console) {
    auto reader = openReader(libraryPath(options.library));
    if (!reader)
        return console.fail(reader.error());
    const std::string language = options.language.empty() ? std::string(localeOfReports()) : options.language;
    const ReportLanguage scope(languageOfReports(language), tagOfReports(language));
    // One run's report where the one target names a run, otherwise that of a comparison.
    if (options.targets.positional.size() == 1 && !options.targets.namesGroups()) {
        const std::string& target = options.targets.positional.front();
        if (const auto run = reader->run(target))
            return options.compare.metric.empty() && !options.compare.margin
                       ? reportOfRun(*reader, *run, options, console)
                       : console.fail({"report.of-run", {{"run", shortId(run->id)}}});
        else if (run.error().code != "library.no-run" || !findStudy(*reader, target))
            return console.fail(run.error());
    }
    return writeDocument(comparisonDocument(*reader, options), options.out, console);
}

} // namespace

void addReport(CLI::App& app, Work& chosen) {
    const auto options = std::make_shared<ReportOptions>();
    CLI::App& verb =
        *app.add_subcommand("report", "Write the report of a run, a study, or two to eight groups of runs");
    addCompareTargets(verb, options->targets, "A study or a run, or two to eight runs to compare");
    verb.add_option("--metric", options->compare.metric, metricNames())->type_name("NAME");
    verb.add_option("--margin", options->compare.margin,
                    "Equivalence margin in the metric's own unit (of accuracies a fraction)")
        ->type_name("X")
        ->check(aboveZero());
    verb.add_option("--out", options->out, "The file: .html (one file) or .md (with its figures)")
        ->required()
        ->type_name("FILE");
    std::vector<std::string> languages;
    for (const ReportLanguageRow& row : reportLanguageRows)
        languages.emplace_back(row.code);
    verb.add_option("--language", options->language,
                    "Language of the report: en or zh_CN; that of the locale where it is one of them, else English")
        ->type_name("CODE")
        ->check(CLI::IsMember(languages));
    addLibraryOption(verb, options->library);
    verb.callback([options, &chosen] { chosen = [options](Console& console) { return reportOf(*options, console); }; });
}

} // namespace accumulus::cli
