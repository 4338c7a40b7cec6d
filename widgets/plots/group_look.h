// SPDX-License-Identifier: GPL-3.0-or-later
// How each group of a comparison is drawn: colour, line and marks of its own, the same in every picture. Runs of the
// large batch keep theirs when groups are swapped. Pure; any thread.
#pragma once

#include "core/analysis/compare_family.h"
#include "widgets/plots/group_mark.h"
#include "widgets/style/theme.h"

#include <QColor>
#include <QList>
#include <QPen>
#include <vector>

namespace accumulus::ui {

struct GroupLook {
    QColor color;
    QList<qreal> dashes{}; ///< of its line, in widths of the pen; empty: solid
    GroupMark mark = GroupMark::Disc;
    [[nodiscard]] QPen pen(double width) const;
    bool operator==(const GroupLook&) const = default;
};

/// One for each group, A first; no two are alike.
[[nodiscard]] std::vector<GroupLook> groupLooks(const ThemeColors& colors, const ComparisonInput& input);

/// Only what groupLooks() looks at: the arm of each group's first run. To keep for other colours.
[[nodiscard]] ComparisonInput withoutMeasurements(const ComparisonInput& input);
/// For bars, so that colour alone never tells groups apart: solid for the accumulated arm, hatched for the large batch.
[[nodiscard]] Qt::BrushStyle hatching(const GroupLook& look);

} // namespace accumulus::ui
