// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/compare_curves.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

namespace accumulus {
namespace {

/// A curve of one run, or of one pair.
struct SeedCurve {
    Series curve;
    std::vector<double> seen; ///< samples at each point; none: points of equal x belong together
};
using CurveOfRun = std::function<SeedCurve(const ComparedRun&)>;

SeedCurve lossOf(const ComparedRun& run) { return {run.trainLoss, run.seen}; }

CurveOfRun curveOf(CompareMetric metric) {
    return [metric](const ComparedRun& run) {
        SeedCurve drawn{metricCurve(run, metric), {}};
        if (isTime(run.axis))
            drawn.seen = metricCurve(run, metric, CurveAxis::Samples).x;
        return drawn;
    };
}

std::vector<Series> overSamples(const std::vector<SeedCurve>& curves, std::vector<double> Series::*values) {
    std::vector<Series> over;
    for (const SeedCurve& one : curves)
        over.push_back({one.seen, one.curve.*values});
    return over;
}

/// No seed reaches the same point at the same time as another: on an axis of time values after equal samples belong
/// together, and their mean stands at the mean of their times.
Aligned alignSeeds(const std::vector<SeedCurve>& curves) {
    const bool timed = std::ranges::all_of(
        curves, [](const SeedCurve& one) { return !one.seen.empty() && one.seen.size() == one.curve.size(); });
    if (!timed) {
        std::vector<Series> drawn;
        for (const SeedCurve& one : curves)
            drawn.push_back(one.curve);
        return align(drawn);
    }
    Aligned aligned = align(overSamples(curves, &Series::y));
    const Aligned times = align(overSamples(curves, &Series::x));
    for (std::size_t i = 0; i < aligned.x.size(); ++i) {
        double sum = 0.0;
        for (const std::vector<double>& time : times.y)
            sum += time[i];
        aligned.x[i] = sum / static_cast<double>(times.y.size());
    }
    return aligned;
}

Band groupBand(const DrawnRuns& runs, const CurveOfRun& curve, BandKind kind, const CurveSmoothing& smoothing) {
    std::vector<SeedCurve> curves;
    for (const ComparedRun* run : runs) {
        SeedCurve drawn = curve(*run);
        drawn.curve.y = smoothed(drawn.curve.y, smoothing);
        curves.push_back(std::move(drawn));
    }
    return meanBand(alignSeeds(curves), kind);
}

/// At equal x; of several pairs what A had after equal samples.
SeedCurve differenceOf(const SeedCurve& a, const SeedCurve& b, std::size_t& interpolated) {
    Aligned both = align({a.curve, b.curve});
    interpolated += both.interpolated;
    for (std::size_t i = 0; i < both.x.size(); ++i)
        both.y[0][i] -= both.y[1][i];
    SeedCurve difference{{std::move(both.x), std::move(both.y[0])}, {}};
    if (a.seen.size() != a.curve.size() || difference.curve.x.empty())
        return difference;
    const auto first = std::ranges::lower_bound(a.curve.x, difference.curve.x.front()) - a.curve.x.begin();
    const auto seen = a.seen.begin() + first;
    difference.seen.assign(seen, std::next(seen, std::ssize(difference.curve.x)));
    return difference;
}

Band differenceBand(const RunPairs& pairs, const CurveOfRun& curve, BandKind kind, std::size_t& interpolated) {
    std::vector<SeedCurve> differences;
    for (const auto& [a, b] : pairs)
        differences.push_back(differenceOf(curve(*a), curve(*b), interpolated));
    const Aligned aligned = alignSeeds(differences);
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
