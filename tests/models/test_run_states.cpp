// SPDX-License-Identifier: GPL-3.0-or-later
// Where the runs of a study stand: one that was stopped in the middle is neither completed nor "not started".
#include "widgets/models/run_cells.h"
#include "widgets/models/run_states.h"

#include <QTest>

namespace test_run_states {
using namespace accumulus;
using namespace accumulus::ui;

namespace {

RunRecord runIn(RunState state, double startedAt, std::int64_t updates) {
    RunRecord run;
    run.id = std::to_string(updates) + "-" + std::to_string(startedAt);
    run.study = "study";
    run.batch = resolveBatch(run.config.batch).value();
    run.state = state;
    run.startedAt = startedAt;
    run.totalUpdates = 100;
    run.summary.updates = updates;
    return run;
}

/// As a study is left that was stopped in its first run: the newest are those whose turn never came.
std::vector<RunRecord> stoppedStudy() {
    return {runIn(RunState::Stopped, 0.0, 0), runIn(RunState::Stopped, 0.0, 0), runIn(RunState::Stopped, 0.0, 0),
            runIn(RunState::Stopped, 5.0, 80)};
}

std::vector<const RunRecord*> pointersTo(const std::vector<RunRecord>& runs) {
    std::vector<const RunRecord*> all;
    for (const RunRecord& run : runs)
        all.push_back(&run);
    return all;
}

/// What the library's table shows of the group in its column Status: the cell and its tool tip.
std::pair<QString, QString> statusOf(const std::vector<RunRecord>& runs) {
    std::vector<RunRow> rows;
    std::vector<std::size_t> all;
    for (const RunRecord& run : runs) {
        all.push_back(rows.size());
        rows.push_back(makeRunRow(run));
    }
    const RunGroup group = makeGroup(rows, QStringLiteral("study"), all);
    return {run_cells::text(rows, group, RunColumn::Status), run_cells::toolTip(rows, group, RunColumn::Status)};
}

} // namespace

class TestRunStates : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatCameFurthestIsNamedFirst() {
        std::vector<RunRecord> runs = stoppedStudy();
        QCOMPARE(stateCounts(pointersTo(runs)), QStringLiteral("1 stopped, 3 not started"));
        runs[1] = runIn(RunState::Completed, 4.0, 100);
        runs[2] = runIn(RunState::Interrupted, 6.0, 10);
        QCOMPARE(stateCounts(pointersTo(runs)), QStringLiteral("1 completed, 1 stopped, 1 interrupted, 1 not started"));
        QCOMPARE(stateCounts({}), QString());
    }

    void whatWasTrainedCounts() {
        std::vector<RunRecord> runs = stoppedStudy();
        QCOMPARE(trainedShare(pointersTo(runs)), 0.2); // 80 of 400
        runs[0] = runIn(RunState::Completed, 4.0, 90); // its length was given in samples or epochs
        QCOMPARE(trainedShare(pointersTo(runs)), 0.45);
        runs[3].totalUpdates = 0;
        QCOMPARE(trainedShare(pointersTo(runs)), 0.25);
        QCOMPARE(trainedShare({}), 0.0);
    }

    void aStudyThatWasStoppedIsNotOneThatNeverStarted() {
        const auto [cell, tip] = statusOf(stoppedStudy());
        QCOMPARE(cell, QStringLiteral("0 of 4 completed"));
        QCOMPARE(tip, QStringLiteral("1 stopped, 3 not started"));
        const std::vector<RunRecord> waiting(2, runIn(RunState::Stopped, 0.0, 0));
        QCOMPARE(statusOf(waiting).first, QStringLiteral("not started"));
        QCOMPARE(statusOf(waiting).second, QString());
    }
};

QTEST_MAIN(TestRunStates)
} // namespace test_run_states
#include "test_run_states.moc"
