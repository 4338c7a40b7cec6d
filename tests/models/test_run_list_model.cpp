// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/run_list_model.h"

#include <QAbstractItemModelTester>
#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>

namespace test_run_list_model {
using namespace accumulus;
using namespace accumulus::ui;

namespace {

RunRecord runNumber(int number) {
    RunRecord run;
    run.id = "id-" + std::to_string(number);
    run.name = "run " + std::to_string(number);
    run.arm = number % 2 ? Arm::LargeBatch : Arm::Accumulated;
    run.seed = number;
    run.config.batch.effective = number % 3 ? 256 : 128;
    run.batch = resolveBatch(run.config.batch).value();
    run.createdAt = 1'700'000'000.0 + number;
    if (number % 5)
        run.summary.testAccuracy = 0.9 + 0.001 * (number % 50);
    if (number % 4 == 0)
        run.tags = {"paper"};
    return run;
}

std::vector<RunRow> rows(int count) {
    std::vector<RunRow> result;
    for (int i = 0; i < count; ++i)
        result.push_back(makeRunRow(runNumber(i)));
    return result;
}

RunQuery query(const char* text) { return std::get<RunQuery>(RunQuery::parse(QString::fromLatin1(text))); }

QStringList column(const RunListModel& model, RunColumn wanted) {
    QStringList texts;
    for (int row = 0; row < model.rowCount(); ++row)
        texts << model.index(row, static_cast<int>(wanted)).data().toString();
    return texts;
}

} // namespace

class TestRunListModel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void keepsTheContractOfItemModels();
    void newestFirst();
    void sortsNumbersAsNumbersAndUnmeasuredLast();
    void namesSortByTheirNumbers();
    void errorsSortByWhatIsShown();
    void sortKeepsPersistentIndexesAtTheirRuns();
    void filterCountsLikeAPlainLoop();
    void rereadingTheSameRunsAnnouncesOnlyWhatDiffers();
    void aRunThatStopsMatchingLeaves();
    void everyColumnHasTitleAndText();
    void anAuditIsToldAndFound();
};

void TestRunListModel::keepsTheContractOfItemModels() {
    RunListModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setRows(rows(50));
    model.setQuery(query("B>=256"));
    model.sort(static_cast<int>(RunColumn::Name), Qt::AscendingOrder);
    model.setRows(rows(60));
    model.sort(static_cast<int>(RunColumn::FinalMetric), Qt::DescendingOrder);
    model.setQuery({});
    model.setRows({});
    QCOMPARE(model.rowCount(), 0);
}

void TestRunListModel::newestFirst() {
    RunListModel model;
    model.setRows(rows(3));
    QCOMPARE(column(model, RunColumn::Name),
             QStringList({QStringLiteral("run 2"), QStringLiteral("run 1"), QStringLiteral("run 0")}));
}

void TestRunListModel::sortsNumbersAsNumbersAndUnmeasuredLast() {
    RunListModel model;
    model.setRows(rows(12));
    model.sort(static_cast<int>(RunColumn::Seed), Qt::AscendingOrder);
    QCOMPARE(column(model, RunColumn::Seed).mid(0, 3),
             QStringList({QStringLiteral("0"), QStringLiteral("1"), QStringLiteral("2")}));
    QCOMPARE(column(model, RunColumn::Seed).last(), QStringLiteral("11")); // as text, 11 would come before 2
    model.sort(static_cast<int>(RunColumn::FinalMetric), Qt::DescendingOrder);
    const QStringList accuracies = column(model, RunColumn::FinalMetric);
    QVERIFY(accuracies.first() != QStringLiteral("–"));
    QCOMPARE(accuracies.last(), QStringLiteral("–"));
    QCOMPARE(model.record(0).seed, 11);
}

void TestRunListModel::namesSortByTheirNumbers() {
    RunListModel model;
    model.setRows(rows(12));
    model.sort(static_cast<int>(RunColumn::Name), Qt::AscendingOrder);
    QCOMPARE(column(model, RunColumn::Name).mid(1, 2),
             QStringList({QStringLiteral("run 1"), QStringLiteral("run 2")})); // as text, run 10 would come between
    QCOMPARE(column(model, RunColumn::Name).last(), QStringLiteral("run 11"));
}

void TestRunListModel::errorsSortByWhatIsShown() {
    std::vector<RunRow> errors;
    for (const double rmse : {0.3, 0.1, 0.2}) {
        RunRecord run = runNumber(static_cast<int>(errors.size()));
        run.config.loss.kind = LossKind::Mse;
        run.summary.testAccuracy.reset();
        run.summary.testRmse = rmse;
        errors.push_back(makeRunRow(run));
    }
    RunListModel model;
    model.setRows(errors);
    QCOMPARE(model.headerData(static_cast<int>(RunColumn::FinalMetric), Qt::Horizontal, Qt::DisplayRole).toString(),
             QStringLiteral("Final metric"));
    model.sort(static_cast<int>(RunColumn::FinalMetric), Qt::AscendingOrder);
    const auto shown = [](const char* value) {
        return QStringLiteral("RMSE") + QChar(0x00A0) + QString::fromLatin1(value);
    };
    QCOMPARE(column(model, RunColumn::FinalMetric), QStringList({shown("0.1000"), shown("0.2000"), shown("0.3000")}));
    // A new value is shown, although no accuracy has changed.
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    RunRecord better = errors.front().record;
    better.summary.testRmse = 0.25;
    errors.front() = makeRunRow(better);
    model.setRows(errors);
    QCOMPARE(changed.count(), 1);
}

void TestRunListModel::sortKeepsPersistentIndexesAtTheirRuns() {
    RunListModel model;
    model.setRows(rows(20));
    const QPersistentModelIndex kept = model.index(model.rowOf(QStringLiteral("id-7")), 2);
    model.sort(static_cast<int>(RunColumn::Seed), Qt::AscendingOrder);
    QCOMPARE(kept.data(RunListModel::IdRole).toString(), QStringLiteral("id-7"));
    QCOMPARE(kept.row(), 7);
    QCOMPARE(kept.column(), 2);
}

void TestRunListModel::filterCountsLikeAPlainLoop() {
    RunListModel model;
    constexpr int count = 10'000;
    model.setRows(rows(count));
    int expected = 0;
    for (int i = 0; i < count; ++i)
        expected += i % 3 != 0 && i % 4 == 0 ? 1 : 0;
    QElapsedTimer timer;
    timer.start();
    model.setQuery(query("B>=256 tag:paper NOT tag:tmp"));
    qInfo("filtering %d runs took %lld ms", count, static_cast<long long>(timer.elapsed()));
    QCOMPARE(model.rowCount(), expected);
    QCOMPARE(model.totalCount(), static_cast<std::size_t>(count));
}

void TestRunListModel::rereadingTheSameRunsAnnouncesOnlyWhatDiffers() {
    RunListModel model;
    model.setRows(rows(10));
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
    model.setRows(rows(10));
    QCOMPARE(changes.count(), 0);
    auto changed = rows(10);
    RunRecord record = changed[4].record;
    record.summary.updates = 99;
    changed[4] = makeRunRow(record);
    model.setRows(std::move(changed));
    QCOMPARE(resets.count(), 0);
    QCOMPARE(changes.count(), 1);
    QCOMPARE(changes.first().first().toModelIndex().row(), model.rowOf(QStringLiteral("id-4")));
}

void TestRunListModel::aRunThatStopsMatchingLeaves() {
    RunListModel model;
    model.setQuery(query("tag:paper"));
    auto before = rows(5);
    model.setRows(before);
    QCOMPARE(model.rowCount(), 2);
    RunRecord record = before[4].record;
    record.tags.clear();
    before[4] = makeRunRow(record);
    model.setRows(before);
    QCOMPARE(model.rowCount(), 1);
    QCOMPARE(model.record(0).id, std::string("id-0"));
}

void TestRunListModel::everyColumnHasTitleAndText() {
    RunListModel model;
    model.setRows(rows(2));
    for (int section = 0; section < model.columnCount(); ++section) {
        QVERIFY(!model.headerData(section, Qt::Horizontal, Qt::DisplayRole).toString().isEmpty());
        const auto column = static_cast<RunColumn>(section);
        if (column != RunColumn::Tags && column != RunColumn::Audit && column != RunColumn::Verdict &&
            column != RunColumn::Note) // a run may have none
            QVERIFY2(!model.index(0, section).data().toString().isEmpty(), qPrintable(QString::number(section)));
    }
}

void TestRunListModel::anAuditIsToldAndFound() {
    RunListModel model;
    std::vector<RunRow> three = rows(3);
    three[0] = makeRunRow(runNumber(0), {.audit = "equivalent"});
    three[1] = makeRunRow(runNumber(1), {.audit = "not-equivalent", .ofSetup = true});
    model.setRows(three);
    QCOMPARE(column(model, RunColumn::Audit), // newest first
             (QStringList{QString(), QStringLiteral("Set-up failed"), QStringLiteral("Weights passed")}));
    QCOMPARE(model.index(0, 0).data(RunListModel::AuditRole).toInt(), -1);
    for (const char* words : {"audit:not-equivalent", "audit:\"set-up failed\""}) { // by its code, and as it is shown
        model.setQuery(query(words));
        QCOMPARE(model.rowCount(), 1);
        QCOMPARE(model.record(0).id, std::string("id-1"));
    }
    QVERIFY(model.index(0, static_cast<int>(RunColumn::Audit)).data(Qt::ToolTipRole).toString().contains("set-up"));
}

QTEST_MAIN(TestRunListModel)
} // namespace test_run_list_model
#include "test_run_list_model.moc"
