// SPDX-License-Identifier: GPL-3.0-or-later
// What the Reports page reads from the library. The functions run on the gateway's query thread.
#pragma once

#include "core/report/report_document.h"
#include "widgets/models/comparison_loader.h"

namespace accumulus::ui {

/// What can be reported.
enum class ReportKind { Comparison, Run, Audit, Plan };

/// One thing that can be reported.
struct ReportSubject {
    QString title;
    QString run; ///< of a single run
    ComparisonRequest comparison;
    QString audit{}, plan{};          ///< UUID of an audit, key of a sweep
    QString details{};                ///< what tells it apart from others of that title
    std::optional<Verdict> verdict{}; ///< of a comparison
    [[nodiscard]] ReportKind kind() const;
    [[nodiscard]] bool sameAs(const ReportSubject& other) const;
};
/// What the library holds of the runs that a report is about: where that is the same, so is the report. Signs of life
/// are left out; audits and plans never change.
struct ReportBasis {
    std::vector<RunRecord> runs;
    std::vector<StudyRecord> studies;
    bool operator==(const ReportBasis&) const = default;
};
[[nodiscard]] ReportBasis loadReportBasis(RunReader& reader, const ReportSubject& subject);
[[nodiscard]] ReportSubject reportOf(const RunRecord& run);
/// Runs that have ended, newest first.
[[nodiscard]] Result<std::vector<ReportSubject>> loadReportRuns(RunReader& reader);
[[nodiscard]] Result<std::vector<ReportSubject>> loadReportComparisons(RunReader& reader);
/// Newest first, those of that kind.
[[nodiscard]] Result<std::vector<ReportSubject>> loadReportSubjects(RunReader& reader, ReportKind kind);

/// The subjects of one kind.
struct ReportList {
    ReportKind kind = ReportKind::Comparison;
    std::vector<ReportSubject> subjects;
};
/// Of `wanted`; where that kind has none, of the first one that has. Empty: no kind has any.
[[nodiscard]] Result<ReportList> loadReportList(RunReader& reader, ReportKind wanted);
/// Of a file, from a title: "Accumulated against large batch" -> "accumulated-against-large-batch"
[[nodiscard]] QString reportFileName(const QString& title);
/// `language`: a code of reportLanguages().
[[nodiscard]] Result<ReportDocument> loadReport(RunReader& reader, const ReportSubject& subject,
                                                const QString& language);

} // namespace accumulus::ui
