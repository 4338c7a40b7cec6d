// SPDX-License-Identifier: GPL-3.0-or-later
// What the planner measured, as a part of the report of a run. Any thread.
#pragma once

#include "core/analysis/micro_plan.h"
#include "core/report/report_document.h"

#include <optional>

namespace accumulus {

/// The recommendation and a row for each size. Nothing without a plan.
void addPlan(ReportDocument& document, const std::optional<MicroPlan>& plan);

} // namespace accumulus
