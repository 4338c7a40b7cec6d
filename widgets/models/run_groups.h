// SPDX-License-Identifier: GPL-3.0-or-later
// How a selection of runs becomes two groups to compare, or one more. Pure; any thread.
#pragma once

#include "core/store/run_records.h"

#include <QList>
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

enum class FurtherGroup { Possible, NoRuns, NothingCompared, AllCompared, TooMany };

/// Whether those of `runs` that are in none of `groups` yet can become one more group of a comparison: there are some,
/// and there is room or a group without runs. `groups`: none while nothing is compared.
[[nodiscard]] FurtherGroup furtherGroup(const QStringList& runs, const QList<QStringList>& groups);

} // namespace accumulus::ui
