// SPDX-License-Identifier: GPL-3.0-or-later
// The report of a comparison of more than two groups: a table of all of them, then a chapter for each against the
// reference. Any thread.
#pragma once

#include "core/analysis/compare_family.h"
#include "core/report/report_document.h"

#include <optional>
#include <string>
#include <vector>

namespace accumulus {

/// A row for each group with runs, A first: completed runs with a finite metric, their mean and standard deviation, the
/// difference from the reference over pairs of seeds with its 90 % interval, verdict and p values as corrected by
/// Holm's method. Accuracies in per cent and percentage points. Nothing for two groups.
[[nodiscard]] std::optional<ReportTable> groupsTable(const ComparisonInput& input, const FamilyComparison& family);

/// `chapters`: the report of each member of the family, in their order; at least one. One alone is the report.
/// `study`: its name, for the title of several; empty: none.
[[nodiscard]] ReportDocument makeFamilyReport(const ComparisonInput& input, const FamilyComparison& family,
                                              std::vector<ReportDocument> chapters, const std::string& study = {});

} // namespace accumulus
