// SPDX-License-Identifier: GPL-3.0-or-later
// Groups and the baseline in the library's list: which runs are one group, whose mean is shown, who stays on top.
#include "core/config/config_fields.h"
#include "widgets/models/run_configurations.h"
#include "widgets/models/run_list_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

namespace test_run_grouping {
using namespace accumulus;
using namespace accumulus::ui;

namespace {

/// Seed `seed` of a learning rate in thousandths; both arms of a rate are one study.
RunRecord runOf(int rate, int seed, double accuracy, Arm arm = Arm::Accumulated) {
    RunRecord run;
    run.id = QStringLiteral("%1-%2-%3").arg(arm == Arm::Accumulated ? "a" : "b").arg(rate).arg(seed).toStdString();
    run.study = "study-" + std::to_string(rate);
    run.name = "rate " + std::to_string(rate) + ", seed " + std::to_string(seed);
    run.arm = arm;
    run.seed = seed;
    run.config.optimizer.lr = 0.001 * rate;
    run.config.batch.effective = 256;
    run.config.batch.micro = arm == Arm::Accumulated ? 32 : 256;
    run.batch = resolveBatch(run.config.batch).value();
    run.state = RunState::Completed;
    run.createdAt = 1'700'000'000.0 + 100 * rate + seed;
    run.summary.testAccuracy = accuracy;
    run.summary.testLoss = 1.0 - accuracy;
    run.summary.activeSeconds = 10.0;
    return run;
}

std::vector<RunRow> rowsOf(const std::vector<RunRecord>& runs) {
    std::vector<RunRow> rows;
    for (const RunRecord& run : runs)
        rows.push_back(makeRunRow(run));
    return rows;
}

std::vector<RunRecord> twoRates() {
    return {runOf(1, 0, 0.90), runOf(1, 1, 0.92), runOf(2, 0, 0.80), runOf(2, 1, 0.82), runOf(2, 2, 0.84)};
}

QString cell(const RunListModel& model, int row, RunColumn column, int role = Qt::DisplayRole) {
    return model.index(row, static_cast<int>(column)).data(role).toString();
}

QStringList names(const RunListModel& model) {
    QStringList all;
    for (int row = 0; row < model.rowCount(); ++row)
        all << cell(model, row, RunColumn::Name);
    return all;
}

RunQuery query(const char* text) { return std::get<RunQuery>(RunQuery::parse(QString::fromLatin1(text))); }

} // namespace

class TestRunGrouping : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void seedsOfAConfigurationAreOneGroup();
    void onlyCompletedRunsAreAveraged();
    void aStudyOfTwoArmsHasNoMean();
    void aStudyOfOneRunIsThatRun();
    void groupsOpenAndCloseUnderTheContractOfModels();
    void severalColumnsSortTogether();
    void theBaselineStaysOnTop();
    void aGroupAsBaselineKeepsAllItsRuns();
    void aHiddenBaselineIsNoneOfTheMatches();
    void otherTasksAreNotCompared();
    void keysAreThoseOfTheConfiguration();
    void memoryOfTrainingAndOfEvaluationsStaysApart();
    void aGroupTellsTheVerdictOfItsStudy();
    void aStudyIsCalledWhatItIsCalled();
    void aGroupSaysThatItsBaselineIsOnTop();
};

void TestRunGrouping::seedsOfAConfigurationAreOneGroup() {
    RunListModel model;
    model.setGrouping(RunGrouping::Configuration);
    model.setRows(rowsOf(twoRates()));
    QCOMPARE(names(model), QStringList({"rate 2 · 3 run(s)", "rate 1 · 2 run(s)"})); // newest first
    QCOMPARE(model.groupCount(), std::size_t{2});
    QCOMPARE(model.matchingCount(), std::size_t{5});
    QCOMPARE(cell(model, 0, RunColumn::FinalMetric), QStringLiteral("82.00 ± 2.00\u00A0% (3)")); // SD with n - 1
    QCOMPARE(cell(model, 0, RunColumn::Seed), QStringLiteral("0–2"));
    QCOMPARE(cell(model, 0, RunColumn::Lr), QStringLiteral("0.002"));
    QCOMPARE(model.runsOf(0), QStringList({"a-2-0", "a-2-1", "a-2-2"}));
    // Of the runs that the query leaves.
    model.setQuery(query("seed>0"));
    QCOMPARE(names(model), QStringList({"rate 2 · 2 run(s)", "rate 1 · 1 run(s)"}));
    QCOMPARE(cell(model, 0, RunColumn::FinalMetric), QStringLiteral("83.00 ± 1.41\u00A0% (2)"));
    QCOMPARE(cell(model, 1, RunColumn::FinalMetric), QStringLiteral("92.00\u00A0% (1)"));
}

void TestRunGrouping::onlyCompletedRunsAreAveraged() {
    auto runs = twoRates();
    runs[3].state = RunState::Stopped;
    runs[4].summary.testAccuracy = std::nan("");
    RunListModel model;
    model.setGrouping(RunGrouping::Configuration);
    model.setRows(rowsOf(runs));
    QCOMPARE(cell(model, 0, RunColumn::FinalMetric), QStringLiteral("80.00\u00A0% (1)"));
    QCOMPARE(cell(model, 0, RunColumn::Status), QStringLiteral("2 of 3 completed"));
}

void TestRunGrouping::aStudyOfTwoArmsHasNoMean() {
    RunListModel model;
    model.setGrouping(RunGrouping::Study);
    model.setRows(rowsOf({runOf(1, 0, 0.9), runOf(1, 0, 0.8, Arm::LargeBatch)}));
    QCOMPARE(model.rowCount(), 1);
    QCOMPARE(cell(model, 0, RunColumn::FinalMetric), QStringLiteral("–"));
    QCOMPARE(cell(model, 0, RunColumn::Arm), QStringLiteral("32×8 | 256×1"));
    QCOMPARE(cell(model, 0, RunColumn::Micro), QStringLiteral("32 | 256"));
    QCOMPARE(cell(model, 0, RunColumn::Steps), QStringLiteral("8 | 1"));
    QCOMPARE(cell(model, 0, RunColumn::Batch), QStringLiteral("256"));
    QVERIFY(cell(model, 0, RunColumn::FinalMetric, Qt::ToolTipRole).contains("different configurations"));
    model.setGrouping(RunGrouping::Configuration);
    QCOMPARE(model.rowCount(), 2);
}

void TestRunGrouping::aStudyOfOneRunIsThatRun() {
    RunListModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setGrouping(RunGrouping::Study);
    RunRecord alone = runOf(3, 0, 0.7), other = runOf(4, 0, 0.6);
    alone.study.clear(); // imported
    other.study.clear();
    model.setRows(rowsOf({runOf(1, 0, 0.9), runOf(2, 0, 0.8), runOf(2, 1, 0.8), alone, other}));
    QCOMPARE(names(model), QStringList({"rate 4, seed 0", "rate 3, seed 0", "rate 2 · 2 run(s)", "rate 1, seed 0"}));
    QCOMPARE(cell(model, 3, RunColumn::Name, RunListModel::ExpandedRole), QStringLiteral("-1"));
    QCOMPARE(model.record(3).id, std::string("a-1-0"));
    QCOMPARE(model.rowOf("a-2-1"), -1);
    model.reveal({"a-2-1", "a-1-0", "not there"});
    QCOMPARE(model.rowOf("a-2-1"), 3);
    model.sort(static_cast<int>(RunColumn::FinalMetric), Qt::DescendingOrder);
    QCOMPARE(names(model).first(), QStringLiteral("rate 1, seed 0"));
}

void TestRunGrouping::groupsOpenAndCloseUnderTheContractOfModels() {
    RunListModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setRows(rowsOf(twoRates()));
    model.setGrouping(RunGrouping::Configuration);
    model.setExpanded(1, true);
    QCOMPARE(names(model), QStringList({"rate 2 · 3 run(s)", "rate 1 · 2 run(s)", "rate 1, seed 1", "rate 1, seed 0"}));
    QCOMPARE(model.rowOfParent(3), 1);
    QCOMPARE(model.rowOfParent(1), -1);
    const QPersistentModelIndex child = model.index(3, 0), group = model.index(1, 0);
    model.setExpanded(0, true);
    QCOMPARE(child.row(), 6);
    model.sort(static_cast<int>(RunColumn::FinalMetric), Qt::DescendingOrder);
    QCOMPARE(names(model), QStringList({"rate 1 · 2 run(s)", "rate 1, seed 1", "rate 1, seed 0", "rate 2 · 3 run(s)",
                                        "rate 2, seed 2", "rate 2, seed 1", "rate 2, seed 0"}));
    QCOMPARE(child.row(), 2);
    QCOMPARE(group.row(), 0);
    model.setBaseline({Baseline::Kind::Run, "a-2-1"});
    QCOMPARE(names(model).first(), QStringLiteral("rate 2, seed 1"));
    QCOMPARE(names(model).filter("rate 2, seed 1").size(), 1);
    model.setRows(rowsOf({runOf(1, 0, 0.5)})); // the baseline has gone
    QCOMPARE(names(model), QStringList({"rate 1 · 1 run(s)", "rate 1, seed 0"}));
    model.setAllExpanded(false);
    model.setRows({});
    model.setGrouping(RunGrouping::None);
    QCOMPARE(model.rowCount(), 0);
}

void TestRunGrouping::severalColumnsSortTogether() {
    RunListModel model;
    model.setRows(rowsOf(twoRates()));
    model.sort(static_cast<int>(RunColumn::Seed), Qt::DescendingOrder);
    model.sortAlso(static_cast<int>(RunColumn::FinalMetric), Qt::AscendingOrder);
    QCOMPARE(names(model),
             QStringList({"rate 2, seed 2", "rate 2, seed 1", "rate 1, seed 1", "rate 2, seed 0", "rate 1, seed 0"}));
    model.sortAlso(static_cast<int>(RunColumn::Seed), Qt::AscendingOrder); // turns round, and stays the first
    QCOMPARE(names(model),
             QStringList({"rate 2, seed 0", "rate 1, seed 0", "rate 2, seed 1", "rate 1, seed 1", "rate 2, seed 2"}));
    QCOMPARE(model.sortKeys().size(), std::size_t{2});
}

/// An evaluation of many samples at once says nothing of what a micro-batch needs.
void TestRunGrouping::memoryOfTrainingAndOfEvaluationsStaysApart() {
    std::vector<RunRecord> runs = {runOf(1, 0, 0.9), runOf(1, 1, 0.9, Arm::LargeBatch)};
    runs[0].summary.peakBytes = 2'000'000;
    runs[1].summary.peakBytes = 8'000'000;
    for (RunRecord& run : runs)
        run.summary.evaluationPeakBytes = 64'000'000;
    runs[0].summary.evaluationPeakBytes = 65'000'000;
    RunListModel model;
    model.setRows(rowsOf(runs));
    model.sort(static_cast<int>(RunColumn::PeakMemory), Qt::AscendingOrder);
    QCOMPARE(names(model).first(), QStringLiteral("rate 1, seed 0"));
    model.sort(static_cast<int>(RunColumn::EvaluationPeak), Qt::AscendingOrder);
    QCOMPARE(names(model).first(), QStringLiteral("rate 1, seed 1"));
    QCOMPARE(cell(model, 0, RunColumn::PeakMemory), QStringLiteral("8.0\u00A0MB"));
    QCOMPARE(cell(model, 0, RunColumn::EvaluationPeak), QStringLiteral("64.0\u00A0MB"));
    model.setBaseline({Baseline::Kind::Run, "b-1-1"});
    QCOMPARE(cell(model, 1, RunColumn::PeakMemory, RunListModel::JudgementRole), QStringLiteral("1"));
    QCOMPARE(cell(model, 1, RunColumn::EvaluationPeak, RunListModel::JudgementRole), QStringLiteral("-1"));
    model.setBaseline({});
    model.setQuery(query("memory<5e6"));
    QCOMPARE(names(model), QStringList("rate 1, seed 0"));
    model.setQuery(query("evalmemory<64500000"));
    QCOMPARE(names(model), QStringList("rate 1, seed 1"));
}

void TestRunGrouping::aGroupTellsTheVerdictOfItsStudy() {
    const auto row = [](const RunRecord& run, std::optional<Verdict> verdict) {
        return makeRunRow(run, {.verdict = verdict});
    };
    RunRecord again = runOf(1, 1, 0.9);
    again.study = "study-1-again";
    const auto ends = Verdict::DifferentWithinMargin;
    const std::vector<RunRow> rows{row(runOf(1, 0, 0.9), ends), row(runOf(1, 0, 0.9, Arm::LargeBatch), ends),
                                   row(runOf(2, 0, 0.8), {}), row(runOf(2, 0, 0.8, Arm::LargeBatch), {})};
    const QString words = QStringLiteral("Different, but within the margin");
    RunListModel model;
    model.setRows(rows);
    model.setGrouping(RunGrouping::Study);
    QCOMPARE(model.rowCount(), 2); // newest first
    QCOMPARE(cell(model, 0, RunColumn::Verdict), QString());
    QCOMPARE(cell(model, 0, RunColumn::Verdict, RunListModel::VerdictRole), QStringLiteral("-1"));
    QCOMPARE(cell(model, 1, RunColumn::Verdict), words);
    QCOMPARE(cell(model, 1, RunColumn::Verdict, Qt::ToolTipRole), words); // it is longer than most columns
    QCOMPARE(cell(model, 1, RunColumn::Verdict, RunListModel::VerdictRole), QString::number(static_cast<int>(ends)));
    model.setExpanded(1, true);
    QCOMPARE(cell(model, 2, RunColumn::Verdict), QString()); // said above
    model.setQuery(query("verdict:within"));
    QCOMPARE(names(model).first(), QStringLiteral("rate 1 · 2 run(s)"));
    QCOMPARE(model.groupCount(), std::size_t{1});

    // A configuration may have runs of several studies: then each says its own.
    std::vector<RunRow> more = rows;
    more.push_back(row(again, Verdict::Inconclusive));
    model.setQuery({});
    model.setGrouping(RunGrouping::Configuration);
    model.setRows(more);
    model.setAllExpanded(true);
    const int mixed = model.rowOfGroup(more.front().configuration);
    QCOMPARE(cell(model, mixed, RunColumn::Verdict), QStringLiteral("several"));
    QCOMPARE(cell(model, mixed, RunColumn::Verdict, RunListModel::VerdictRole), QStringLiteral("-1"));
    QCOMPARE(cell(model, model.rowOf("a-1-0"), RunColumn::Verdict), words);
    QCOMPARE(cell(model, model.rowOf("a-1-1"), RunColumn::Verdict), QStringLiteral("Inconclusive"));
    QCOMPARE(cell(model, model.rowOfGroup(more[1].configuration), RunColumn::Verdict), words);
}

void TestRunGrouping::theBaselineStaysOnTop() {
    RunListModel model;
    model.setRows(rowsOf(twoRates()));
    model.setBaseline({Baseline::Kind::Run, "a-2-1"});
    for (int column = 0; column < model.columnCount(); ++column)
        for (const auto order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
            model.sort(column, order);
            QCOMPARE(names(model).first(), QStringLiteral("rate 2, seed 1"));
            QCOMPARE(model.rowCount(), 5);
        }
    model.sort(static_cast<int>(RunColumn::FinalMetric), Qt::DescendingOrder);
    QCOMPARE(cell(model, 0, RunColumn::FinalMetric, RunListModel::DifferenceRole), QString());
    QVERIFY(cell(model, 1, RunColumn::FinalMetric, RunListModel::DifferenceRole).startsWith("▲ +10"));
    QVERIFY(cell(model, 1, RunColumn::Loss, RunListModel::DifferenceRole).startsWith("▼ −0.1"));
    // A loss that fell is as good as an accuracy that rose.
    for (const RunColumn column : {RunColumn::FinalMetric, RunColumn::Loss}) {
        QCOMPARE(cell(model, 1, column, RunListModel::JudgementRole), QStringLiteral("1"));
        QCOMPARE(cell(model, 4, column, RunListModel::JudgementRole), QStringLiteral("-1"));
        QVERIFY(cell(model, 4, column, Qt::AccessibleTextRole).endsWith("worse than the baseline"));
    }
    QCOMPARE(cell(model, 1, RunColumn::ActiveTime, RunListModel::JudgementRole), QStringLiteral("0"));
    QCOMPARE(cell(model, 1, RunColumn::PeakMemory, RunListModel::DifferenceRole), QString()); // not measured
    // A query that does not know it leaves it there.
    model.setQuery(query("lr=0.001"));
    QCOMPARE(names(model), QStringList({"rate 2, seed 1", "rate 1, seed 1", "rate 1, seed 0"}));
    QCOMPARE(model.matchingCount(), std::size_t{2});
    model.setBaseline({});
    QCOMPARE(model.rowCount(), 2);
}

void TestRunGrouping::aGroupAsBaselineKeepsAllItsRuns() {
    RunListModel model;
    model.setGrouping(RunGrouping::Configuration);
    model.setRows(rowsOf(twoRates()));
    const Baseline baseline = model.asBaseline(1); // rate 1
    QCOMPARE(Baseline::fromText(baseline.text()), baseline);
    QSignalSpy told(&model, &RunListModel::baselineChanged);
    model.setBaseline(baseline);
    QCOMPARE(told.count(), 1);
    QCOMPARE(names(model), QStringList({"rate 1 · 2 run(s)", "rate 2 · 3 run(s)"}));
    QVERIFY(cell(model, 1, RunColumn::FinalMetric, RunListModel::DifferenceRole).startsWith("▼ −9"));
    model.setQuery(query("seed=0"));
    QCOMPARE(names(model), QStringList({"rate 1 · 2 run(s)", "rate 2 · 1 run(s)"}));
    // Without groups it is a row that cannot be opened, and its runs stand in the list.
    model.setQuery({});
    model.setGrouping(RunGrouping::None);
    QCOMPARE(model.rowCount(), 6);
    QCOMPARE(cell(model, 0, RunColumn::Name, RunListModel::ExpandedRole), QStringLiteral("-1"));
    QCOMPARE(model.asBaseline(0), baseline);
    // A value of its runs that changes is announced for all: they are measured against it.
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    auto runs = twoRates();
    runs[0].summary.testAccuracy = 0.5;
    model.setRows(rowsOf(runs));
    QCOMPARE(changed.count(), 1);
    QCOMPARE(changed.front()[1].toModelIndex().row(), 5);
}

void TestRunGrouping::aHiddenBaselineIsNoneOfTheMatches() {
    RunListModel model;
    model.setGrouping(RunGrouping::Configuration);
    model.setRows(rowsOf(twoRates()));
    model.setBaseline(model.asBaseline(1)); // rate 1
    model.setExpanded(0, true);
    model.setQuery(query("seed=0"));
    QCOMPARE(names(model).first(), QStringLiteral("rate 1 · 2 run(s)")); // its mean is that of all
    QCOMPARE(model.runsOf(0), QStringList{"a-1-0"});
    QVERIFY(model.matches(0) && !model.matches(model.rowOf("a-1-1")) && model.matches(model.rowOf("a-1-0")));
    QCOMPARE(model.groupCount(), std::size_t{2});
    model.setQuery(query("lr=0.002"));
    QCOMPARE(model.rowCount(), 4);
    QVERIFY(!model.matches(0) && !model.matches(1) && !model.matches(2) && model.matches(3));
    QCOMPARE(model.runsOf(0), QStringList({"a-1-0", "a-1-1"})); // chosen by itself it is what it shows
    QCOMPARE(model.groupCount(), std::size_t{1});
    QCOMPARE(model.matchingCount(), std::size_t{3});
    model.setBaseline({Baseline::Kind::Run, "a-1-1"});
    QVERIFY(!model.matches(0) && model.matches(1));
}

void TestRunGrouping::otherTasksAreNotCompared() {
    auto runs = twoRates();
    runs[2].config.data.dataset = "cifar10";
    RunListModel model;
    model.setRows(rowsOf(runs));
    model.setBaseline({Baseline::Kind::Run, "a-1-0"});
    const int other = model.rowOf("a-2-0"), same = model.rowOf("a-2-1");
    QCOMPARE(cell(model, other, RunColumn::FinalMetric, RunListModel::DifferenceRole), QString());
    QVERIFY(!cell(model, same, RunColumn::FinalMetric, RunListModel::DifferenceRole).isEmpty());
    QVERIFY(!cell(model, other, RunColumn::ActiveTime, RunListModel::DifferenceRole).isEmpty());
}

void TestRunGrouping::keysAreThoseOfTheConfiguration() {
    RunConfigurations known;
    const RunRecord a = runOf(1, 0, 0.9);
    QCOMPARE(known.of(a).key, known.of(runOf(1, 7, 0.1)).key);
    QCOMPARE(known.of(a).key, QString::fromStdString("accumulated:" + configHash(a.config, 0)));
    RunRecord b = a; // alike in all that the quick look compares
    b.config.optimizer.weightDecay += 0.1;
    QVERIFY(known.of(b).key != known.of(a).key);
    b = a;
    b.arm = Arm::LargeBatch;
    QVERIFY(known.of(b).key != known.of(a).key);
    QCOMPARE(makeRunRow(a).configuration, known.of(a).key);
}

/// Whatever its runs are called by now.
void TestRunGrouping::aStudyIsCalledWhatItIsCalled() {
    std::vector<RunRow> rows;
    for (const RunRecord& run : {runOf(1, 0, 0.9), runOf(1, 1, 0.9), runOf(1, 0, 0.9, Arm::LargeBatch)})
        rows.push_back(makeRunRow(run, {.study = QStringLiteral("My 96 test")}));
    rows[1].record.name = "Golden run";
    RunListModel model;
    model.setGrouping(RunGrouping::Study);
    model.setRows(rows);
    QCOMPARE(names(model), QStringList("My 96 test · 3 run(s)"));
    QSignalSpy study(&model, &RunListModel::studyRenamed), run(&model, &RunListModel::runRenamed);
    const QModelIndex name = model.index(0, static_cast<int>(RunColumn::Name));
    QVERIFY(name.flags().testFlag(Qt::ItemIsEditable));
    QCOMPARE(name.data(Qt::EditRole).toString(), QStringLiteral("My 96 test"));
    QVERIFY(!model.setData(name, QStringLiteral("My 96 test"), Qt::EditRole)); // nothing new
    QVERIFY(!model.setData(name, QStringLiteral("  "), Qt::EditRole));
    QVERIFY(model.setData(name, QStringLiteral(" other "), Qt::EditRole));
    QCOMPARE(study.takeFirst(), (QList<QVariant>{QStringLiteral("study-1"), QStringLiteral("other")}));
    model.setExpanded(0, true);
    QVERIFY(model.setData(model.index(1, static_cast<int>(RunColumn::Name)), QStringLiteral("one"), Qt::EditRole));
    QCOMPARE(run.takeFirst().at(1).toString(), QStringLiteral("one"));
    QVERIFY(study.isEmpty());

    model.setGrouping(RunGrouping::Configuration); // the arms apart
    QStringList groups = names(model).filter(QStringLiteral("run(s)"));
    groups.sort();
    QCOMPARE(groups, QStringList({"My 96 test, accumulated · 2 run(s)", "My 96 test, large batch · 1 run(s)"}));
    const int group = model.rowOfGroup(rows.front().configuration);
    QVERIFY(!model.index(group, static_cast<int>(RunColumn::Name)).flags().testFlag(Qt::ItemIsEditable));
}

void TestRunGrouping::aGroupSaysThatItsBaselineIsOnTop() {
    RunListModel model;
    model.setGrouping(RunGrouping::Configuration);
    model.setRows(rowsOf(twoRates()));
    model.setBaseline({Baseline::Kind::Run, "a-1-0"});
    model.setAllExpanded(true);
    QCOMPARE(names(model), QStringList({"rate 1, seed 0", "rate 2 · 3 run(s)", "rate 2, seed 2", "rate 2, seed 1",
                                        "rate 2, seed 0", "rate 1 · 2 run(s), the baseline on top", "rate 1, seed 1"}));
}

QTEST_MAIN(TestRunGrouping)
} // namespace test_run_grouping
#include "test_run_grouping.moc"
