// SPDX-License-Identifier: GPL-3.0-or-later
// The runs that groups are made of, while some of them train: rows that are the same stay where they are.
#include "widgets/models/group_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

namespace test_group_model {
using namespace accumulus;
using namespace accumulus::ui;

namespace {

std::vector<RunRecord> someRuns(int count) {
    std::vector<RunRecord> runs;
    for (int number = 0; number < count; ++number) {
        RunRecord run;
        run.id = "id-" + std::to_string(number);
        run.name = "run " + std::to_string(number);
        run.state = RunState::Running;
        run.createdAt = 1'700'000'000.0 + number;
        runs.push_back(run);
    }
    return runs;
}

} // namespace

class TestGroupModel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void anotherStateChangesItsRowOnly() {
        GroupModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        auto runs = someRuns(4);
        model.setRuns(runs);
        const QPersistentModelIndex kept = model.index(1, GroupModel::Name);
        QSignalSpy reset(&model, &QAbstractItemModel::modelReset), changed(&model, &QAbstractItemModel::dataChanged);
        runs[0].state = RunState::Completed;
        model.setRuns(runs);
        QCOMPARE(reset.count(), 0);
        QCOMPARE(changed.count(), 1);
        QCOMPARE(changed[0][0].toModelIndex().row(), 3); // the oldest
        QVERIFY(kept.isValid());
        runs[1].summary.testAccuracy = 0.5; // a result is shown as well
        model.setRuns(runs);
        QCOMPARE(changed.count(), 2);
        runs[1].heartbeat = 5.0; // a sign of life is not
        model.setRuns(runs);
        QCOMPARE(changed.count(), 2);
    }
};

QTEST_MAIN(TestGroupModel)
} // namespace test_group_model
#include "test_group_model.moc"
