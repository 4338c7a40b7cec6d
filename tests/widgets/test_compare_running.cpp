// SPDX-License-Identifier: GPL-3.0-or-later
// Comparisons of runs that still train, have not begun, or have no partner: what is followed, what disturbs nobody,
// and which banner stands above.
#include "tests/support/numeric.h"
#include "tests/widgets/compare_cases.h"
#include "tests/widgets/page_fixture.h"
#include "widgets/models/comparison_text.h"
#include "widgets/models/difference_model.h"
#include "widgets/pages/compare/compare_page.h"
#include "widgets/pages/compare/compare_view.h"
#include "widgets/style/controls.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>

namespace test_compare_running {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

namespace {

QString checked(int seed) { return QString(QChar(0x2713)) + QChar(0x00A0) + QString::number(seed); }

} // namespace

class TestCompareRunning : public QObject, protected CompareCases {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }

    void cleanup() { closePage(); }

    void runsThatHaveNotBegunRaiseNoBanner();
    void unpairedSeedsAreListedWithTheirReason();
    void moreSeedsKeepTheQuestion();
    void unexpectedSettingsRaiseABanner();
    void aRunningStudyIsFollowed();
    void signsOfLifeDisturbNobody();
};

void TestCompareRunning::runsThatHaveNotBegunRaiseNoBanner() {
    ComparisonInput input;
    for (std::vector<ComparedRun>* group : {&input.groupA, &input.groupB}) {
        ComparedRun& run = group->emplace_back();
        run.batch = resolveBatch(run.config.batch).value();
    }
    input.groupA[0].environment = {{"program", "Accumulus 0.1.0"}};
    const auto unexpected = [&input] {
        return std::ranges::count(differenceRows(input), DifferenceKind::Unexpected, &DifferenceRow::kind);
    };
    QCOMPARE(unexpected(), 0);
    input.groupB[0].environment = {{"program", "Accumulus 0.2.0"}};
    QCOMPARE(unexpected(), 1);
    input.groupB.insert(input.groupB.begin(), ComparedRun(input.groupB[0])); // the first one has not begun
    input.groupB[0].environment.clear();
    QCOMPARE(unexpected(), 1);
}

void TestCompareRunning::unpairedSeedsAreListedWithTheirReason() {
    start();
    SyntheticStudy study = studyOf(equivalentCase());
    study.seedsB.pop_back();
    study.finalB.pop_back();
    study.lastState = RunState::Stopped; // seed 3 of arm B ended half way
    const SyntheticRuns runs = m_fixture->add(study);
    m_page->compareGroups(qtList(runs.groupA), qtList(runs.groupB));
    QVERIFY(waitUntilShown(3));
    const QString left = text("compare.unpaired");
    QVERIFY2(left.contains("seed 3") && left.contains("not complete"), qPrintable(left));
    QVERIFY2(left.contains("seed 4") && left.contains("no partner"), qPrintable(left));
    const QString seeds = text("compare.groupASeeds");
    QVERIFY(seeds.contains(checked(2)));
    QVERIFY(!seeds.contains(checked(4)));
    takePicture(*m_page, "compare-unpaired");
}

void TestCompareRunning::moreSeedsKeepTheQuestion() {
    showCase(inconclusiveCase());
    // A margin that was only tried must not slip into the new runs.
    child<QDoubleSpinBox>(*m_page, "compare.margin")->setValue(3.0);
    QTRY_VERIFY(text("compare.marginNote").contains("after the results"));
    QSignalSpy asked(m_page.get(), &ComparePage::moreSeedsRequested);
    QTest::mouseClick(child<QPushButton>(*m_page, "compare.moreSeeds"), Qt::LeftButton);
    QCOMPARE(asked.count(), 1);
    const auto experiment = asked[0][0].value<ExperimentConfig>();
    QCOMPARE(experiment.study.seeds, (std::vector<std::int64_t>{5, 6, 7}));
    QVERIFY(experiment.study.largeBatch);
    QVERIFY(compareBits(experiment.study.margin, 0.01));
    QCOMPARE(experiment.run.batch.micro, std::int64_t{32});
    QCOMPARE(experiment.run.batch.effective, std::int64_t{256});
}

void TestCompareRunning::unexpectedSettingsRaiseABanner() {
    showCase(equivalentCase());
    QVERIFY(!child<NoticeBar>(*m_page, "compare.banner")->isVisible());
    SyntheticStudy other = studyOf(equivalentCase());
    other.name = "other rate";
    other.learningRate = 0.1;
    const SyntheticRuns runs = m_fixture->add(other);
    m_page->compareGroups(qtList(m_runs.groupA), qtList(runs.groupB));
    auto* banner = child<NoticeBar>(*m_page, "compare.banner");
    QTRY_VERIFY(banner->isVisible());
    QVERIFY2(banner->accessibleName().contains("Learning rate (A: 0.05, B: 0.1)"),
             qPrintable(banner->accessibleName()));
    const auto* model = child<QTableView>(*m_page, "compare.settingsTable")->model();
    QCOMPARE(model->index(0, DifferenceModel::Setting).data().toString(), QString("Learning rate"));
    QCOMPARE(model->index(0, DifferenceModel::Setting).data(Qt::ToolTipRole).toString(), QString("optimizer.lr"));
    QCOMPARE(model->index(0, DifferenceModel::Kind).data().toString(), QString("unexpected"));
    takePicture(*m_page, "compare-banner");
}

void TestCompareRunning::aRunningStudyIsFollowed() {
    start();
    SyntheticStudy study = studyOf(equivalentCase());
    study.lastState = RunState::Running;
    const SyntheticRuns runs = m_fixture->add(study);
    m_page->compareStudy(QString::fromStdString(runs.study));
    QVERIFY(waitUntilShown(4));
    QVERIFY(text("compare.verdictSentence").contains("4 paired seed"));

    // Another process ends the last run: the page follows without being asked.
    auto library = Library::open(m_fixture->file(), Library::Mode::Write);
    QVERIFY(library.has_value());
    RunStore store(std::move(*library));
    RunSummary summary;
    summary.testAccuracy = study.finalB.back();
    summary.updates = 300;
    summary.samples = 300 * 256;
    QVERIFY(store.finishRun(runs.groupB.back(), RunState::Completed, summary, study.createdAt + 100.0).has_value());
    QVERIFY(waitUntilShown(5));
    QVERIFY(text("compare.verdictWord").startsWith("Equivalent"));
}

// A study that trains announces itself all the time: an open list, a selected row and a half-typed margin stay.
void TestCompareRunning::signsOfLifeDisturbNobody() {
    start();
    SyntheticStudy study = studyOf(equivalentCase());
    study.lastState = RunState::Running;
    const SyntheticRuns runs = m_fixture->add(study);
    m_page->compareStudy(QString::fromStdString(runs.study));
    QVERIFY(waitUntilShown(4));
    auto* pairs = child<QComboBox>(*m_page, "compare.pairs");
    QTRY_VERIFY(pairs->count() > 0);
    auto* table = child<QTableView>(*m_page, "compare.seedTable");
    table->selectRow(2);
    auto* margin = child<QDoubleSpinBox>(*m_page, "compare.margin");
    margin->setFocus();
    QTest::keyClick(margin, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(margin, "2.7");
    QSignalSpy refilled(pairs->model(), &QAbstractItemModel::rowsInserted);
    QSignalSpy rows(table->model(), &QAbstractItemModel::modelReset);
    RunStore store(Library::open(m_fixture->file(), Library::Mode::Write).value());
    QElapsedTimer time;
    for (time.start(); time.elapsed() < 2500; QTest::qWait(250))
        QVERIFY(store.heartbeat(runs.groupB.back(), 1'790'000'100.0 + static_cast<double>(time.elapsed())));
    QCOMPARE(refilled.count(), 0);
    QCOMPARE(rows.count(), 0);
    QCOMPARE(table->selectionModel()->selectedRows().value(0).row(), 2);
    QVERIFY2(margin->text().contains("2.7"), qPrintable(margin->text()));

    // While somebody chooses, even another list waits.
    pairs->showPopup();
    QTRY_VERIFY(pairs->view()->isVisible());
    study.name = "another";
    study.learningRate = 0.1;
    QVERIFY(!m_fixture->add(study).groupA.empty());
    QTest::qWait(1500);
    QCOMPARE(refilled.count(), 0);
    pairs->hidePopup();
    QTRY_VERIFY(refilled.count() > 0);
}

QTEST_MAIN(TestCompareRunning)
} // namespace test_compare_running
#include "test_compare_running.moc"
