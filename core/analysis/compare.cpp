// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/compare.h"

#include "core/analysis/compare_words.h"
#include "core/config/batch_plan.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <set>

namespace accumulus {
namespace {

using RunsBySeed = std::map<std::int64_t, const ComparedRun*>;
using RunPairs = std::vector<std::pair<const ComparedRun*, const ComparedRun*>>;

/// Code of why a run cannot be used; null when it can.
const char* obstacle(const ComparedRun& run, CompareMetric metric, const std::set<std::string>& otherGroup) {
    if (otherGroup.contains(run.id))
        return "unpaired.both-groups";
    if (!run.complete)
        return "unpaired.incomplete";
    const auto value = metricValue(run, metric);
    if (!value)
        return "unpaired.no-metric";
    return std::isfinite(*value) ? nullptr : "unpaired.not-finite";
}

std::set<std::string> identifiers(const std::vector<ComparedRun>& group) {
    std::set<std::string> ids;
    for (const ComparedRun& run : group)
        ids.insert(run.id);
    return ids;
}

/// The usable runs of a group, one for each seed; what is left out goes into `unpaired`.
RunsBySeed usableRuns(const std::vector<ComparedRun>& group, CompareMetric metric, const std::set<std::string>& other,
                      std::vector<Message>& unpaired) {
    RunsBySeed runs;
    for (const ComparedRun& run : group) {
        if (const char* reason = obstacle(run, metric, other)) {
            unpaired.push_back(aboutRun(reason, run));
            unpaired.back().arguments.emplace_back("metric", metricCode(metric));
        } else if (const auto [first, added] = runs.emplace(run.seed, &run); !added) {
            unpaired.push_back(aboutRun("unpaired.repeated-seed", run));
            unpaired.back().arguments.emplace_back("used", aboutRun({}, *first->second).argument("run"));
        }
    }
    return runs;
}

/// The one that was fixed, or the metric's default for the mean of the large batch (else of group B).
double marginOf(const ComparisonInput& input, const std::vector<PairedResult>& pairs) {
    if (input.margin > 0.0)
        return input.margin;
    const bool largeIsA = !input.groupA.empty() && input.groupA.front().arm == Arm::LargeBatch &&
                          !input.groupB.empty() && input.groupB.front().arm != Arm::LargeBatch;
    double sum = 0.0;
    for (const PairedResult& pair : pairs)
        sum += largeIsA ? pair.a : pair.b;
    return defaultMargin(input.metric, pairs.empty() ? 0.0 : sum / static_cast<double>(pairs.size()));
}

RunPairs pairBySeed(const RunsBySeed& a, const RunsBySeed& b, std::vector<Message>& unpaired) {
    RunPairs pairs;
    for (const auto& [seed, run] : a) {
        if (const auto partner = b.find(seed); partner != b.end())
            pairs.emplace_back(run, partner->second);
        else
            unpaired.push_back(aboutRun("unpaired.no-partner", *run));
    }
    for (const auto& [seed, run] : b)
        if (!a.contains(seed))
            unpaired.push_back(aboutRun("unpaired.no-partner", *run));
    return pairs;
}

PairedResult pairedResult(const ComparedRun& a, const ComparedRun& b, CompareMetric metric) {
    const double valueA = metricValue(a, metric).value_or(0.0);
    const double valueB = metricValue(b, metric).value_or(0.0);
    return {a.seed, a.id, b.id, valueA, valueB, valueA - valueB, a.samples, b.samples, a.updates, b.updates};
}

/// Square root of the mean of both groups' variances over seeds.
double pooledSpread(const std::vector<PairedResult>& pairs) {
    std::vector<double> a;
    std::vector<double> b;
    for (const PairedResult& pair : pairs) {
        a.push_back(pair.a);
        b.push_back(pair.b);
    }
    const double sdA = moments(a).sd;
    const double sdB = moments(b).sd;
    return std::sqrt((sdA * sdA + sdB * sdB) / 2.0);
}

/// An effective batch of 0 is derived; written out in one arm and derived in the other it is still the same.
std::vector<FieldDifference> settingDifferences(const ComparedRun& a, const ComparedRun& b) {
    std::vector<FieldDifference> differences = configDifferences(a.config, b.config);
    if (a.batch.effective == b.batch.effective)
        std::erase_if(differences,
                      [](const FieldDifference& difference) { return difference.key == "batch.effective"; });
    return differences;
}

using RunCurve = std::function<Series(const ComparedRun&)>;

Band groupBand(const std::vector<const ComparedRun*>& runs, const RunCurve& curve, BandKind kind, double smoothing) {
    std::vector<Series> curves;
    for (const ComparedRun* run : runs) {
        Series drawn = curve(*run);
        drawn.y = debiasedEma(drawn.y, smoothing);
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

void fillCurves(Comparison& comparison, const ComparisonInput& input, const RunPairs& pairs) {
    std::vector<const ComparedRun*> a;
    std::vector<const ComparedRun*> b;
    for (const auto& [runA, runB] : pairs) {
        a.push_back(runA);
        b.push_back(runB);
    }
    const auto complete = [](const std::vector<ComparedRun>& group) {
        std::vector<const ComparedRun*> runs;
        for (const ComparedRun& run : group)
            if (run.complete)
                runs.push_back(&run);
        return runs;
    };
    if (pairs.empty()) {
        a = complete(input.groupA);
        b = complete(input.groupB);
    }
    const BandKind kind = comparison.bandKind;
    const RunCurve loss = [](const ComparedRun& run) { return run.trainLoss; };
    const RunCurve metric = [shown = comparison.shown](const ComparedRun& run) { return metricCurve(run, shown); };
    comparison.lossA = groupBand(a, loss, kind, comparison.lossSmoothing);
    comparison.lossB = groupBand(b, loss, kind, comparison.lossSmoothing);
    comparison.metricA = groupBand(a, metric, kind, 0.0);
    comparison.metricB = groupBand(b, metric, kind, 0.0);
    comparison.lossDifference = differenceBand(pairs, loss, kind, comparison.interpolated);
    comparison.metricDifference = differenceBand(pairs, metric, kind, comparison.interpolated);
}

} // namespace

std::string metricCode(CompareMetric metric) { return "metric." + metricName(metric); }

std::string metricTitle(CompareMetric metric) { return std::string(messageWords(metricCode(metric))); }

std::string curveCode(CompareMetric metric) { return "curve." + metricName(metric); }

std::string curveTitle(CompareMetric metric) { return std::string(messageWords(curveCode(metric))); }

MetricUnit metricUnit(CompareMetric metric) {
    if (metricRow(metric).isShare)
        return {100.0, " %", std::string(messageWords("unit.points")), "unit.points"};
    return {};
}

std::optional<double> metricValue(const ComparedRun& run, CompareMetric metric) {
    return hasMetric(run.config, metric) ? metricOf(run.ends, metric) : std::nullopt;
}

Series metricCurve(const ComparedRun& run, CompareMetric metric) {
    Series curve;
    if (!hasMetric(run.config, metric))
        return curve;
    for (const EvaluationRecord& evaluation : run.tests)
        if (const auto value = metricOf(evaluation, metric)) {
            curve.x.push_back(static_cast<double>(evaluation.samples));
            curve.y.push_back(*value);
        }
    return curve;
}

CompareMetric shownMetric(CompareMetric judged, const RunConfig& run) {
    const bool lossOrBest = judged == CompareMetric::TestLoss || !metricRow(judged).fromEvaluations;
    return lossOrBest ? mainMetric(run) : judged;
}

std::pair<std::string, std::string> groupCodes(const ComparisonInput& input) {
    const auto commonArm = [](const std::vector<ComparedRun>& group) -> std::optional<Arm> {
        for (const ComparedRun& run : group)
            if (run.arm != group.front().arm)
                return std::nullopt;
        return group.empty() ? std::nullopt : std::optional(group.front().arm);
    };
    const auto a = commonArm(input.groupA);
    const auto b = commonArm(input.groupB);
    if (!a || !b || a == b)
        return {"group.a", "group.b"};
    const auto code = [](Arm arm) { return arm == Arm::Accumulated ? "group.accumulated" : "group.large-batch"; };
    return {code(*a), code(*b)};
}

std::pair<std::string, std::string> groupNames(const ComparisonInput& input) {
    const auto [a, b] = groupCodes(input);
    return {std::string(messageWords(a)), std::string(messageWords(b))};
}

std::string verdictText(const Comparison& comparison) { return messagesText(comparison.sentences, " "); }

/// BatchNorm makes a batch another method unless its statistics are frozen or both runs normalise in groups of the same
/// size (ghost batches).
bool sameNormalisation(const ComparedRun& a, const ComparedRun& b) {
    const auto normalises = [](const ComparedRun& run) {
        return hasBatchNorm(run.config.model) || hasTrait(run, "batch-norm");
    };
    const auto frozen = [](const ComparedRun& run) { return run.config.numerics.batchNorm == BatchNormMode::Frozen; };
    const auto group = [](const ComparedRun& run) {
        return run.config.numerics.ghost > 0 ? run.config.numerics.ghost : run.config.batch.micro;
    };
    return (!normalises(a) && !normalises(b)) || (frozen(a) && frozen(b)) || group(a) == group(b);
}

/// A network that mixes the samples of a micro-batch is another one for each size of it.
bool mixesDifferently(const ComparedRun& a, const ComparedRun& b) {
    return (hasTrait(a, "couples") || hasTrait(b, "couples")) && a.config.batch.micro != b.config.batch.micro;
}

bool hasTrait(const ComparedRun& run, std::string_view trait) {
    return (' ' + run.modelTraits + ' ').find(' ' + std::string(trait) + ' ') != std::string::npos;
}

Comparison compareGroups(const ComparisonInput& input, BandKind band, double lossSmoothing) {
    Comparison comparison;
    comparison.metric = input.metric;
    if (!input.groupA.empty())
        comparison.shown = shownMetric(input.metric, input.groupA.front().config);
    comparison.bandKind = band;
    comparison.lossSmoothing = lossSmoothing;
    const auto a = usableRuns(input.groupA, input.metric, identifiers(input.groupB), comparison.unpaired);
    const auto b = usableRuns(input.groupB, input.metric, identifiers(input.groupA), comparison.unpaired);
    const RunPairs pairs = pairBySeed(a, b, comparison.unpaired);
    std::vector<double> differences;
    for (const auto& [runA, runB] : pairs) {
        comparison.pairs.push_back(pairedResult(*runA, *runB, input.metric));
        differences.push_back(comparison.pairs.back().difference);
    }
    comparison.test = pairedEquivalence(differences, marginOf(input, comparison.pairs));
    if (comparison.test.verdict == Verdict::Equivalent && std::ranges::any_of(pairs, [](const auto& pair) {
            return !sameNormalisation(*pair.first, *pair.second) || mixesDifferently(*pair.first, *pair.second);
        }))
        comparison.test.verdict = Verdict::WithinMarginOtherMethod;
    comparison.mixesSamples =
        std::ranges::any_of(pairs, [](const auto& pair) { return mixesDifferently(*pair.first, *pair.second); });
    comparison.seedSpread = pooledSpread(comparison.pairs);
    fillCurves(comparison, input, pairs);
    if (!pairs.empty())
        comparison.differences = settingDifferences(*pairs.front().first, *pairs.front().second);
    else if (!input.groupA.empty() && !input.groupB.empty())
        comparison.differences = settingDifferences(input.groupA.front(), input.groupB.front());
    comparison.saving = memorySaving(input);
    comparison.warnings = comparisonWarnings(comparison, input);
    wordVerdict(comparison, input);
    return comparison;
}

} // namespace accumulus
