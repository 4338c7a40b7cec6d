// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/engine/report_work.h"

#include "app/cli/library_option.h"
#include "core/report/report_document.h"
#include "core/report/report_languages.h"
#include "core/report/report_words.h"
#include "core/run/library_views.h"

namespace accumulus::cli {
namespace {

Result<ReportDocument> comparisonDocument(RunReader& reader, const ReportOptions& options) {
    ACCUMULUS_TRY_ASSIGN(const auto groups, resolveGroups(reader, options.targets));
    ACCUMULUS_TRY_ASSIGN(const auto compared, compareGroupsOf(reader, groups, options.compare));
    return compared.several() ? familyReport(reader, compared.input, compared.family)
                              : comparisonReport(reader, compared.input, compared.comparison());
}

/// One run's report where the one target names a run, otherwise that of a comparison.
Result<ReportDocument> makeDocument(RunReader& reader, const ReportOptions& options) {
    if (options.targets.positional.size() == 1 && !options.targets.namesGroups()) {
        const std::string& target = options.targets.positional.front();
        if (const auto run = reader.run(target))
            return runReport(reader, run->id);
        else if (run.error().code != "library.no-run" || !findStudy(reader, target))
            return failure(run.error());
    }
    return comparisonDocument(reader, options);
}

} // namespace

int reportOf(const ReportOptions& options, Console& console) {
    auto reader = openReader(libraryPath(options.library));
    if (!reader)
        return console.fail(reader.error());
    const std::string language = options.language.empty() ? std::string(localeOfReports()) : options.language;
    const ReportLanguage scope(languageOfReports(language), tagOfReports(language));
    const auto document = makeDocument(*reader, options);
    if (!document)
        return console.fail(document.error());
    if (const Status written = writeReport(*document, options.out); !written)
        return console.fail(written.error());
    console.line(options.out);
    return 0;
}

} // namespace accumulus::cli
