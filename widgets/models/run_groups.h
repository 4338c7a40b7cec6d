// SPDX-License-Identifier: GPL-3.0-or-later
// How a selection of runs becomes two groups to compare. Pure; any thread.
#pragma once

#include "core/store/run_records.h"

#include <QStringList>
#include <optional>
#include <vector>

namespace accumulus::ui {

struct RunGroups {
    QStringList a, b;
};

/// Accumulated against large batch where both are selected; one arm alone is split by its batch when it holds exactly
/// two different splits. Empty when there are no two groups.
[[nodiscard]] std::optional<RunGroups> groupForComparison(const std::vector<const RunRecord*>& runs);

} // namespace accumulus::ui
