// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/compare_words.h"

#include "core/base/error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <set>

namespace accumulus {
namespace {

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

    std::string difference() const {
        return signedText(m_test.meanDifference * m_unit.factor, m_decimals) + m_unit.difference;
    }
    std::string interval(double lower, double upper) const {
        return fmt::format("{} to {}", signedText(lower * m_unit.factor, m_decimals),
                           signedText(upper * m_unit.factor, m_decimals));
    }
    std::string interval90() const { return interval(m_test.ci90Lower, m_test.ci90Upper); }
    std::string interval95() const { return interval(m_test.ci95Lower, m_test.ci95Upper); }
    std::string margin() const { return fmt::format("±{:.6g}{}", m_test.margin * m_unit.factor, m_unit.difference); }
    /// Rounded up, so that the number shown would really pass.
    std::string smallestMargin() const {
        const double scale = std::pow(10.0, m_decimals);
        const double exact = m_test.smallestMargin * m_unit.factor;
        const double up = m_decimals < 10 ? std::ceil(exact * scale * (1.0 - 1e-12)) / scale : exact;
        return numberText(up, m_decimals) + m_unit.difference;
    }

private:
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

std::string capitalised(std::string text) {
    if (!text.empty() && text.front() >= 'a' && text.front() <= 'z')
        text.front() = static_cast<char>(text.front() - 'a' + 'A');
    return text;
}

std::string headlineOf(const EquivalenceTest& test, const TestNumbers& numbers) {
    return fillArguments(
        verdictWords(test.verdict),
        {{},
         {{"margin", numbers.margin()}, {"n", std::to_string(test.n)}, {"needed", std::to_string(pairsForVerdict)}}});
}

std::string judgement(const EquivalenceTest& test, const TestNumbers& numbers) {
    const std::string smallest = fmt::format("Smallest margin that would pass: {}.", numbers.smallestMargin());
    switch (test.verdict) {
    case Verdict::Equivalent:
        return fmt::format("The 90 % interval lies inside {}: any difference is smaller than the margin. {}",
                           numbers.margin(), smallest);
    case Verdict::Different:
        return fmt::format(
            "The 95 % interval ({}) leaves out 0 ({}): the groups differ by more than the seeds explain, and "
            "the difference was not shown to stay within {}. {}",
            numbers.interval95(), probabilityText(test.pDifference), numbers.margin(), smallest);
    case Verdict::DifferentWithinMargin:
        return fmt::format(
            "There is a difference (95 % interval {}, {}), but the 90 % interval lies inside {}: it is smaller "
            "than the margin. {}",
            numbers.interval95(), probabilityText(test.pDifference), numbers.margin(), smallest);
    case Verdict::Inconclusive:
        return fmt::format(
            "The runs show neither a difference ({}) nor equivalence within {} ({}). That is no evidence of "
            "equality: more seeds would narrow the interval. {}",
            probabilityText(test.pDifference), numbers.margin(), probabilityText(test.pEquivalence), smallest);
    case Verdict::WithinMarginOtherMethod:
        return fmt::format("The 90 % interval lies inside {}, but BatchNorm normalised the groups' samples by the "
                           "statistics of different batches: they are "
                           "different methods, and a small difference here says nothing about others. To compare "
                           "accumulation itself set study.ghost = true, "
                           "numerics.batch_norm = \"frozen\" or model.norm = \"group\".",
                           numbers.margin());
    case Verdict::NotEnoughSeeds:
        break;
    }
    return "A verdict needs at least 3 paired seeds.";
}

/// "optimizer.lr is 0.01 in group A and 0.1 in group B"; settings that TOML leaves empty are named as such.
std::string differencePhrase(const std::string& what, const std::string& a, const std::string& b) {
    const auto shown = [](const std::string& text) { return text.empty() ? std::string("empty") : text; };
    return fmt::format("Unexpected difference: {} is {} in group A and {} in group B.", what, shown(a), shown(b));
}

using Environment = std::map<std::string, std::set<std::string>>;

Environment environmentOf(const std::vector<ComparedRun>& group) {
    Environment all;
    for (const ComparedRun& run : group)
        for (const auto& [key, value] : run.environment)
            all[key].insert(value);
    return all;
}

void warnAboutEnvironment(const ComparisonInput& input, std::vector<std::string>& warnings) {
    Environment a = environmentOf(input.groupA);
    Environment b = environmentOf(input.groupB);
    std::set<std::string> keys;
    for (const Environment* group : {&a, &b})
        for (const auto& entry : *group)
            keys.insert(entry.first);
    for (const std::string& key : keys)
        if (a[key] != b[key] || a[key].size() > 1)
            warnings.push_back(differencePhrase(key, fmt::format("{}", fmt::join(a[key], " / ")),
                                                fmt::format("{}", fmt::join(b[key], " / "))));
}

/// Settings must be the same in all runs of a group; even those that may differ inside a pair.
void warnAboutMixture(const std::string& name, const std::vector<ComparedRun>& group,
                      std::vector<std::string>& warnings) {
    std::set<std::string> keys;
    for (const ComparedRun& run : group)
        for (const FieldDifference& difference : configDifferences(group.front().config, run.config))
            keys.insert(difference.key);
    if (!keys.empty())
        warnings.push_back(fmt::format("The runs of {} do not share one configuration: they differ in {}.", name,
                                       fmt::join(keys, ", ")));
}

} // namespace

std::string runPhrase(const ComparedRun& run) {
    return fmt::format("Run {} (seed {})", run.name.empty() ? run.id : run.name, run.seed);
}

void wordVerdict(Comparison& comparison, const ComparisonInput& input) {
    const EquivalenceTest& test = comparison.test;
    const MetricUnit unit = metricUnit(comparison.metric);
    const TestNumbers numbers(test, unit);
    comparison.headline = headlineOf(test, numbers);
    const std::string metric = metricTitle(comparison.metric);
    const auto [a, b] = groupNames(input);
    const std::string seeds = pluralText(test.n, "paired seed");
    std::string finding;
    if (test.n == 0)
        finding = "No seed has a usable run in both groups, so there is nothing to compare.";
    else if (test.n == 1)
        finding = fmt::format("{} minus {}: difference in {} {} ({}).", capitalised(a), b, metric, numbers.difference(),
                              seeds);
    else if (test.verdict == Verdict::Equivalent && test.smallestMargin == 0.0) {
        comparison.sentence =
            fmt::format("All {} gave exactly the same {} in both groups, which lies within {} and any other "
                        "margin.",
                        seeds, metric, numbers.margin());
        return;
    } else
        finding = fmt::format("{} minus {}: mean difference in {} {} (90 % interval {}; {}).", capitalised(a), b,
                              metric, numbers.difference(), numbers.interval90(), seeds);
    comparison.sentence = finding + " " + judgement(test, numbers);
}

std::vector<std::string> comparisonWarnings(const Comparison& comparison, const ComparisonInput& input) {
    std::vector<std::string> warnings;
    if (input.marginSetAfterResults)
        warnings.push_back("The margin was set after the results were seen.");
    if (!(input.margin > 0.0))
        warnings.push_back("The margin is not positive: equivalence cannot be shown.");
    for (const FieldDifference& difference : comparison.differences)
        if (!difference.expected)
            warnings.push_back(differencePhrase(difference.key, difference.a, difference.b));
    warnAboutMixture("group A", input.groupA, warnings);
    warnAboutMixture("group B", input.groupB, warnings);
    warnAboutEnvironment(input, warnings);
    for (const PairedResult& pair : comparison.pairs)
        if (pair.samplesA != pair.samplesB)
            warnings.push_back(fmt::format("Seed {}: the runs saw different amounts of data, {} and {} samples.",
                                           pair.seed, countText(pair.samplesA), countText(pair.samplesB)));
    return warnings;
}

} // namespace accumulus
