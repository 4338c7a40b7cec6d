// SPDX-License-Identifier: GPL-3.0-or-later
// The metrics of a comparison that are judged together, as a part of its report. Any thread.
#pragma once

#include "core/analysis/compare.h"
#include "core/report/report_document.h"

#include <optional>

namespace accumulus {

/// With p values corrected by Holm's method; nothing for one metric alone.
[[nodiscard]] std::optional<ReportTable> judgedTogetherTable(const Comparison& comparison);

} // namespace accumulus
