// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/compare_family.h"

#include "core/analysis/compare_curves.h"
#include "core/analysis/compare_words.h"

#include <algorithm>
#include <set>
#include <span>
#include <string>
#include <utility>

namespace accumulus {
namespace {

using GroupCodes = std::pair<std::string, std::string>;

/// One metric for each pair, several where the pairs have further ones: all of them are one family for Holm's method.
void judgeFamily(std::vector<FamilyMember>& members, const std::vector<GroupCodes>& codes) {
    if (members.size() < 2)
        return;
    std::vector<JudgedMetric> alone(members.size()); // of pairs that are judged by one metric
    std::vector<JudgedMetric*> family;
    for (std::size_t i = 0; i < members.size(); ++i) {
        Comparison& comparison = members[i].comparison;
        if (comparison.together.empty()) {
            alone[i].test = comparison.test;
            alone[i].otherMethod = comparison.otherMethod;
            alone[i].lostSeeds = comparison.lost.any();
            family.push_back(&alone[i]);
        }
        for (JudgedMetric& judged : comparison.together)
            family.push_back(&judged);
    }
    correctByHolm(family);
    for (std::size_t i = 0; i < members.size(); ++i) {
        Comparison& comparison = members[i].comparison;
        const bool single = comparison.together.empty();
        const JudgedMetric& judged = single ? alone[i] : comparison.together.front();
        comparison.test.verdict = judged.test.verdict;
        comparison.family = FamilyCorrection{members.size(), single ? 1 : comparison.together.size(),
                                             judged.pEquivalence, judged.pDifference};
        wordVerdict(comparison, codes[i]);
    }
}

/// Runs of the group that form a pair with any other, ascending seeds; else all complete ones.
DrawnRuns pairedRuns(const std::vector<ComparedRun>& group, std::span<const FamilyMember> members,
                     std::string PairedResult::*side) {
    std::set<std::string> paired;
    for (const FamilyMember& member : members)
        for (const PairedResult& pair : member.comparison.pairs)
            paired.insert(pair.*side);
    if (paired.empty())
        return completeRuns(group);
    DrawnRuns runs;
    for (const ComparedRun& run : group)
        if (paired.contains(run.id))
            runs.push_back(&run);
    std::ranges::stable_sort(runs, {}, [](const ComparedRun* run) { return run->seed; });
    return runs;
}

Series rawLoss(const DrawnRuns& runs, const Comparison& drawn) {
    if (!drawn.lossSmoothing.any())
        return {};
    Band raw = lossBand(runs, drawn.bandKind, {});
    return {std::move(raw.x), std::move(raw.mean)};
}

std::vector<GroupCurves> curvesOf(const ComparisonInput& input, const FamilyComparison& family) {
    std::vector<GroupCurves> curves;
    for (const FamilyMember& member : family.members)
        curves.push_back({member.group, member.comparison.lossA, member.comparison.metricA,
                          rawLoss(pairedRuns(groupAt(input, member.group), std::span(&member, 1), &PairedResult::runA),
                                  member.comparison)});
    if (!family.members.empty()) {
        const Comparison& any = family.members.front().comparison;
        const DrawnRuns runs = pairedRuns(groupAt(input, input.reference), family.members, &PairedResult::runB);
        curves.push_back({family.reference, lossBand(runs, any.bandKind, any.lossSmoothing),
                          metricBand(runs, any.shown, any.bandKind), rawLoss(runs, any)});
    }
    std::ranges::sort(curves, {}, &GroupCurves::group);
    return curves;
}

} // namespace

std::size_t groupCount(const ComparisonInput& input) { return 2 + input.further.size(); }

std::string letterOf(std::size_t group) { return std::string(1, static_cast<char>('A' + group)); }

const std::vector<ComparedRun>& groupAt(const ComparisonInput& input, std::size_t group) {
    return group == 0 ? input.groupA : group == 1 ? input.groupB : input.further[group - 2];
}

bool isOutlined(const ComparisonInput& input) {
    for (std::size_t group = 0; group < groupCount(input); ++group)
        if (std::ranges::any_of(groupAt(input, group), &ComparedRun::outlined))
            return true;
    return false;
}

std::vector<std::size_t> comparedGroups(const ComparisonInput& input) {
    std::vector<std::size_t> groups;
    for (std::size_t group = 0; group < groupCount(input); ++group)
        if (group != input.reference && !groupAt(input, group).empty())
            groups.push_back(group);
    return groups;
}

ComparisonInput pairInput(const ComparisonInput& input, std::size_t group) {
    ComparisonInput pair;
    pair.groupA = groupAt(input, group);
    pair.groupB = groupAt(input, input.reference);
    pair.letters = {group, input.reference};
    pair.metric = input.metric;
    pair.margin = input.margin;
    pair.marginSetAt = input.marginSetAt;
    pair.marginSetAfterResults = input.marginSetAfterResults;
    pair.metricChosenAfterResults = input.metricChosenAfterResults;
    pair.together = input.together;
    pair.seedsAddedAfterResults =
        input.seedsAddedAfterResults &&
        (input.lateGroups.empty() || std::ranges::find(input.lateGroups, group) != input.lateGroups.end());
    return pair;
}

FamilyComparison compareFamily(const ComparisonInput& input, BandKind band, const CurveSmoothing& lossSmoothing) {
    FamilyComparison family;
    family.reference = input.reference;
    std::vector<GroupCodes> codes;
    for (const std::size_t group : comparedGroups(input)) {
        const ComparisonInput pair = pairInput(input, group);
        codes.push_back(groupCodes(pair));
        family.members.push_back({group, compareGroups(pair, band, lossSmoothing)});
    }
    judgeFamily(family.members, codes);
    family.curves = curvesOf(input, family);
    return family;
}

} // namespace accumulus
