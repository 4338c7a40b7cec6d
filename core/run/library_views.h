// SPDX-License-Identifier: GPL-3.0-or-later
// From library rows to what analysis and report work on. Shared by the command line and the workbench, so both show the
// same.
#pragma once

#include "core/analysis/compare_family.h"
#include "core/base/result.h"
#include "core/report/report_document.h"
#include "core/run/compared_run.h"
#include "core/store/run_reader.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace accumulus {

/// What a comparison may ask for beside groups, metric and margin.
struct ComparisonOptions {
    double marginSetAt = 0.0;            ///< of a margin that the study does not bring; 0: now
    std::vector<std::string> together{}; ///< names of further metrics; those that the runs do not have are left out
    CurveReading curves{};
    std::size_t reference = 1; ///< the group that each other one is compared with
};
/// Groups A, B, ... The margin and its time stamp come from the study when all runs of A and B belong to one, else from
/// `margin`. A, B and the reference must hold runs; other groups may be empty.
[[nodiscard]] Result<ComparisonInput> loadComparedGroups(RunReader& reader,
                                                         const std::vector<std::vector<std::string>>& groups,
                                                         const std::string& metric, std::optional<double> margin,
                                                         const ComparisonOptions& options = {});
/// The same of two groups.
[[nodiscard]] Result<ComparisonInput> loadComparison(RunReader& reader, const std::vector<std::string>& groupA,
                                                     const std::vector<std::string>& groupB, const std::string& metric,
                                                     std::optional<double> margin,
                                                     const ComparisonOptions& options = {});

/// What loadComparison() and compareGroups() say of two groups by their studies' metric and margin, from rows that were
/// read already and without a look at curves. Runs that are not complete do not count. Errors "compare.empty-group",
/// "compare.metric".
[[nodiscard]] Result<Verdict> judgeRows(const std::vector<const RunRecord*>& groupA,
                                        const std::vector<const RunRecord*>& groupB,
                                        const std::map<std::string, StudyRecord>& studies);

/// Groups of runs that can be compared: equal pair hash and seeds, one accumulated and one large-batch group (or two
/// groups of one study).
struct SuggestedPair {
    std::string title; ///< "lenet5 on mnist, B = 256: 32 x 8 against 256 x 1"
    std::vector<std::string> groupA;
    std::vector<std::string> groupB;
};
[[nodiscard]] std::vector<SuggestedPair> suggestPairs(const std::vector<RunRecord>& runs);

/// Interrupted where whoever was to train it is gone, even if nobody has written that down yet.
[[nodiscard]] RunState shownState(const RunRecord& run, double now);

[[nodiscard]] Result<ReportDocument> runReport(RunReader& reader, const std::string& run);
/// Of an audit by its UUID, of a sweep by its key. Error "report.none" where it has gone, "audit.format",
/// "plan.format".
[[nodiscard]] Result<ReportDocument> auditReport(RunReader& reader, const std::string& audit);
[[nodiscard]] Result<ReportDocument> planReport(RunReader& reader, const std::string& key);
[[nodiscard]] Result<ReportDocument> comparisonReport(RunReader& reader, const ComparisonInput& input,
                                                      const Comparison& comparison);
/// Of several groups: a table of all, then a chapter for each against the reference. Of two the report above.
[[nodiscard]] Result<ReportDocument> familyReport(RunReader& reader, const ComparisonInput& input,
                                                  const FamilyComparison& family);

} // namespace accumulus
