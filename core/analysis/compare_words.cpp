// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/compare_words.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <set>
#include <utility>

namespace accumulus {
namespace {

using Arguments = std::vector<std::pair<std::string, std::string>>;

std::string probabilityText(double p) {
    if (p < 0.0001)
        return "p < 0.0001";
    return fmt::format("p = {:.{}f}", p, p < 0.1 ? 4 : 2);
}

/// The numbers of a test in the metric's unit, all with the same decimals.
class TestNumbers {
public:
    TestNumbers(const EquivalenceTest& test, const MetricUnit& unit)
        : m_test(test), m_unit(unit), m_decimals(decimals(test, unit.factor)) {}

    /// What the sentences of a verdict name, but the groups and the metric.
    [[nodiscard]] Arguments arguments() const {
        return {{"unit", m_unit.differenceCode},
                {"n", std::to_string(m_test.n)},
                {"needed", std::to_string(pairsForVerdict)},
                {"margin", margin()},
                {"difference", shown(m_test.meanDifference)},
                {"low90", shown(m_test.ci90Lower)},
                {"high90", shown(m_test.ci90Upper)},
                {"low95", shown(m_test.ci95Lower)},
                {"high95", shown(m_test.ci95Upper)},
                {"pDifference", probabilityText(m_test.pDifference)},
                {"pEquivalence", probabilityText(m_test.pEquivalence)},
                {"smallest", smallestMargin()},
                {"step", shortText(m_test.step * m_unit.factor)}};
    }

private:
    [[nodiscard]] std::string shown(double value) const { return signedText(value * m_unit.factor, m_decimals); }

    /// Four digits, as in the field where it is set; all of a large one.
    [[nodiscard]] std::string margin() const {
        const double shown = m_test.margin * m_unit.factor;
        return std::abs(shown) < 1000.0 ? shortText(shown) : fmt::format("{:.6g}", shown);
    }

    /// Rounded up, so that the number shown would really pass.
    [[nodiscard]] std::string smallestMargin() const {
        return roundedUpText(m_test.smallestMargin * m_unit.factor, m_decimals);
    }

    /// Two significant digits of the interval's half width (without spread: of the mean, else of the margin).
    static int decimals(const EquivalenceTest& test, double factor) {
        const double halfWidth = (test.ci90Upper - test.ci90Lower) / 2.0;
        double scale = std::isfinite(halfWidth) ? halfWidth : 0.0;
        if (scale == 0.0)
            scale = std::abs(test.meanDifference);
        return decimalsFor((scale == 0.0 ? test.margin : scale) * factor);
    }

    const EquivalenceTest& m_test;
    const MetricUnit& m_unit;
    int m_decimals;
};

/// Of several metrics, or pairs of groups, that are judged together the corrected p values count.
void takeCorrected(Arguments& arguments, const Comparison& comparison) {
    FamilyCorrection correction;
    if (!comparison.together.empty()) {
        const JudgedMetric& judged = comparison.together.front();
        correction = {1, comparison.together.size(), judged.pEquivalence, judged.pDifference};
    }
    if (comparison.family)
        correction = *comparison.family;
    for (auto& [name, value] : arguments) {
        if (name == "pDifference")
            value = probabilityText(correction.pDifference);
        else if (name == "pEquivalence")
            value = probabilityText(correction.pEquivalence);
    }
    arguments.emplace_back("metrics", std::to_string(correction.metrics));
    arguments.emplace_back("pairs", std::to_string(correction.pairs));
}

/// The sentence that names the correction.
const char* holmCode(const Comparison& comparison) {
    if (!comparison.family)
        return "verdict.holm";
    return comparison.family->metrics > 1 ? "verdict.holm-groups-metrics" : "verdict.holm-groups";
}

/// The sentence that gives the numbers.
const char* findingCode(const EquivalenceTest& test) {
    if (test.n == 0)
        return "verdict.nothing-to-compare";
    return test.n == 1 ? "verdict.one-difference" : "verdict.mean-difference";
}

/// What the numbers mean.
const char* judgementCode(const EquivalenceTest& test, bool mixesSamples, bool lostSeeds) {
    switch (test.verdict) {
    case Verdict::Equivalent:
        return "verdict.because-equivalent";
    case Verdict::Different:
        return "verdict.because-different";
    case Verdict::DifferentWithinMargin:
        return "verdict.because-different-within";
    case Verdict::Inconclusive:
        if (!stepTellsMargin(test.step, test.margin))
            return "verdict.because-coarse";
        return lostSeeds ? "verdict.because-lost" : "verdict.because-inconclusive";
    case Verdict::WithinMarginOtherMethod:
        return mixesSamples ? "verdict.because-mixes" : "verdict.because-other-method";
    case Verdict::NotEnoughSeeds:
        break;
    }
    return "verdict.because-few-seeds";
}

/// Settings that TOML leaves empty are named as such.
Message unexpectedDifference(const std::string& what, const std::string& a, const std::string& b) {
    const auto shown = [](const std::string& text) { return text.empty() ? std::string("phrase.empty") : text; };
    return {"warning.difference", {{"what", what}, {"a", shown(a)}, {"b", shown(b)}}};
}

using Environment = std::map<std::string, std::set<std::string>>;

Environment environmentOf(const std::vector<ComparedRun>& group) {
    Environment all;
    for (const ComparedRun& run : group)
        for (const auto& [key, value] : run.environment)
            all[key].insert(value);
    return all;
}

void warnAboutEnvironment(const ComparisonInput& input, std::vector<Message>& warnings) {
    Environment a = environmentOf(input.groupA);
    Environment b = environmentOf(input.groupB);
    std::set<std::string> keys;
    for (const Environment* group : {&a, &b})
        for (const auto& entry : *group)
            keys.insert(entry.first);
    for (const std::string& key : keys)
        if (!a[key].empty() && !b[key].empty() && (a[key] != b[key] || a[key].size() > 1)) // unknown is no difference
            warnings.push_back(unexpectedDifference(key, fmt::format("{}", fmt::join(a[key], " / ")),
                                                    fmt::format("{}", fmt::join(b[key], " / "))));
}

/// Settings must be the same in all runs of a group; even those that may differ inside a pair.
void warnAboutMixture(const std::string& name, const std::vector<ComparedRun>& group, std::vector<Message>& warnings) {
    std::set<std::string> keys;
    for (const ComparedRun& run : group)
        for (const FieldDifference& difference : configDifferences(group.front().config, run.config))
            keys.insert(difference.key);
    if (!keys.empty())
        warnings.push_back({"warning.mixture", {{"group", name}, {"keys", fmt::format("{}", fmt::join(keys, ", "))}}});
}

void warnAboutLostSeeds(const std::string& name, const std::vector<std::int64_t>& seeds,
                        std::vector<Message>& warnings) {
    if (!seeds.empty())
        warnings.push_back(
            {"warning.lost-seeds", {{"group", name}, {"seeds", fmt::format("{}", fmt::join(seeds, ", "))}}});
}

} // namespace

Message aboutRun(std::string code, const ComparedRun& run) {
    return {std::move(code), {{"run", run.name.empty() ? run.id : run.name}, {"seed", std::to_string(run.seed)}}};
}

void wordVerdict(Comparison& comparison, const std::pair<std::string, std::string>& codes) {
    const EquivalenceTest& test = comparison.test;
    const MetricUnit unit = metricUnit(comparison.metric);
    Arguments arguments = TestNumbers(test, unit).arguments();
    const bool together = !comparison.together.empty() || comparison.family;
    if (together)
        takeCorrected(arguments, comparison);
    arguments.insert(arguments.end(),
                     {{"a", codes.first}, {"b", codes.second}, {"metric", metricCode(comparison.metric)}});
    const auto say = [&arguments](const char* code) { return Message{code, arguments}; };
    comparison.headline = say(verdictCode(test.verdict));
    if (test.verdict == Verdict::Equivalent && test.meanDifference == 0.0 && test.sdDifference == 0.0) {
        comparison.sentences = {say(test.step > 0.0 ? "verdict.exactly-equal-shares" : "verdict.exactly-equal")};
        if (together)
            comparison.sentences.push_back(say(holmCode(comparison)));
        return;
    }
    comparison.sentences = {say(findingCode(test)),
                            say(judgementCode(test, comparison.mixesSamples, comparison.lost.any()))};
    if (test.verdict == Verdict::Different || test.verdict == Verdict::DifferentWithinMargin) {
        const bool higher = metricRow(comparison.metric).higherIsBetter;
        const bool aIsBetter = (test.meanDifference > 0.0) == higher;
        arguments.emplace_back("direction", higher ? "direction.higher" : "direction.lower");
        comparison.sentences.push_back(say(aIsBetter ? "verdict.better-a" : "verdict.better-b"));
    }
    if (together) // which margin would pass depends on the other metrics then
        comparison.sentences.push_back(say(holmCode(comparison)));
    else if (test.verdict != Verdict::NotEnoughSeeds && test.verdict != Verdict::WithinMarginOtherMethod &&
             !comparison.lost.any())
        comparison.sentences.push_back(say(smallestMarginCode));
}

std::vector<Message> comparisonWarnings(const Comparison& comparison, const ComparisonInput& input) {
    std::vector<Message> warnings;
    if (input.metricChosenAfterResults)
        warnings.push_back({"warning.metric-late", {}});
    if (input.marginSetAfterResults && input.marginSetAt > 0.0)
        warnings.push_back({"warning.margin-late", {}});
    else if (input.marginSetAfterResults)
        warnings.push_back({"warning.margin-default", {}});
    if (input.seedsAddedAfterResults)
        warnings.push_back({"warning.seeds-late", {}});
    if (input.margin < 0.0)
        warnings.push_back({"warning.margin", {}});
    warnAboutLostSeeds(groupCode(input.letters.first), comparison.lost.a, warnings);
    warnAboutLostSeeds(groupCode(input.letters.second), comparison.lost.b, warnings);
    for (const FieldDifference& difference : comparison.differences)
        if (!difference.expected)
            warnings.push_back(unexpectedDifference(difference.key, difference.a, difference.b));
    const auto draws = [](const ComparedRun& run) { return hasTrait(run, "draws"); };
    if (std::ranges::any_of(input.groupA, draws) || std::ranges::any_of(input.groupB, draws))
        warnings.push_back({"warning.draws", {}});
    warnAboutMixture(groupCode(input.letters.first), input.groupA, warnings);
    warnAboutMixture(groupCode(input.letters.second), input.groupB, warnings);
    warnAboutEnvironment(input, warnings);
    for (const PairedResult& pair : comparison.pairs)
        if (pair.samplesA != pair.samplesB)
            warnings.push_back({"warning.samples",
                                {{"seed", std::to_string(pair.seed)},
                                 {"a", std::to_string(pair.samplesA)},
                                 {"b", std::to_string(pair.samplesB)}}});
    return warnings;
}

} // namespace accumulus
