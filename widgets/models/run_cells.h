// SPDX-License-Identifier: GPL-3.0-or-later
// What stands in the cells and headers of the library's table, in the workbench's language. Pure; GUI thread.
#pragma once

#include "widgets/models/run_grouping.h"

namespace accumulus::ui::run_cells {

[[nodiscard]] QString text(const RunRow& row, RunColumn column);
/// "97.21 ± 0.12 % (5)": mean, standard deviation and number of runs; what all runs share; or how many there are.
[[nodiscard]] QString text(const std::vector<RunRow>& rows, const RunGroup& group, RunColumn column);
/// Empty where the cell says it all.
[[nodiscard]] QString toolTip(const RunRow& row, RunColumn column);
[[nodiscard]] QString toolTip(const std::vector<RunRow>& rows, const RunGroup& group, RunColumn column);
[[nodiscard]] QString title(RunColumn column);
[[nodiscard]] QString titleToolTip(RunColumn column);
[[nodiscard]] Qt::Alignment alignment(RunColumn column);

} // namespace accumulus::ui::run_cells
