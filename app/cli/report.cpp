// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/engine/report_work.h"
#include "app/cli/library_option.h"
#include "app/cli/verbs.h"
#include "core/report/report_languages.h"

#include <memory>

namespace accumulus::cli {

void addReport(CLI::App& app, Work& chosen) {
    const auto options = std::make_shared<ReportOptions>();
    CLI::App& verb =
        *app.add_subcommand("report", "Write the report of a run, a study, or two to eight groups of runs");
    addCompareTargets(verb, options->targets, "RUN|STUDY", "A run or a study, or two to eight runs to compare");
    verb.add_option("--metric", options->compare.metric, metricNames())->type_name("NAME");
    verb.add_option("--margin", options->compare.margin,
                    "Equivalence margin in the metric's own unit (of accuracies a fraction)")
        ->type_name("X")
        ->check(CLI::PositiveNumber);
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
