// SPDX-License-Identifier: GPL-3.0-or-later
// The report of a comparison: the verdict, curves of both groups, every seed, costs, settings. Any thread.
#pragma once

#include "core/analysis/gradient_audit.h"
#include "core/report/report_document.h"

#include <string>
#include <utility>
#include <vector>

namespace accumulus {

struct ComparisonReportInput {
    ComparisonInput input;
    Comparison comparison;
    std::string study; ///< its name, for the title; empty: none
    std::string question;
    std::vector<GradientAudit> audits;                               ///< of group A's configuration, newest first
    std::vector<std::pair<std::string, std::string>> notes;          ///< run, what a person wrote about it
    std::vector<std::pair<std::string, std::string>> commonSettings; ///< key, value: of both groups' first runs
    std::string commandA, commandB;
    double createdAt = 0.0;
};
[[nodiscard]] ReportDocument makeComparisonReport(const ComparisonReportInput& input);

} // namespace accumulus
