// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/compare.h"

#include "core/analysis/compare_curves.h"
#include "core/analysis/compare_pairs.h"
#include "core/analysis/compare_words.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace accumulus {
namespace {

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

double xOf(const ComparedRun& run, const EvaluationRecord& evaluation, CurveAxis axis) {
    switch (axis) {
    case CurveAxis::Updates:
        return static_cast<double>(evaluation.update);
    case CurveAxis::Epochs:
        return evaluation.epochPosition;
    case CurveAxis::WallTime:
        return evaluation.wallTime - run.startedAt;
    case CurveAxis::ActiveTime:
        return evaluation.activeSeconds;
    case CurveAxis::Samples:
        break;
    }
    return static_cast<double>(evaluation.samples);
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
    return hasMetric(run.config, onTest(metric)) ? metricOf(run.ends, metric) : std::nullopt;
}

Series metricCurve(const ComparedRun& run, CompareMetric metric) { return metricCurve(run, metric, run.axis); }

Series metricCurve(const ComparedRun& run, CompareMetric metric, CurveAxis axis) {
    Series curve;
    if (!hasMetric(run.config, onTest(metric))) // how many validation samples there were may not be known
        return curve;
    for (const EvaluationRecord& evaluation : metricRow(metric).ofTest ? run.validations : run.tests)
        if (const auto value = metricOf(evaluation, metric)) {
            curve.x.push_back(xOf(run, evaluation, axis));
            curve.y.push_back(*value);
        }
    return curve;
}

CompareMetric shownMetric(CompareMetric judged, const RunConfig& run) {
    const bool lossOrBest = onTest(judged) == CompareMetric::TestLoss || !metricRow(judged).fromEvaluations;
    if (!lossOrBest)
        return judged;
    const CompareMetric main = mainMetric(run);
    return metricRow(judged).ofTest ? onValidation(main).value_or(main) : main;
}

std::string groupCode(std::size_t letter) {
    static constexpr std::array codes{"group.a", "group.b", "group.c", "group.d",
                                      "group.e", "group.f", "group.g", "group.h"};
    return codes[std::min(letter, codes.size() - 1)];
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
        return {groupCode(input.letters.first), groupCode(input.letters.second)};
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
    if (!normalises(a) && !normalises(b))
        return true;
    return frozen(a) == frozen(b) && (frozen(a) || group(a) == group(b));
}

bool hasTrait(const ComparedRun& run, std::string_view trait) {
    return (' ' + run.modelTraits + ' ').find(' ' + std::string(trait) + ' ') != std::string::npos;
}

Comparison compareGroups(const ComparisonInput& input, BandKind band, const CurveSmoothing& lossSmoothing) {
    Comparison comparison;
    comparison.metric = input.metric;
    if (!input.groupA.empty()) {
        comparison.shown = shownMetric(input.metric, input.groupA.front().config);
        comparison.axis = input.groupA.front().axis;
    }
    comparison.bandKind = band;
    comparison.lossSmoothing = lossSmoothing;
    const RunPairs pairs = pairRuns(input, input.metric, comparison.unpaired);
    TestedPairs tested = testPairs(input, pairs, input.metric, input.margin);
    comparison.pairs = std::move(tested.pairs);
    comparison.test = tested.test;
    comparison.lost = std::move(tested.lost);
    comparison.otherMethod = isOtherMethod(pairs);
    judgeTogether(comparison, input, pairs);
    comparison.mixesSamples =
        std::ranges::any_of(pairs, [](const auto& pair) { return mixesDifferently(*pair.first, *pair.second); });
    comparison.seedSpread = pooledSpread(comparison.pairs);
    fillCurves(comparison, input, pairs);
    if (!pairs.empty())
        comparison.differences = settingDifferences(*pairs.front().first, *pairs.front().second);
    else if (!input.groupA.empty() && !input.groupB.empty())
        comparison.differences = settingDifferences(input.groupA.front(), input.groupB.front());
    if (!pairs.empty())
        comparison.saving = memorySaving(input);
    if (comparison.saving)
        comparison.evaluationMemory = evaluationMemory(input);
    comparison.warnings = comparisonWarnings(comparison, input);
    wordVerdict(comparison, groupCodes(input));
    return comparison;
}

Verdict judgeGroups(const ComparisonInput& input) {
    std::vector<Message> unpaired;
    const RunPairs pairs = pairRuns(input, input.metric, unpaired);
    return testPairs(input, pairs, input.metric, input.margin).test.verdict;
}

} // namespace accumulus
