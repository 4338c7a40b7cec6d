// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/compare_pairs.h"

#include "core/analysis/compare_words.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>

namespace accumulus {
namespace {

using RunsBySeed = std::map<std::int64_t, const ComparedRun*>;

/// Code of why a run cannot be used; null when it can.
const char* obstacle(const ComparedRun& run, CompareMetric metric, const std::set<std::string>& otherGroup) {
    if (otherGroup.contains(run.id))
        return "unpaired.both-groups";
    if (run.failed)
        return run.reason.empty() ? "unpaired.failed-unknown" : "unpaired.failed";
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
            if (run.failed)
                unpaired.back().arguments.emplace_back("reason", run.reason);
        } else if (const auto [first, added] = runs.emplace(run.seed, &run); !added) {
            unpaired.push_back(aboutRun("unpaired.repeated-seed", run));
            unpaired.back().arguments.emplace_back("used", aboutRun({}, *first->second).argument("run"));
        }
    }
    return runs;
}

bool hasDiverged(const ComparedRun& run, CompareMetric metric) {
    const auto value = metricValue(run, metric);
    return run.failed || (run.complete && value && !std::isfinite(*value));
}

/// Seeds of a group that diverged, without another run that is usable, where the other group has one.
std::vector<std::int64_t> divergedSeeds(const std::vector<ComparedRun>& group, const RunsBySeed& usable,
                                        const RunsBySeed& other, CompareMetric metric) {
    std::set<std::int64_t> seeds;
    for (const ComparedRun& run : group)
        if (hasDiverged(run, metric) && !usable.contains(run.seed) && other.contains(run.seed))
            seeds.insert(run.seed);
    return {seeds.begin(), seeds.end()};
}

LostSeeds lostSeeds(const ComparisonInput& input, CompareMetric metric) {
    std::vector<Message> ignored;
    const auto a = usableRuns(input.groupA, metric, identifiers(input.groupB), ignored);
    const auto b = usableRuns(input.groupB, metric, identifiers(input.groupA), ignored);
    return {divergedSeeds(input.groupA, a, b, metric), divergedSeeds(input.groupB, b, a, metric)};
}

/// The one that was fixed, or the metric's default for the mean of the large batch (else of group B).
double marginOf(const ComparisonInput& input, const std::vector<PairedResult>& pairs, CompareMetric metric,
                double margin) {
    if (margin > 0.0)
        return margin;
    const bool largeIsA = !input.groupA.empty() && input.groupA.front().arm == Arm::LargeBatch &&
                          !input.groupB.empty() && input.groupB.front().arm != Arm::LargeBatch;
    double sum = 0.0;
    for (const PairedResult& pair : pairs)
        sum += largeIsA ? pair.a : pair.b;
    return defaultMargin(metric, pairs.empty() ? 0.0 : sum / static_cast<double>(pairs.size()));
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

double meanOf(const std::vector<PairedResult>& pairs, double PairedResult::*value) {
    double sum = 0.0;
    for (const PairedResult& pair : pairs)
        sum += pair.*value;
    return pairs.empty() ? 0.0 : sum / static_cast<double>(pairs.size());
}

/// What one answer changes of a share whose samples may each ask for several: of one answer a sample, unless a value
/// lies between.
double seenStep(const RunPairs& pairs, CompareMetric metric, std::int64_t samples) {
    const auto count = static_cast<double>(samples);
    for (const auto& [runA, runB] : pairs)
        for (const ComparedRun* run : {runA, runB}) {
            const double answers = metricValue(*run, metric).value_or(0.0) * count;
            if (std::abs(answers - std::round(answers)) > 1e-9 * count)
                return 0.0;
        }
    return 1.0 / count;
}

double coarsestStep(const RunPairs& pairs, CompareMetric metric) {
    const bool ofValidation = metricRow(metric).ofTest.has_value();
    double step = 0.0;
    for (const auto& [runA, runB] : pairs)
        for (const ComparedRun* run : {runA, runB}) {
            const std::int64_t samples = ofValidation ? run->validationCount : run->testCount;
            const bool several = metricRow(metric).isShare && samples > 0 && run->config.data.dataset == "tensors";
            step =
                std::max(step, several ? seenStep(pairs, metric, samples) : metricStep(metric, run->config, samples));
        }
    return step;
}

JudgedMetric judgedMetric(CompareMetric metric, const TestedPairs& tested, bool marginFixed) {
    JudgedMetric judged;
    judged.metric = metric;
    judged.meanA = meanOf(tested.pairs, &PairedResult::a);
    judged.meanB = meanOf(tested.pairs, &PairedResult::b);
    judged.test = tested.test;
    judged.lostSeeds = tested.lost.any();
    judged.marginFixed = marginFixed;
    return judged;
}

/// Runs without a further metric leave it with fewer pairs.
void addWithoutMetric(Comparison& comparison, const std::vector<Message>& unpaired) {
    for (const Message& run : unpaired)
        if (run.code == "unpaired.no-metric" || run.code == "unpaired.not-finite")
            comparison.unpaired.push_back(run);
}

} // namespace

RunPairs pairRuns(const ComparisonInput& input, CompareMetric metric, std::vector<Message>& unpaired) {
    const auto a = usableRuns(input.groupA, metric, identifiers(input.groupB), unpaired);
    const auto b = usableRuns(input.groupB, metric, identifiers(input.groupA), unpaired);
    return pairBySeed(a, b, unpaired);
}

TestedPairs testPairs(const ComparisonInput& input, const RunPairs& pairs, CompareMetric metric, double margin) {
    TestedPairs tested;
    std::vector<double> differences;
    for (const auto& [runA, runB] : pairs) {
        tested.pairs.push_back(pairedResult(*runA, *runB, metric));
        differences.push_back(tested.pairs.back().difference);
    }
    tested.test = pairedEquivalence(differences, marginOf(input, tested.pairs, metric, margin), 0.05,
                                    coarsestStep(pairs, metric));
    tested.lost = lostSeeds(input, metric);
    tested.test.smallestMargin = tested.lost.any() ? std::numeric_limits<double>::infinity()
                                                   : std::max(tested.test.smallestMargin, tested.test.step);
    tested.test.verdict = allowedVerdict(tested.test.verdict, tested.test, isOtherMethod(pairs), tested.lost.any());
    return tested;
}

bool isOtherMethod(const RunPairs& pairs) {
    return std::ranges::any_of(pairs, [](const auto& pair) {
        return !sameNormalisation(*pair.first, *pair.second) || mixesDifferently(*pair.first, *pair.second);
    });
}

Verdict allowedVerdict(Verdict verdict, const EquivalenceTest& test, bool otherMethod, bool lostSeeds) {
    const bool open = lostSeeds || !stepTellsMargin(test.step, test.margin);
    if (open && verdict == Verdict::Equivalent)
        return Verdict::Inconclusive;
    if (open && verdict == Verdict::DifferentWithinMargin)
        return Verdict::Different;
    return verdict == Verdict::Equivalent && otherMethod ? Verdict::WithinMarginOtherMethod : verdict;
}

bool mixesDifferently(const ComparedRun& a, const ComparedRun& b) {
    return (hasTrait(a, "couples") || hasTrait(b, "couples")) && a.config.batch.micro != b.config.batch.micro;
}

void correctByHolm(const std::vector<JudgedMetric*>& family) {
    std::vector<double> equivalence;
    std::vector<double> difference;
    for (const JudgedMetric* judged : family) {
        equivalence.push_back(judged->test.pEquivalence);
        difference.push_back(judged->test.pDifference);
    }
    equivalence = holmAdjusted(equivalence);
    difference = holmAdjusted(difference);
    for (std::size_t i = 0; i < family.size(); ++i) {
        JudgedMetric& judged = *family[i];
        judged.pEquivalence = equivalence[i];
        judged.pDifference = difference[i];
        judged.test.verdict = allowedVerdict(verdictOf(judged.test.n, equivalence[i], difference[i], judged.test.alpha),
                                             judged.test, judged.otherMethod, judged.lostSeeds);
    }
}

void judgeTogether(Comparison& comparison, const ComparisonInput& input, const RunPairs& pairs) {
    if (input.together.empty())
        return;
    comparison.together = {judgedMetric(comparison.metric, {comparison.pairs, comparison.test, comparison.lost},
                                        !input.marginSetAfterResults)};
    comparison.together.front().otherMethod = isOtherMethod(pairs);
    for (const FurtherMetric& further : input.together) {
        std::vector<Message> unpaired;
        const RunPairs pairsOfIt = pairRuns(input, further.metric, unpaired);
        const TestedPairs tested = testPairs(input, pairsOfIt, further.metric, further.margin);
        addWithoutMetric(comparison, unpaired);
        comparison.together.push_back(judgedMetric(further.metric, tested, further.marginFixed));
        comparison.together.back().otherMethod = isOtherMethod(pairsOfIt);
    }
    std::vector<JudgedMetric*> judged;
    for (JudgedMetric& one : comparison.together)
        judged.push_back(&one);
    correctByHolm(judged);
    comparison.test.verdict = comparison.together.front().test.verdict;
}

} // namespace accumulus
