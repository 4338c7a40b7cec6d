// SPDX-License-Identifier: GPL-3.0-or-later
// What the Reports page reads from the library. The functions run on the gateway's query thread.
#pragma once

#include "core/report/report_document.h"
#include "widgets/models/comparison_loader.h"

namespace accumulus::ui {

/// One thing that can be reported: a run, or two groups.
struct ReportSubject {
    QString title;
    QString run; ///< empty for a comparison
    ComparisonRequest comparison;
    [[nodiscard]] bool isRun() const { return !run.isEmpty(); }
    [[nodiscard]] bool sameAs(const ReportSubject& other) const;
};
/// Runs that have ended, newest first.
[[nodiscard]] Result<std::vector<ReportSubject>> loadReportRuns(RunReader& reader);
[[nodiscard]] Result<std::vector<ReportSubject>> loadReportComparisons(RunReader& reader);
/// `language`: a code of reportLanguages().
[[nodiscard]] Result<ReportDocument> loadReport(RunReader& reader, const ReportSubject& subject,
                                                const QString& language);

} // namespace accumulus::ui
