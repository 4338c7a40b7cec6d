// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/run_states.h"

#include "widgets/style/format.h"

#include <QCoreApplication>
#include <algorithm>
#include <array>

namespace accumulus::ui {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(accumulus::ui::RunStates)
};

/// What came furthest first.
constexpr std::array stateOrder{RunState::Completed, RunState::Running, RunState::Paused, RunState::Starting,
                                RunState::Stopping,  RunState::Stopped, RunState::Failed, RunState::Interrupted,
                                RunState::Queued,    RunState::Draft};

} // namespace

QString stateCounts(const std::vector<const RunRecord*>& runs) {
    QString all;
    const auto add = [&](qint64 count, const QString& title) {
        if (count == 0)
            return;
        const QString part = Words::tr("%1 %2", "number of runs, their state").arg(format::count(count), title);
        all = all.isEmpty() ? part : Words::tr("%1, %2", "runs of two states").arg(all, part);
    };
    for (const RunState state : stateOrder)
        add(std::ranges::count_if(runs,
                                  [state](const RunRecord* run) { return run->state == state && !neverStarted(*run); }),
            format::stateTitle(state));
    const auto waiting = std::ranges::find_if(runs, [](const RunRecord* run) { return neverStarted(*run); });
    if (waiting != runs.end())
        add(std::ranges::count_if(runs, [](const RunRecord* run) { return neverStarted(*run); }),
            format::stateTitle(**waiting));
    return all;
}

double trainedShare(const std::vector<const RunRecord*>& runs) {
    double trained = 0.0;
    for (const RunRecord* run : runs) {
        const double share = run->totalUpdates > 0
                                 ? static_cast<double>(run->summary.updates) / static_cast<double>(run->totalUpdates)
                                 : 0.0;
        trained += run->state == RunState::Completed ? 1.0 : std::clamp(share, 0.0, 1.0);
    }
    return runs.empty() ? 0.0 : trained / static_cast<double>(runs.size());
}

} // namespace accumulus::ui
