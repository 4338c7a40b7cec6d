// SPDX-License-Identifier: GPL-3.0-or-later
// What is judged together in a comparison, and the p values of its test, as parts of its report. Any thread.
#pragma once

#include "core/analysis/compare.h"
#include "core/report/report_document.h"

#include <optional>
#include <string>
#include <vector>

namespace accumulus {

/// With p values corrected by Holm's method; nothing for one metric alone.
[[nodiscard]] std::optional<ReportTable> judgedTogetherTable(const Comparison& comparison);
/// Name and value: the p values of the test, those by which the verdict goes where other pairs of groups are judged
/// together with this one, and the level.
[[nodiscard]] std::vector<std::vector<std::string>> probabilityRows(const Comparison& comparison);
/// Names the smallest margin that would pass: with other metrics or pairs it holds for this test alone.
[[nodiscard]] std::string smallestMarginTitle(const Comparison& comparison);

} // namespace accumulus
