// SPDX-License-Identifier: GPL-3.0-or-later
// Groups of a comparison that a person puts together, and studies that get more seeds: which runs are compared, and
// which are not pooled.
#include "tests/support/numeric.h"
#include "tests/widgets/page_fixture.h"
#include "tests/widgets/saved_comparisons.h"
#include "widgets/models/group_model.h"
#include "widgets/models/saved_comparisons.h"
#include "widgets/pages/compare/compare_page.h"
#include "widgets/style/controls.h"

#include <QAbstractItemModelTester>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>

namespace test_compare_by_hand {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

class TestCompareByHand : public QObject, protected SavedComparisons {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }

    void cleanup() { closePage(); }

    void runsArePutIntoGroupsAndTakenOut();
    void theFilterFindsRuns();
    void anEmptyGroupComparesNothing();
    void moreSeedsEndOnAllSeeds();
    void otherQuestionsAreNotPooled();
};

void TestCompareByHand::runsArePutIntoGroupsAndTakenOut() {
    showCase(equivalentCase());
    typeMargin("0.7");
    SyntheticStudy other = studyOf(equivalentCase());
    other.name = "other rate";
    other.learningRate = 0.1;
    other.createdAt += 1000.0;
    const SyntheticRuns more = m_fixture->add(other);
    click("compare.editGroups");
    auto* table = child<QTableView>(*m_page, "compare.runTable");
    QTRY_COMPARE(table->model()->rowCount(), 20);
    QVERIFY(table->isVisible());
    auto* model = m_page->findChild<GroupModel*>();
    const QAbstractItemModelTester tester(model);
    QCOMPARE(text("compare.groupCounts"), QString::fromUtf8("A: 5 run(s)   ·   B: 5 run(s)"));
    // Members stand first.
    for (int row = 0; row < 10; ++row)
        QCOMPARE(table->model()->index(row, GroupModel::Group).data().toString(), QString(row < 5 ? "A" : "B"));
    QVERIFY(table->model()->index(10, GroupModel::Group).data().toString().isEmpty());
    const auto rowOf = [&](const std::string& run) {
        for (int row = 0; row < model->rowCount(); ++row)
            if (model->run(row).id == run)
                return row;
        return -1;
    };
    takePicture(*m_page, "compare-groups");

    table->setFocus();
    table->selectRow(rowOf(m_runs.groupB[4]));
    QTest::keyClick(table, Qt::Key_Delete);
    QTRY_COMPARE(request().groupB.size(), 4);
    QTRY_VERIFY2(text("compare.editorLeftOut").contains("seed 4") &&
                     text("compare.editorLeftOut").contains("no partner"),
                 qPrintable(text("compare.editorLeftOut")));
    // The other study's seed 4 takes its place: another rate, so a warning.
    table->selectRow(rowOf(more.groupB[4]));
    click("compare.intoB");
    QTRY_COMPARE(request().groupB.last(), QString::fromStdString(more.groupB[4]));
    QTRY_VERIFY(!child<QLabel>(*m_page, "compare.editorLeftOut")->isVisible());
    click("compare.groupsDone");
    QVERIFY(waitUntilShown(5));
    auto* banner = child<NoticeBar>(*m_page, "compare.banner");
    QTRY_VERIFY2(banner->isVisible() &&
                     banner->accessibleName().contains("Inside a group the runs differ in: Learning rate"),
                 qPrintable(banner->accessibleName()));
    // The margin stays: another run is no other question.
    QVERIFY(compareRel(request().margin.value(), 0.007, 1e-9));

    // One run is in one group at most.
    click("compare.editGroups");
    table->setFocus();
    table->selectRow(rowOf(m_runs.groupA[0]));
    QTest::keyClick(table, Qt::Key_B);
    QTRY_COMPARE(request().groupA.size(), 4);
    QCOMPARE(request().groupB.size(), 6);
    QTest::keyClick(table, Qt::Key_A);
    QTRY_COMPARE(request().groupA.size(), 5);
    QCOMPARE(request().groupB.size(), 5);
}

void TestCompareByHand::theFilterFindsRuns() {
    showCase(equivalentCase());
    click("compare.editGroups");
    auto* table = child<QTableView>(*m_page, "compare.runTable");
    QTRY_COMPARE(table->model()->rowCount(), 10);
    auto* filter = child<QLineEdit>(*m_page, "compare.runFilter");
    QVERIFY(filter->hasFocus());
    QTest::keyClicks(filter, "LARGE 256");
    QCOMPARE(table->model()->rowCount(), 5);
    for (int row = 0; row < 5; ++row)
        QCOMPARE(table->model()->index(row, GroupModel::Arm).data().toString(), QString("large batch"));
    QTest::keyClicks(filter, " nothing");
    QCOMPARE(table->model()->rowCount(), 0);
    QVERIFY(!child<QPushButton>(*m_page, "compare.intoA")->isEnabled());
    QCOMPARE(request().groupA.size(), 5); // what is hidden stays in its group
}

void TestCompareByHand::anEmptyGroupComparesNothing() {
    showCase(equivalentCase());
    click("compare.editGroups");
    auto* table = child<QTableView>(*m_page, "compare.runTable");
    QTRY_COMPARE(table->model()->rowCount(), 10);
    table->selectAll();
    click("compare.takeOut");
    QTRY_VERIFY(request().groupA.isEmpty() && request().groupB.isEmpty());
    click("compare.groupsDone");
    QTRY_VERIFY(child<EmptyState>(*m_page, "compare.empty")->isVisible());
    QVERIFY(!child<QPushButton>(*m_page, "compare.report")->isEnabled());
    QVERIFY(!child<QPushButton>(*m_page, "compare.save")->isEnabled());
}

void TestCompareByHand::moreSeedsEndOnAllSeeds() {
    showCase(inconclusiveCase());
    QSignalSpy asked(m_page.get(), &ComparePage::moreSeedsRequested);
    m_fixture->queueSeedsOf(*m_page);
    click("compare.moreSeeds");
    QCOMPARE(asked.count(), 1);
    const auto experiment = asked[0][0].value<ExperimentConfig>();

    // The study begins and is in the library; its last run still trains.
    SyntheticStudy more = studyOf(inconclusiveCase());
    more.name = experiment.study.name;
    more.seedsA = more.seedsB = experiment.study.seeds;
    more.finalA = {0.90, 0.91, 0.92};
    more.finalB = {0.91, 0.90, 0.92};
    more.createdAt += 86'400.0;
    more.lastState = RunState::Running;
    const SyntheticRuns runs = m_fixture->add(more);
    m_fixture->begin(runs, experiment.study);
    m_page->activated(); // the person comes back to the page
    QVERIFY(waitUntilShown(7));
    QCOMPARE(request().groupA.size(), 8);
    QCOMPARE(text("compare.pairsDone"), QString("7 of 8 pair(s) done; the verdict is based on these."));
    QVERIFY(child<QLabel>(*m_page, "compare.pairsDone")->isVisible());
    auto* banner = child<NoticeBar>(*m_page, "compare.banner");
    QTRY_VERIFY2(banner->accessibleName().contains("Seeds were added after results had been seen"),
                 qPrintable(banner->accessibleName()));
    QVERIFY(text("compare.marginNote").startsWith("Margin fixed on")); // that of the first study
    takePicture(*m_page, "compare-more-seeds");

    // After a restart, and from "Compare arms" of either study.
    RunStore store(Library::open(m_fixture->file(), Library::Mode::Write).value());
    RunSummary summary;
    summary.testAccuracy = 0.92;
    QVERIFY(store.finishRun(runs.groupB.back(), RunState::Completed, summary, more.createdAt + 100.0).has_value());
    makePage();
    QVERIFY(waitUntilShown(8));
    QVERIFY(!child<QLabel>(*m_page, "compare.pairsDone")->isVisible());
    for (const std::string& study : {m_runs.study, runs.study}) {
        m_page->compareGroups(qtList(m_runs.groupA), qtList(m_runs.groupB));
        QVERIFY(waitUntilShown(5));
        m_page->compareStudy(QString::fromStdString(study));
        QVERIFY(waitUntilShown(8));
    }
}

void TestCompareByHand::otherQuestionsAreNotPooled() {
    showCase(equivalentCase());
    SyntheticStudy other = studyOf(equivalentCase());
    other.seedsA = other.seedsB = {5, 6, 7, 8, 9};
    other.createdAt += 86'400.0;
    const auto pairsWith = [&](const SyntheticStudy& added) {
        const SyntheticRuns runs = m_fixture->add(added);
        RunReader reader(Library::open(m_fixture->file(), Library::Mode::Read).value());
        return loadSeedArms(reader, QString::fromStdString(runs.study)).value().all.groupA.size();
    };
    SyntheticStudy margin = other;
    margin.name = "margin";
    margin.margin = 0.02;
    QCOMPARE(pairsWith(margin), 5);
    SyntheticStudy rate = other;
    rate.name = "rate";
    rate.learningRate = 0.1;
    QCOMPARE(pairsWith(rate), 5);
    SyntheticStudy repeated = other;
    repeated.name = "repeated";
    repeated.seedsA = repeated.seedsB = {4, 5, 6, 7, 8}; // seed 4 was asked before
    QCOMPARE(pairsWith(repeated), 5);
}

QTEST_MAIN(TestCompareByHand)
} // namespace test_compare_by_hand
#include "test_compare_by_hand.moc"
