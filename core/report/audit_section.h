// SPDX-License-Identifier: GPL-3.0-or-later
// What audits of gradients found, as a part of the report of a run or a comparison. Any thread.
#pragma once

#include "core/analysis/gradient_audit.h"
#include "core/report/report_document.h"

#include <vector>

namespace accumulus {

/// The newest audit with its weights and tensors, and a line for each older one. Nothing without an audit.
void addAudits(ReportDocument& document, const std::vector<GradientAudit>& audits);

} // namespace accumulus
