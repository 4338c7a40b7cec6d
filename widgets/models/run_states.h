// SPDX-License-Identifier: GPL-3.0-or-later
// Where the runs of a study or a group stand, in words. Pure; GUI thread.
#pragma once

#include "core/store/run_records.h"

#include <QString>
#include <vector>

namespace accumulus::ui {

/// "1 completed, 1 stopped, 2 not started": what came furthest first. Empty of no run.
[[nodiscard]] QString stateCounts(const std::vector<const RunRecord*>& runs);
/// The mean share of their updates, 0 to 1; a run that was stopped in the middle counts for what it has done.
[[nodiscard]] double trainedShare(const std::vector<const RunRecord*>& runs);

} // namespace accumulus::ui
