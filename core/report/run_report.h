// SPDX-License-Identifier: GPL-3.0-or-later
// The report of one run: what it was, its curves, its settings, the command that repeats it. Any thread.
#pragma once

#include "core/analysis/gradient_audit.h"
#include "core/analysis/micro_plan.h"
#include "core/analysis/rank_cost.h"
#include "core/report/report_document.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace accumulus {

/// Everything a run's report says, from values.
struct RunReportInput {
    ComparedRun run;
    std::vector<std::pair<std::string, std::string>> facts;    ///< state, updates, samples, speed, ...
    std::vector<std::pair<std::string, std::string>> settings; ///< key, value
    Series gradNorm, learningRate;                             ///< x in samples
    RankTotals rankTotals;                                     ///< without ranks where one computed all
    std::optional<RankCost> rankCost;
    std::vector<GradientAudit> audits; ///< newest first
    std::optional<MicroPlan> plan;     ///< of its configuration
    std::int64_t lanes = 1;            ///< of each rank
    std::string command;               ///< reproduces the run
    std::string notes;                 ///< what a person wrote about it
    double createdAt = 0.0;
};
[[nodiscard]] ReportDocument makeRunReport(const RunReportInput& input);

} // namespace accumulus
