// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/metrics_table.h"

#include "core/analysis/number_text.h"
#include "core/report/report_words.h"

#include <algorithm>
#include <fmt/format.h>

namespace accumulus {
namespace {

std::vector<std::string> rowOf(const JudgedMetric& judged) {
    const EquivalenceTest& test = judged.test;
    const MetricUnit unit = metricUnit(judged.metric);
    const int digits = test.n > 1 ? std::clamp(decimalsFor(test.standardError * unit.factor, 3), 2, 9) : 4;
    const auto shown = [&](double value) { return saidNumber(signedText(value * unit.factor, digits)); };
    Message word{verdictCode(test.verdict),
                 {{"margin", fmt::format("{:.6g}", test.margin * unit.factor)},
                  {"unit", unit.differenceCode},
                  {"n", std::to_string(test.n)},
                  {"needed", std::to_string(pairsForVerdict)}}};
    return {saidOf(metricCode(judged.metric)),
            std::to_string(test.n),
            test.n > 0 ? shown(test.meanDifference) : "–",
            test.n > 1 ? say("{} to {}", shown(test.ci90Lower), shown(test.ci90Upper)) : "–",
            fmt::format("±{:.6g}{}", test.margin * unit.factor,
                        judged.marginFixed ? std::string() : say(" (not fixed before)")),
            fmt::format("{:.2g}", judged.pEquivalence),
            fmt::format("{:.2g}", judged.pDifference),
            said(word)};
}

} // namespace

std::optional<ReportTable> judgedTogetherTable(const Comparison& comparison) {
    if (comparison.together.empty())
        return std::nullopt;
    ReportTable table{
        say("Metrics judged together; p values corrected by Holm's method, those of equivalence and those of a "
            "difference each by themselves. Accuracies in percentage points"),
        {say("Metric"), say("Pairs"), say("Mean difference"), say("90 % interval"), say("Margin"),
         say("p, equivalence"), say("p, difference"), say("Verdict")},
        {},
        {false, true, true, true, true, true, true, false}};
    for (const JudgedMetric& judged : comparison.together)
        table.rows.push_back(rowOf(judged));
    return table;
}

std::vector<std::vector<std::string>> probabilityRows(const Comparison& comparison) {
    const auto shown = [](double p) { return saidNumber(shortText(p)); };
    const EquivalenceTest& test = comparison.test;
    std::vector<std::vector<std::string>> rows{{say("p of the equivalence test"), shown(test.pEquivalence)},
                                               {say("p of the difference test"), shown(test.pDifference)}};
    if (const auto& family = comparison.family) {
        rows.push_back({say("p of the equivalence test, corrected by Holm's method"), shown(family->pEquivalence)});
        rows.push_back({say("p of the difference test, corrected by Holm's method"), shown(family->pDifference)});
    }
    rows.push_back({say("Significance level"), shortText(test.alpha)});
    return rows;
}

std::string smallestMarginTitle(const Comparison& comparison) {
    return comparison.together.empty() && !comparison.family ? say("Smallest margin that would pass")
                                                             : say("Smallest margin that would pass, if judged alone");
}

} // namespace accumulus
