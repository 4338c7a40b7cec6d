// SPDX-License-Identifier: GPL-3.0-or-later
// Comparisons that outlive the page: saved ones as rows of the library, and the last one of each library in the
// settings. Pure but for the settings; GUI thread.
#pragma once

#include "core/store/comparison_records.h"
#include "widgets/models/comparison_loader.h"

#include <filesystem>
#include <optional>

namespace accumulus::ui {

/// What is shown now, to be kept with its margin as it is.
[[nodiscard]] ComparisonRecord recordOf(const ComparisonRequest& request, const LoadedComparison& shown,
                                        const QString& name, double now);
[[nodiscard]] ComparisonRequest requestOf(const ComparisonRecord& record);
/// "±0.5 points, set on 3 May 2026, after the results were seen".
[[nodiscard]] QString marginNote(const ComparisonRecord& record);
/// A name that none of them has: "name", "name (2)", ...
[[nodiscard]] QString freeName(const QString& name, const std::vector<ComparisonRecord>& taken);

void rememberLast(const std::filesystem::path& library, const ComparisonRequest& request);
[[nodiscard]] std::optional<ComparisonRequest> lastCompared(const std::filesystem::path& library);

} // namespace accumulus::ui
