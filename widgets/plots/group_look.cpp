// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/group_look.h"

#include <algorithm>
#include <array>
#include <optional>

namespace accumulus::ui {

namespace {

/// The accumulated arm, the large batch, then others.
std::array<GroupLook, mostGroups> looks(const ThemeColors& colors) {
    const auto series = [&colors](qsizetype index) { return colors.series.value(index, colors.control); };
    return {{{colors.accumulated},
             {colors.largeBatch, {5.0, 3.0}, GroupMark::HollowSquare},
             {series(0), {1.5, 2.5}, GroupMark::Triangle},
             {series(1), {8.0, 3.0, 1.5, 3.0}, GroupMark::HollowInverted},
             {series(2), {12.0, 4.0}, GroupMark::Diamond},
             {series(3), {8.0, 3.0, 1.5, 3.0, 1.5, 3.0}, GroupMark::HollowDiamond},
             {colors.difference, {3.0, 6.0}, GroupMark::Plus},
             {colors.control, {14.0, 3.0, 4.0, 3.0}, GroupMark::Cross}}};
}

/// First group of large-batch runs, or of others.
std::optional<std::size_t> firstOf(const ComparisonInput& input, bool large) {
    for (std::size_t group = 0; group < groupCount(input); ++group) {
        const std::vector<ComparedRun>& runs = groupAt(input, group);
        if (!runs.empty() && (runs.front().arm == Arm::LargeBatch) == large)
            return group;
    }
    return std::nullopt;
}

} // namespace

QPen GroupLook::pen(double width) const {
    QPen pen(color, width);
    if (!dashes.isEmpty())
        pen.setDashPattern(dashes);
    return pen;
}

std::vector<GroupLook> groupLooks(const ThemeColors& colors, const ComparisonInput& input) {
    const auto all = looks(colors);
    const auto accumulated = firstOf(input, false);
    const auto large = firstOf(input, true);
    const bool bothArms = accumulated && large;
    const std::size_t asAccumulated = bothArms ? *accumulated : 0;
    const std::size_t asLarge = bothArms ? *large : 1;
    std::vector<GroupLook> result;
    std::size_t next = 2;
    for (std::size_t group = 0; group < groupCount(input); ++group)
        result.push_back(group == asAccumulated ? all[0]
                         : group == asLarge     ? all[1]
                                                : all[std::min(next++, all.size() - 1)]);
    return result;
}

ComparisonInput withoutMeasurements(const ComparisonInput& input) {
    const auto first = [](const std::vector<ComparedRun>& group) {
        std::vector<ComparedRun> runs;
        if (!group.empty())
            runs.emplace_back().arm = group.front().arm;
        return runs;
    };
    ComparisonInput result;
    result.groupA = first(input.groupA);
    result.groupB = first(input.groupB);
    for (const auto& group : input.further)
        result.further.push_back(first(group));
    result.reference = input.reference;
    return result;
}

Qt::BrushStyle hatching(const GroupLook& look) {
    switch (look.mark) {
    case GroupMark::Disc:
        return Qt::SolidPattern;
    case GroupMark::HollowSquare:
        return Qt::BDiagPattern;
    case GroupMark::Triangle:
        return Qt::FDiagPattern;
    case GroupMark::HollowInverted:
        return Qt::DiagCrossPattern;
    case GroupMark::Diamond:
        return Qt::HorPattern;
    case GroupMark::HollowDiamond:
        return Qt::VerPattern;
    case GroupMark::Plus:
        return Qt::CrossPattern;
    case GroupMark::Cross:
        return Qt::Dense5Pattern;
    }
    return Qt::SolidPattern;
}

} // namespace accumulus::ui
