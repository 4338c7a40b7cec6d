// SPDX-License-Identifier: GPL-3.0-or-later
// Studies in the window as a person meets them: stopped, left, resumed as a whole, seen to their end; what the log
// says.
#include "app/workbench/log_dock.h"
#include "core/base/atomic_file.h"
#include "core/config/experiment_file.h"
#include "tests/support/synthetic_library.h"
#include "tests/workbench/workbench_fixture.h"
#include "widgets/pages/compare/compare_page.h"
#include "widgets/pages/library/library_page.h"
#include "widgets/pages/live/live_page.h"
#include "widgets/plots/plot_view.h"
#include "widgets/style/controls.h"

#include <QAction>
#include <QDir>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QTableView>
#include <algorithm>

namespace test_studies {
using namespace accumulus;
using namespace accumulus::ui;

namespace {
constexpr std::int64_t stoppable = 1500; ///< updates that take a second, also on a fast machine
/// Three runs of generated digits; `updates` long each.
ExperimentConfig threeRuns(std::int64_t updates) {
    ExperimentConfig experiment = tinyExperiment();
    experiment.run.data.dataset = "digits-generated";
    experiment.run.model.hidden = {384, 256};
    experiment.run.data.trainLimit = 320;
    experiment.run.data.testLimit = 50;
    experiment.run.batch.effective = 32;
    experiment.run.batch.micro = 4;
    experiment.run.train.length = {updates, Extent::Unit::Updates};
    experiment.run.evaluate.every = experiment.run.checkpoint.every = {0, Extent::Unit::Epochs}; // at the end
    experiment.study.name = "three";
    experiment.study.seeds = {0, 1, 2};
    return experiment;
}

std::vector<RunRecord> runsOf(WorkbenchFixture& fixture) {
    auto runs = fixture.workbench().library().reader().runs().value();
    sortAsTrained(runs);
    return runs;
}

std::size_t completed(WorkbenchFixture& fixture) {
    return static_cast<std::size_t>(std::ranges::count(runsOf(fixture), RunState::Completed, &RunRecord::state));
}

/// Starts the three and stops them at an update of the first one.
void startAndStop(WorkbenchFixture& fixture) {
    RunController& runs = fixture.workbench().runs();
    fixture.window().showPage(QStringLiteral("live"));
    runs.start(threeRuns(stoppable));
    QTRY_VERIFY_WITH_TIMEOUT(runs.state() == RunState::Running, runTimeout);
    QTRY_VERIFY(fixture.find<QProgressBar>("liveProgress")->value() > 0);
    QTest::keyClick(&fixture.window(), Qt::Key_F5, Qt::ShiftModifier);
    fixture.waitUntilIdle(runTimeout);
    const auto stopped = runsOf(fixture);
    QCOMPARE(stopped.size(), std::size_t{3});
    QCOMPARE(stopped.front().state, RunState::Stopped);
    QVERIFY(!neverStarted(stopped.front()));
    QVERIFY(neverStarted(stopped[1]) && neverStarted(stopped[2]));
}

QString logText(WorkbenchFixture& fixture) {
    const QAbstractItemModel& log = *fixture.find<QTableView>("logView")->model();
    QStringList lines;
    for (int row = 0; row < log.rowCount(); ++row)
        lines << log.index(row, LogModel::MessageColumn).data().toString();
    return lines.join(QLatin1Char('\n'));
}

/// What the demo has shown stands beside its comparison, whichever page is looked at in between.
void explainsUntilTheNextComparison(WorkbenchFixture& fixture) {
    auto* notice = fixture.find<NoticeBar>("finishedNotice");
    QTRY_VERIFY(notice->isVisible());
    QVERIFY2(notice->accessibleName().contains(QStringLiteral("the demo trained the same network twice")),
             qPrintable(notice->accessibleName()));
    auto* compare = fixture.window().findChild<ComparePage*>();
    QTRY_COMPARE(compare->comparedGroups().size(), qsizetype{2});
    fixture.window().showPage(QStringLiteral("library"));
    fixture.window().showPage(QStringLiteral("compare"));
    QVERIFY(notice->isVisible());
    const QStringList group = compare->comparedGroups().front();
    const test::SyntheticRuns other =
        test::addSyntheticStudy(fixture.library(), test::studyOf(test::equivalentCase())).value();
    compare->compareGroups(listOf(other.groupA), listOf(other.groupB));
    QTRY_VERIFY(!notice->isVisible());
}
} // namespace

class TestStudies : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aStoppedStudyIsResumedAsAWhole() {
        WorkbenchFixture fixture;
        startAndStop(fixture);
        QCOMPARE(fixture.find<QLabel>("liveProgressText")->text(),
                 QStringLiteral("0 of 3 runs completed, 1 stopped, 2 not started"));
        QVERIFY(fixture.find<QProgressBar>("liveProgress")->value() > 0); // what the stopped run has done
        fixture.window().showPage(QStringLiteral("library"));
        auto* table = fixture.find<QTableView>("runTable");
        QTRY_COMPARE(table->model()->rowCount(), 3);
        QStringList states;
        for (int row = 0; row < 3; ++row)
            states << table->model()->index(row, 0).data().toString();
        states.sort();
        QCOMPARE(states.join(' '), QStringLiteral("not started not started stopped"));

        fixture.window().showPage(QStringLiteral("live"));
        RunController& runs = fixture.workbench().runs();
        int ends = 0;
        connect(&runs, &RunController::studyFinished, this, [&ends] { ++ends; });
        fixture.click("liveResumeStudy");
        QTRY_VERIFY_WITH_TIMEOUT(runs.state() == RunState::Running, runTimeout);
        QTRY_COMPARE(fixture.find<QLabel>("statusState")->text(), QStringLiteral("running, run 1 of 3"));
        const auto* liveRun = fixture.find<QLabel>("liveRun");
        QTRY_VERIFY2(liveRun->text().contains(QStringLiteral("run 1 of 3")), qPrintable(liveRun->text()));
        QVERIFY(!fixture.find<QPushButton>("liveResumeStudy")->isVisible());
        fixture.waitUntilIdle(runTimeout);
        QCOMPARE(completed(fixture), std::size_t{3});
        QTRY_COMPARE(ends, 1);
        QTRY_VERIFY(fixture.find<QWidget>("finishedNotice")->isVisible());
        QCOMPARE(fixture.find<QLabel>("liveProgressText")->text(), QStringLiteral("3 of 3 runs completed"));
        for (const RunRecord& run : runsOf(fixture))
            QCOMPARE(run.summary.updates, stoppable);
    }

    void oneResumedRunIsNotTheStudy() {
        WorkbenchFixture fixture;
        startAndStop(fixture);
        fixture.workbench().runs().resumeRun(QString::fromStdString(runsOf(fixture).front().id));
        fixture.waitUntilIdle(runTimeout);
        auto* notice = fixture.find<QWidget>("finishedNotice");
        QTRY_VERIFY(notice->isVisible());
        const auto words = [notice] {
            QStringList texts;
            for (const QLabel* label : notice->findChildren<QLabel*>())
                texts << label->text();
            return texts.join(QLatin1Char(' '));
        };
        QVERIFY2(words().contains(QStringLiteral("1 of 3 runs of “three” are complete.")), qPrintable(words()));
        QPushButton* others = nullptr;
        for (QPushButton* button : notice->findChildren<QPushButton*>())
            if (button->text() == QLatin1String("Resume the others"))
                others = button;
        QVERIFY(others);
        QTest::mouseClick(others, Qt::LeftButton);
        QVERIFY(fixture.workbench().runs().busy());
        fixture.waitUntilIdle(runTimeout);
        QCOMPARE(completed(fixture), std::size_t{3});
        QTRY_VERIFY2(words().contains(QStringLiteral("“three” is complete.")), qPrintable(words()));
    }

    void whatWasLeftWithACheckpointIsOfferedAgain() {
        WorkbenchFixture fixture;
        RunController* runs = &fixture.workbench().runs();
        runs->start(threeRuns(100'000));
        QTRY_VERIFY_WITH_TIMEOUT(runs->state() == RunState::Running, runTimeout);
        fixture.window().close();
        fixture.click("closeCheckpoint");
        QTRY_VERIFY_WITH_TIMEOUT(!fixture.window().isVisible(), runTimeout);
        fixture.reopen();
        auto* bar = fixture.find<QWidget>("interruptedBar");
        QTRY_VERIFY(bar->isVisible());
        QStringList texts;
        for (const QLabel* label : bar->findChildren<QLabel*>())
            texts << label->text();
        QVERIFY2(texts.join(QLatin1Char(' ')).contains(QStringLiteral("1 run interrupted, 2 runs not started")),
                 qPrintable(texts.join(QLatin1Char('|'))));
        // The run that was checkpointed is the first to go on.
        const std::string first = runsOf(fixture).front().id;
        fixture.click("interruptedResume");
        runs = &fixture.workbench().runs();
        QTRY_VERIFY_WITH_TIMEOUT(runs->state() == RunState::Running, runTimeout);
        QCOMPARE(runs->currentRun().toStdString(), first);
        QVERIFY(!bar->isVisible());
        runs->stopNow();
        fixture.waitUntilIdle(runTimeout);
    }

    void afterAKillTheStoppedRunIsOfferedWithTheOthers() {
        WorkbenchFixture fixture;
        startAndStop(fixture);
        QStringList offered;
        connect(&fixture.workbench().library(), &LibraryGateway::interruptedRunsFound, this,
                [&offered](const QStringList& runs) { offered = runs; });
        // As a killed process leaves the other two; then one is resumed and left with a checkpoint.
        const auto left = runsOf(fixture);
        for (const std::size_t at : {std::size_t{1}, std::size_t{2}})
            fixture.workbench().library().edit(
                this, [run = left[at].id](RunStore& store) { return store.setState(run, RunState::Interrupted); });
        QTRY_VERIFY(!fixture.workbench().library().writing());
        fixture.workbench().library().lookForUnfinished();
        QStringList expected;
        for (const RunRecord& run : left)
            expected << QString::fromStdString(run.id);
        QTRY_COMPARE(offered, expected);
    }

    void theDemosEndLeavesAPersonWhoHasMovedOnAlone() {
        QTemporaryDir resources;
        QVERIFY(QDir(resources.path()).mkdir(QStringLiteral("experiments")));
        const QByteArray before = qgetenv("ACCUMULUS_RESOURCES");
        for (const bool movedOn : {true, false}) {
            ExperimentConfig demo = threeRuns(20);
            demo.study.largeBatch = true;
            demo.study.name = movedOn ? "moved on" : "watched";
            QVERIFY(writeFileAtomically(
                resources.filePath(QStringLiteral("experiments/first-comparison.toml")).toStdString(),
                experimentToml(demo)));
            qputenv("ACCUMULUS_RESOURCES", resources.path().toUtf8());
            WorkbenchFixture fixture;
            fixture.find<QAction>("actionDemo")->trigger();
            QVERIFY(fixture.workbench().runs().busy());
            QCOMPARE(fixture.window().currentPage(), QStringLiteral("live"));
            if (movedOn)
                fixture.window().showPage(QStringLiteral("setup"));
            fixture.waitUntilIdle(runTimeout);
            before.isEmpty() ? qunsetenv("ACCUMULUS_RESOURCES") : qputenv("ACCUMULUS_RESOURCES", before);
            if (!movedOn) {
                QTRY_COMPARE(fixture.window().currentPage(), QStringLiteral("compare"));
                explainsUntilTheNextComparison(fixture);
                continue;
            }
            QTRY_VERIFY(fixture.find<QWidget>("finishedNotice")->isVisible());
            QCOMPARE(fixture.window().currentPage(), QStringLiteral("setup"));
        }
    }

    void theLogTellsWhatHappened() {
        WorkbenchFixture fixture;
        ExperimentConfig experiment = threeRuns(8);
        experiment.study.seeds = {0};
        experiment.run.train.length = {1, Extent::Unit::Updates};
        fixture.workbench().runs().start(experiment);
        fixture.waitUntilIdle(runTimeout);
        for (const char* part :
             {"Library opened: ", "The study “three” begins: 1 run.", "micro-batch 4 × accumulation 8", "1 update;",
              "evaluated (test) after update 1: accuracy ", "checkpoint (last) after update 1", "completed; updates: 1",
              "peak memory of training "}) {
            QTRY_VERIFY2(logText(fixture).contains(QString::fromUtf8(part)),
                         qPrintable(part + QStringLiteral(" in\n") + logText(fixture)));
        }
        QVERIFY2(!logText(fixture).contains(QStringLiteral("cannot be opened")), qPrintable(logText(fixture)));
    }

    void onlyWeightsThatExistAreExported() {
        WorkbenchFixture fixture;
        startAndStop(fixture);
        fixture.window().showPage(QStringLiteral("library"));
        QTRY_COMPARE(fixture.find<QTableView>("runTable")->model()->rowCount(), 3);
        auto* page = fixture.window().findChild<LibraryPage*>();
        const auto enabled = [&fixture](const char* action) { return fixture.find<QAction>(action)->isEnabled(); };
        const auto runs = runsOf(fixture);
        page->selectRuns({QString::fromStdString(runs[0].id)});
        QTRY_VERIFY(enabled("libraryExportLast"));
        QVERIFY(!enabled("libraryExportBest")); // without validation samples there is none
        QVERIFY(enabled("libraryExportCsv"));
        page->selectRuns({QString::fromStdString(runs[1].id)}); // has not started
        QTRY_VERIFY(!enabled("libraryExportLast") && !enabled("libraryExportInitial"));
        QVERIFY(enabled("libraryExportCsv"));
        // Those that can go on are resumed together.
        page->selectRuns({QString::fromStdString(runs[1].id), QString::fromStdString(runs[2].id)});
        QTRY_VERIFY(enabled("libraryResume"));
        fixture.find<QAction>("libraryResume")->trigger();
        QVERIFY(fixture.workbench().runs().busy());
        fixture.waitUntilIdle(runTimeout);
        QCOMPARE(completed(fixture), std::size_t{2});
    }

    void aUsedUndoBannerGoes() {
        WorkbenchFixture fixture;
        startAndStop(fixture);
        fixture.window().showPage(QStringLiteral("library"));
        QTRY_COMPARE(fixture.find<QTableView>("runTable")->model()->rowCount(), 3);
        auto* page = fixture.window().findChild<LibraryPage*>();
        page->selectRuns({QString::fromStdString(runsOf(fixture)[1].id)});
        QTRY_VERIFY(fixture.find<QAction>("libraryTrash")->isEnabled());
        fixture.find<QAction>("libraryTrash")->trigger();
        auto* toast = fixture.find<QWidget>("libraryToast");
        QTRY_VERIFY(toast->isVisible());
        fixture.find<QAction>("actionUndo")->trigger();
        QTRY_VERIFY(!toast->isVisible()); // there is nothing left that it could undo
        QTRY_COMPARE(fixture.find<QTableView>("runTable")->model()->rowCount(), 3);
    }

    void aRunThatIsGoneKeepsNoOtherFromGoingOn() {
        WorkbenchFixture fixture;
        startAndStop(fixture);
        const QString there = QString::fromStdString(runsOf(fixture)[1].id);
        fixture.workbench().runs().resumeRuns({QStringLiteral("00000000-0000-4000-8000-00000000dead"), there});
        fixture.waitUntilIdle(runTimeout);
        QCOMPARE(completed(fixture), std::size_t{1});
        QVERIFY(fixture.find<QWidget>("windowNotice")->isVisible()); // and why the other did not
    }

    void markStoppedLeavesAloneWhatHasGoneOn() {
        WorkbenchFixture fixture;
        startAndStop(fixture);
        const auto runs = runsOf(fixture);
        LibraryGateway& library = fixture.workbench().library();
        for (const std::size_t at : {std::size_t{1}, std::size_t{2}})
            library.edit(this,
                         [run = runs[at].id](RunStore& store) { return store.setState(run, RunState::Interrupted); });
        QTRY_VERIFY(!library.writing());
        library.lookForUnfinished();
        QTRY_VERIFY(fixture.find<QWidget>("interruptedBar")->isVisible());
        // Behind the bar's back, one of them is completed.
        library.edit(this, [run = runs[1].id](RunStore& store) { return store.setState(run, RunState::Completed); });
        QTRY_VERIFY(!library.writing());
        fixture.click("interruptedMarkStopped");
        QTRY_VERIFY(!library.writing());
        QCOMPARE(runsOf(fixture)[1].state, RunState::Completed);
        QCOMPARE(runsOf(fixture)[2].state, RunState::Stopped);
    }

    void anotherLanguageKeepsOfferAndCounters() {
        WorkbenchFixture fixture;
        RunController& runs = fixture.workbench().runs();
        runs.start(threeRuns(100'000));
        QTRY_VERIFY_WITH_TIMEOUT(runs.state() == RunState::Running, runTimeout);
        const auto state = [&fixture] { return fixture.find<QLabel>("statusState")->text(); };
        QTRY_VERIFY(state().contains(QLatin1Char('3')));
        fixture.setLanguage(QStringLiteral("zh_CN"));
        QTRY_VERIFY(state().contains(QLatin1Char('3'))); // run 1 of 3
        QVERIFY(fixture.find<QLabel>("statusCounters")->isVisible());
        runs.stopNow();
        fixture.waitUntilIdle(runTimeout);
        LibraryGateway& library = fixture.workbench().library();
        library.edit(this, [run = runsOf(fixture)[1].id](RunStore& store) {
            return store.setState(run, RunState::Interrupted);
        });
        QTRY_VERIFY(!library.writing());
        library.lookForUnfinished();
        QTRY_VERIFY(fixture.find<QWidget>("interruptedBar")->isVisible());
        fixture.setLanguage(QStringLiteral("en"));
        QTRY_VERIFY(fixture.find<QWidget>("interruptedBar")->isVisible());
        QVERIFY(fixture.find<QPushButton>("interruptedResume")->text() == QLatin1String("Resume"));
    }

    void whatIsOfferedBelongsToItsLibrary() {
        WorkbenchFixture fixture;
        fixture.workbench().runs().start(threeRuns(100'000));
        QTRY_VERIFY_WITH_TIMEOUT(fixture.workbench().runs().state() == RunState::Running, runTimeout);
        fixture.window().close();
        fixture.click("closeCheckpoint");
        QTRY_VERIFY_WITH_TIMEOUT(!fixture.window().isVisible(), runTimeout);
        const std::filesystem::path other = fixture.file(QStringLiteral("other.sqlite")).toStdString();
        // A start with another library neither offers the study nor forgets it.
        fixture.quit();
        {
            Application elsewhere(*qApp, ApplicationOptions{other, false, {}});
            elsewhere.start();
            QTRY_VERIFY(elsewhere.library().isOpen());
            QVERIFY(!elsewhere.window().findChild<QWidget*>(QStringLiteral("interruptedBar"))->isVisible());
        }
        fixture.open();
        QTRY_VERIFY(fixture.find<QWidget>("interruptedBar")->isVisible());
        // Another library takes the bar away.
        QVERIFY(fixture.workbench().library().open(other));
        QVERIFY(!fixture.find<QWidget>("interruptedBar")->isVisible());
    }

    void aZoomEndsWithItsStudy() {
        WorkbenchFixture fixture;
        RunController& runs = fixture.workbench().runs();
        fixture.window().showPage(QStringLiteral("live"));
        ExperimentConfig experiment = threeRuns(30);
        experiment.study.seeds = {0};
        runs.start(experiment);
        fixture.waitUntilIdle(runTimeout);
        auto* loss = fixture.find<PlotView>("liveLoss");
        QTRY_COMPARE(loss->curveCount(), 1U);
        loss->refreshNow();
        loss->zoomX(100.0, 200.0);
        loss->refreshNow();
        QVERIFY(!loss->follow());
        experiment.study.name = "another";
        runs.start(experiment);
        QTRY_VERIFY_WITH_TIMEOUT(loss->follow(), runTimeout);
        fixture.waitUntilIdle(runTimeout);
        loss->refreshNow();
        QVERIFY(loss->xMax() > 900.0);
        loss->zoomBack(); // nothing of the study before is in the history
        QVERIFY(loss->follow());
    }
};

QTEST_MAIN(TestStudies)
} // namespace test_studies
#include "test_studies.moc"
