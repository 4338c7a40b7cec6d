// SPDX-License-Identifier: GPL-3.0-or-later
// What several ranks cost, in one line: the same sentence as on the command line. A tooltip shows where the time of
// each rank went and what it sent. Shows what it is told; GUI thread.
#pragma once

#include "core/analysis/rank_cost.h"
#include "widgets/style/controls.h"

namespace accumulus::ui {

class RankLine : public RoleLabel {
    Q_OBJECT
public:
    explicit RankLine(const Theme& theme, QWidget* parent = nullptr);
    /// `title` stands before it where there are two; lanes of each rank. Empty without a cost.
    void setCost(const QString& title, const RankTotals& totals, const std::optional<RankCost>& cost,
                 std::int64_t lanes);
};

} // namespace accumulus::ui
