// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/family_report.h"

#include "core/analysis/number_text.h"
#include "core/report/report_parts.h"
#include "core/report/report_words.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <string>
#include <utility>

namespace accumulus {
namespace {

constexpr const char* none = "–";

/// "C: accumulated 32 × 8".
std::string groupTitle(const ComparisonInput& input, std::size_t group) {
    const ComparedRun& first = groupAt(input, group).front();
    const char* arm = first.arm == Arm::LargeBatch ? "group.large-batch" : "group.accumulated";
    return fmt::format("{}: {} {}", letterOf(group), saidOf(arm), splitText(first));
}

std::vector<double> metricsOf(const std::vector<ComparedRun>& group, CompareMetric metric) {
    std::vector<double> values;
    for (const ComparedRun& run : group)
        if (const auto value = metricValue(run, metric); run.complete && value && std::isfinite(*value))
            values.push_back(*value);
    return values;
}

/// Two digits of the smallest spread between seeds, the same in each row.
int decimalsOf(const FamilyComparison& family, double factor) {
    double scale = 0.0;
    for (const FamilyMember& member : family.members)
        for (const double spread : {member.comparison.seedSpread, std::abs(member.comparison.test.meanDifference)})
            if (spread > 0.0 && std::isfinite(spread)) {
                scale = scale > 0.0 ? std::min(scale, spread) : spread;
                break;
            }
    return std::clamp(decimalsFor((scale > 0.0 ? scale : family.members.front().comparison.test.margin) * factor), 2,
                      9);
}

/// Difference, interval, verdict and p values of a group against the reference.
std::vector<std::string> judgedCells(const Comparison& comparison) {
    const EquivalenceTest& test = comparison.test;
    const double factor = metricUnit(comparison.metric).factor;
    const int digits = test.n > 1 ? std::clamp(decimalsFor(test.standardError * factor, 3), 2, 9) : 4;
    const auto shown = [&](double value) { return saidNumber(signedText(value * factor, digits)); };
    const double pEquivalence = comparison.family ? comparison.family->pEquivalence : test.pEquivalence;
    const double pDifference = comparison.family ? comparison.family->pDifference : test.pDifference;
    return {test.n > 0 ? shown(test.meanDifference) : none,
            test.n > 1 ? say("{} to {}", shown(test.ci90Lower), shown(test.ci90Upper)) : none,
            said(comparison.headline), fmt::format("{:.2g}", pEquivalence), fmt::format("{:.2g}", pDifference)};
}

} // namespace

std::optional<ReportTable> groupsTable(const ComparisonInput& input, const FamilyComparison& family) {
    if (family.members.size() < 2)
        return std::nullopt;
    const CompareMetric metric = family.members.front().comparison.metric;
    const MetricUnit unit = metricUnit(metric);
    const int digits = decimalsOf(family, unit.factor);
    const auto shown = [&](double value) { return saidNumber(numberText(value * unit.factor, digits)); };
    ReportTable table;
    table.caption = say("{} of the completed runs of each group, differences over pairs of the same seed",
                        capitalised(saidOf(metricCode(metric)))) +
                    (unit.value.empty() ? std::string() : say(", in %; the difference in percentage points"));
    table.header = {say("Group"),
                    say("Runs"),
                    say("Mean"),
                    say("SD"),
                    say("Difference from {}", letterOf(family.reference)),
                    say("90 % interval"),
                    say("Verdict"),
                    say("p, equivalence"),
                    say("p, difference")};
    table.numeric = {false, true, true, true, true, true, false, true, true};
    for (std::size_t group = 0; group < groupCount(input); ++group) {
        if (groupAt(input, group).empty())
            continue;
        const std::vector<double> values = metricsOf(groupAt(input, group), metric);
        std::vector<std::string> row{groupTitle(input, group), std::to_string(values.size()),
                                     values.empty() ? none : shown(moments(values).mean),
                                     values.size() < 2 ? none : shown(moments(values).sd)};
        const auto member = std::ranges::find(family.members, group, &FamilyMember::group);
        std::ranges::move(member != family.members.end()
                              ? judgedCells(member->comparison)
                              : std::vector<std::string>{say("reference"), none, none, none, none},
                          std::back_inserter(row));
        table.rows.push_back(std::move(row));
    }
    return table;
}

ReportDocument makeFamilyReport(const ComparisonInput& input, const FamilyComparison& family,
                                std::vector<ReportDocument> chapters, const std::string& study) {
    auto table = groupsTable(input, family);
    if (!table)
        return std::move(chapters.front());
    const std::string reference = letterOf(family.reference);
    ReportDocument whole;
    whole.title = say("{} groups of runs compared", table->rows.size());
    if (!study.empty())
        whole.title = say("{}: {}", study, whole.title);
    whole.subtitle = chapters.front().subtitle;
    whole.language = chapters.front().language;
    whole.pageWords = chapters.front().pageWords;
    whole.blocks.emplace_back(ReportHeading{say("All groups against {}", reference)});
    whole.blocks.emplace_back(std::move(*table));
    whole.blocks.emplace_back(ReportParagraph{
        say("Verdicts and p values are those after Holm's correction, over all pairs of groups and all metrics that "
            "are judged together. Each pair has its chapter below.")});
    for (std::size_t chapter = 0; chapter < chapters.size(); ++chapter) {
        whole.blocks.emplace_back(ReportHeading{
            say("{} against {}: {}", letterOf(family.members[chapter].group), reference, chapters[chapter].title)});
        std::ranges::move(chapters[chapter].blocks, std::back_inserter(whole.blocks));
    }
    return whole;
}

} // namespace accumulus
