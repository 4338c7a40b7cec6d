// SPDX-License-Identifier: GPL-3.0-or-later
// Mean curves and bands of a comparison. Internal to analysis.
#pragma once

#include "core/analysis/compare.h"
#include "core/analysis/compare_pairs.h"

#include <vector>

namespace accumulus {

/// Runs of a group that are drawn.
using DrawnRuns = std::vector<const ComparedRun*>;
[[nodiscard]] DrawnRuns completeRuns(const std::vector<ComparedRun>& group);

/// Training loss, each run smoothed on all its points.
[[nodiscard]] Band lossBand(const DrawnRuns& runs, BandKind kind, const CurveSmoothing& smoothing);
[[nodiscard]] Band metricBand(const DrawnRuns& runs, CompareMetric metric, BandKind kind);

/// All bands of the comparison, over the runs of its pairs; without any pair over all complete runs.
void fillCurves(Comparison& comparison, const ComparisonInput& input, const RunPairs& pairs);

} // namespace accumulus
