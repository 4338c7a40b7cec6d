// SPDX-License-Identifier: GPL-3.0-or-later
// The settings of both groups in the report of a comparison. Internal to report.
#pragma once

#include "core/analysis/compare.h"
#include "core/report/report_document.h"

#include <string>
#include <utility>
#include <vector>

namespace accumulus {

/// Those that differ, unexpected ones first, then `common`: key and value of those that the groups share.
void addSettings(ReportDocument& document, const std::pair<std::string, std::string>& groups,
                 const std::vector<FieldDifference>& differences,
                 const std::vector<std::pair<std::string, std::string>>& common);

} // namespace accumulus
