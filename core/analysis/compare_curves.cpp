// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/compare_curves.h"

#include <functional>
#include <utility>

namespace accumulus {
namespace {

using RunCurve = std::function<Series(const ComparedRun&)>;

Series lossOf(const ComparedRun& run) { return run.trainLoss; }

RunCurve curveOf(CompareMetric metric) {
    return [metric](const ComparedRun& run) { return metricCurve(run, metric); };
}

Band groupBand(const DrawnRuns& runs, const RunCurve& curve, BandKind kind, const CurveSmoothing& smoothing) {
    std::vector<Series> curves;
    for (const ComparedRun* run : runs) {
        Series drawn = curve(*run);
        drawn.y = smoothed(drawn.y, smoothing);
        curves.push_back(std::move(drawn));
    }
    return meanBand(align(curves), kind);
}

Band differenceBand(const RunPairs& pairs, const RunCurve& curve, BandKind kind, std::size_t& interpolated) {
    std::vector<Series> differences;
    for (const auto& [a, b] : pairs) {
        Aligned both = align({curve(*a), curve(*b)});
        interpolated += both.interpolated;
        for (std::size_t i = 0; i < both.x.size(); ++i)
            both.y[0][i] -= both.y[1][i];
        differences.push_back({std::move(both.x), std::move(both.y[0])});
    }
    const Aligned aligned = align(differences);
    interpolated += aligned.interpolated;
    return meanBand(aligned, kind);
}

} // namespace

DrawnRuns completeRuns(const std::vector<ComparedRun>& group) {
    DrawnRuns runs;
    for (const ComparedRun& run : group)
        if (run.complete)
            runs.push_back(&run);
    return runs;
}

Band lossBand(const DrawnRuns& runs, BandKind kind, const CurveSmoothing& smoothing) {
    return groupBand(runs, lossOf, kind, smoothing);
}

Band metricBand(const DrawnRuns& runs, CompareMetric metric, BandKind kind) {
    return groupBand(runs, curveOf(metric), kind, {});
}

void fillCurves(Comparison& comparison, const ComparisonInput& input, const RunPairs& pairs) {
    DrawnRuns a;
    DrawnRuns b;
    for (const auto& [runA, runB] : pairs) {
        a.push_back(runA);
        b.push_back(runB);
    }
    if (pairs.empty()) {
        a = completeRuns(input.groupA);
        b = completeRuns(input.groupB);
    }
    const BandKind kind = comparison.bandKind;
    comparison.lossA = lossBand(a, kind, comparison.lossSmoothing);
    comparison.lossB = lossBand(b, kind, comparison.lossSmoothing);
    comparison.metricA = metricBand(a, comparison.shown, kind);
    comparison.metricB = metricBand(b, comparison.shown, kind);
    comparison.lossDifference = differenceBand(pairs, lossOf, kind, comparison.interpolated);
    comparison.metricDifference = differenceBand(pairs, curveOf(comparison.shown), kind, comparison.interpolated);
}

} // namespace accumulus
