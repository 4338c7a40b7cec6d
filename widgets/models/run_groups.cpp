// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/run_groups.h"

#include "core/analysis/compare_family.h"

#include <algorithm>
#include <utility>

namespace accumulus::ui {
namespace {

template <class Belongs>
RunGroups split(const std::vector<const RunRecord*>& runs, Belongs belongsToA) {
    RunGroups groups;
    for (const RunRecord* run : runs)
        (belongsToA(*run) ? groups.a : groups.b) << QString::fromStdString(run->id);
    return groups;
}

} // namespace

std::optional<RunGroups> groupForComparison(const std::vector<const RunRecord*>& runs) {
    if (runs.size() < 2)
        return {};
    RunGroups byArm = split(runs, [](const RunRecord& run) { return run.arm == Arm::Accumulated; });
    if (!byArm.a.isEmpty() && !byArm.b.isEmpty())
        return byArm;

    const auto shape = [](const RunRecord& run) {
        return std::pair(run.config.batch.micro, run.config.batch.effective);
    };
    std::vector<std::pair<std::int64_t, std::int64_t>> shapes;
    for (const RunRecord* run : runs)
        if (std::ranges::find(shapes, shape(*run)) == shapes.end())
            shapes.push_back(shape(*run));
    if (shapes.size() != 2)
        return {};
    const auto smaller = std::ranges::min(shapes); // the one that accumulates more stands first
    return split(runs, [&](const RunRecord& run) { return shape(run) == smaller; });
}

FurtherGroup furtherGroup(const QStringList& runs, const QList<QStringList>& groups) {
    if (runs.isEmpty())
        return FurtherGroup::NoRuns;
    if (groups.isEmpty())
        return FurtherGroup::NothingCompared;
    const bool taken = std::ranges::all_of(runs, [&groups](const QString& run) {
        return std::ranges::any_of(groups, [&run](const QStringList& group) { return group.contains(run); });
    });
    if (taken)
        return FurtherGroup::AllCompared;
    const bool room = groups.size() < static_cast<qsizetype>(mostGroups) || groups.contains(QStringList());
    return room ? FurtherGroup::Possible : FurtherGroup::TooMany;
}

} // namespace accumulus::ui
