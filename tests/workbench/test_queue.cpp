// SPDX-License-Identifier: GPL-3.0-or-later
// Studies that wait: their order, what a failure, the end of the program and a kill leave of them, and other windows.
#include "tests/workbench/pictures.h"
#include "tests/workbench/queue_in_window.h"
#include "widgets/style/controls.h"

#include <QAction>
#include <QCheckBox>
#include <QDateTimeEdit>
#include <QDockWidget>
#include <QLabel>
#include <QMimeData>
#include <QProcess>
#include <QPushButton>
#include <QTableView>
#include <QToolButton>
#include <algorithm>
#include <cstdio>

namespace test_queue {
using namespace accumulus;
using namespace accumulus::ui;

namespace {

constexpr auto childLibrary = "ACCUMULUS_TEST_QUEUE_CHILD";

} // namespace

class TestQueue : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// The process that is killed: a window with a study in training and a queue.
    void initTestCase() {
        const QString library = qEnvironmentVariable(childLibrary);
        if (library.isEmpty())
            return;
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, QFileInfo(library).absolutePath());
        Application workbench(*qApp, ApplicationOptions{library.toStdString(), false, {}});
        workbench.start();
        QTRY_VERIFY_WITH_TIMEOUT(workbench.library().isOpen(), patience);
        startAndQueue(workbench);
        workbench.runs().queue().move(workbench.runs().queue().waiting().back().id, 0);
        QTRY_VERIFY_WITH_TIMEOUT(!workbench.library().writing(), patience);
        std::puts("waits for its end");
        std::fflush(stdout);
        QTest::qWait(runTimeout);
    }

    void aStudyThatFailsInTheMiddleEndsNothingElse() {
        WorkbenchFixture fixture;
        RunController& runs = fixture.workbench().runs();
        ExperimentConfig noData = shortStudy("no data");
        noData.run.data.dataset = "mnist";
        noData.run.data.path = "/nowhere/at/all";
        ExperimentConfig diverges = shortStudy("diverges", 50);
        diverges.run.optimizer.lr = 1000.0;
        diverges.run.optimizer.weightDecay = 1.0; // every update makes the weights 999 times as large
        QStringList failures;
        connect(&runs, &RunController::failed, this,
                [&failures](const Error& error) { failures << QString::fromStdString(error.code); });
        runs.start(shortStudy("first"));
        for (const ExperimentConfig& study : {noData, diverges, shortStudy("last")})
            runs.start(study);
        QCOMPARE(runs.queued(), std::size_t{3});
        fixture.waitUntilIdle(runTimeout);
        QCOMPARE(waiting(fixture.workbench()), QStringList("no data")); // nothing of it is in the library
        QCOMPARE(failures.size(), 2);
        const auto studies = runsByStudy(fixture);
        QStringList names;
        for (const auto& study : studies)
            names << QString::fromStdString(study.first);
        QCOMPARE(names, (QStringList{"diverges", "first", "last"}));
        for (const RunRecord& run : studies.at("first"))
            QCOMPARE(run.state, RunState::Completed);
        for (const RunRecord& run : studies.at("diverges")) // both runs of it were tried
            QCOMPARE(run.state, RunState::Failed);
        double firstEnded = 0.0;
        for (const RunRecord& run : studies.at("first"))
            firstEnded = std::max(firstEnded, run.finishedAt);
        for (const RunRecord& run : studies.at("last")) {
            QCOMPARE(run.state, RunState::Completed);
            // Waiting is no part of a run's time.
            QVERIFY(run.startedAt >= firstEnded);
            QVERIFY(run.summary.activeSeconds > 0.0);
            QVERIFY(run.summary.activeSeconds <= run.finishedAt - run.startedAt + 1e-3);
        }
        QTRY_VERIFY_WITH_TIMEOUT(!fixture.workbench().library().writing(), patience);
        QCOMPARE(stored(fixture.library()), QStringList("no data"));
        // It waits with its reason until it is tried again.
        QTableView* table = openQueue(fixture);
        table->selectRow(0);
        QCOMPARE(cell(*table, 0, 5), QStringLiteral("could not begin"));
        auto* problem = fixture.find<QLabel>("queueProblem");
        QVERIFY(problem->isVisible() && problem->text().contains(QStringLiteral("/nowhere/at/all")));
        takePictures(fixture, QStringLiteral("queue-failed"));
        fixture.click("queueAgain");
        QVERIFY(runs.busy());
        fixture.waitUntilIdle(runTimeout);
        QCOMPARE(failures.size(), 3);
        QCOMPARE(waiting(fixture.workbench()), QStringList("no data"));
        QTRY_VERIFY_WITH_TIMEOUT(problem->isVisible(), patience);
        fixture.window().close(); // it will not start by itself: nothing is asked
        QTRY_VERIFY_WITH_TIMEOUT(!fixture.window().isVisible(), patience);
    }

    void thePanelListsWhatWaits() {
        WorkbenchFixture fixture;
        RunController& runs = fixture.workbench().runs();
        startAndQueue(fixture.workbench());
        ExperimentConfig pair = shortStudy("pair");
        pair.study.largeBatch = true;
        pair.study.seeds = {3, 4, 5, 6, 7, 8, 9};
        runs.start(pair);
        QTableView* table = openQueue(fixture);
        QCOMPARE(table->model()->rowCount(), 4);
        QCOMPARE(cell(*table, 0, 0), QStringLiteral("one"));
        QCOMPARE(cell(*table, 0, 1), QStringLiteral("8 × 4"));
        QCOMPARE(cell(*table, 0, 2), QStringLiteral("0, 1"));
        QCOMPARE(cell(*table, 0, 3), QStringLiteral("2"));
        QCOMPARE(cell(*table, 0, 5), QStringLiteral("next"));
        QCOMPARE(cell(*table, 3, 1), QStringLiteral("8 × 4 and 32 × 1"));
        QCOMPARE(cell(*table, 3, 2), QStringLiteral("3, 4, 5, 6, … 9"));
        QCOMPARE(cell(*table, 3, 3), QStringLiteral("14"));
        QCOMPARE(fixture.find<QToolButton>("statusQueue")->text(), QStringLiteral("Queue: 4"));
        table->selectRow(1);
        takePictures(fixture, QStringLiteral("queue"));
        fixture.click("queuePause");
        QCOMPARE(cell(*table, 0, 5), QStringLiteral("when the queue goes on"));
        QTRY_COMPARE_WITH_TIMEOUT(fixture.find<QToolButton>("statusQueue")->text(), QStringLiteral("Queue: 4, paused"),
                                  patience);
        stopAll(fixture);
        QCOMPARE(runs.queued(), std::size_t{4}); // paused: nothing has started
    }

    void theTimeIsKnownFromRunsLikeIt() {
        WorkbenchFixture fixture;
        RunController& runs = fixture.workbench().runs();
        runs.start(shortStudy("before", 20));
        fixture.waitUntilIdle(runTimeout);
        runs.enqueue(shortStudy("after", 100));
        QTableView* table = openQueue(fixture);
        QTRY_VERIFY2_WITH_TIMEOUT(cell(*table, 0, 4).startsWith(QStringLiteral("about ")),
                                  qPrintable(cell(*table, 0, 4)), patience);
        ExperimentConfig other = shortStudy("of another size");
        other.run.batch.micro = 4;
        runs.enqueue(other);
        QTRY_VERIFY_WITH_TIMEOUT(fixture.workbench().library().idle(), patience); // it was asked, and is not known
        QCOMPARE(cell(*table, 1, 4), QStringLiteral("–"));
        QVERIFY(!runs.busy());
    }

    void orderAndRemovalByKeysWithUndo() {
        WorkbenchFixture fixture;
        Application& workbench = fixture.workbench();
        startAndQueue(workbench);
        QTableView* table = openQueue(fixture);
        fixture.window().activateWindow();
        table->setFocus();
        QTRY_VERIFY(table->hasFocus());
        table->selectRow(2);
        QTest::keyClick(table, Qt::Key_Up, Qt::AltModifier);
        QCOMPARE(waiting(workbench), (QStringList{"one", "three", "two"}));
        QCOMPARE(table->currentIndex().row(), 1); // the selection goes with it
        QTest::keyClick(table, Qt::Key_Home, Qt::AltModifier);
        QCOMPARE(waiting(workbench), (QStringList{"three", "one", "two"}));
        QTest::keyClick(table, Qt::Key_Down, Qt::AltModifier);
        QCOMPARE(waiting(workbench), (QStringList{"one", "three", "two"}));
        QTest::keyClick(table, Qt::Key_Delete);
        QCOMPARE(waiting(workbench), (QStringList{"one", "two"}));
        auto* notice = fixture.find<NoticeBar>("queueNotice");
        QVERIFY(notice->isVisible());
        QTest::mouseClick(notice->findChild<QPushButton*>(QStringLiteral("noticeAction")), Qt::LeftButton);
        QCOMPARE(waiting(workbench), (QStringList{"one", "three", "two"}));
        QVERIFY(!notice->isVisible());
        fixture.find<QAction>("actionUndo")->trigger(); // of the move before, once the library has what came after it
        QTRY_COMPARE_WITH_TIMEOUT(waiting(workbench), (QStringList{"three", "one", "two"}), runTimeout);
        // As the library has it.
        QTRY_VERIFY(!workbench.library().writing());
        QCOMPARE(stored(fixture.library()), (QStringList{"three", "one", "two"}));
        stopAll(fixture);
    }

    void aRowIsDraggedToAnotherPlace() {
        WorkbenchFixture fixture;
        startAndQueue(fixture.workbench());
        QAbstractItemModel* model = openQueue(fixture)->model();
        const auto drag = [model](int from, int before) {
            const std::unique_ptr<QMimeData> row(model->mimeData({model->index(from, 0)}));
            // The view would remove what it thinks was copied: the model never says so.
            QVERIFY(!model->dropMimeData(row.get(), Qt::MoveAction, before, 0, {}));
        };
        drag(0, 3);
        QCOMPARE(waiting(fixture.workbench()), (QStringList{"two", "three", "one"}));
        drag(2, 0);
        QCOMPARE(waiting(fixture.workbench()), (QStringList{"one", "two", "three"}));
        drag(0, 1); // where it is
        QCOMPARE(waiting(fixture.workbench()), (QStringList{"one", "two", "three"}));
        fixture.find<QAction>("actionUndo")->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(waiting(fixture.workbench()), (QStringList{"two", "three", "one"}), runTimeout);
        stopAll(fixture);
    }

    void aStudyStartsAtItsTime() {
        WorkbenchFixture fixture;
        RunController& runs = fixture.workbench().runs();
        runs.enqueue(shortStudy("later"));
        runs.enqueue(shortStudy("sooner"));
        QVERIFY(!runs.busy()); // collected first
        QTableView* table = openQueue(fixture);
        table->selectRow(0);
        auto* time = fixture.find<QDateTimeEdit>("queueTime");
        QVERIFY(!time->isEnabled());
        fixture.find<QCheckBox>("queueLater")->click();
        QVERIFY(time->isEnabled());
        const double inAnHour = static_cast<double>(QDateTime::currentSecsSinceEpoch() + 3600);
        QVERIFY(std::abs(runs.queue().waiting().front().notBefore - inAnHour) < 120.0);
        QVERIFY2(cell(*table, 0, 5).startsWith(QStringLiteral("not before ")), qPrintable(cell(*table, 0, 5)));
        const double soon = static_cast<double>(QDateTime::currentMSecsSinceEpoch()) / 1000.0 + 3.0;
        runs.queue().setNotBefore(runs.queue().waiting().front().id, soon);
        QStringList began;
        connect(&runs, &RunController::studyStarted, this,
                [&began](const StudyRecord& study) { began << QString::fromStdString(study.name); });
        fixture.click("queuePause"); // goes on
        QTRY_COMPARE_WITH_TIMEOUT(began, (QStringList{"sooner", "later"}), runTimeout);
        fixture.waitUntilIdle(runTimeout);
        const auto studies = runsByStudy(fixture);
        for (const RunRecord& run : studies.at("later"))
            QVERIFY(run.createdAt >= soon);
    }

    void theQueueSurvivesQuitting() {
        WorkbenchFixture fixture;
        startAndQueue(fixture.workbench());
        fixture.window().close();
        fixture.click("closeCheckpoint");
        QTRY_VERIFY_WITH_TIMEOUT(!fixture.window().isVisible(), runTimeout);
        fixture.reopen();
        RunController& runs = fixture.workbench().runs();
        QCOMPARE(waiting(fixture.workbench()), (QStringList{"one", "two", "three"}));
        QTest::qWait(300);
        QVERIFY(!runs.busy()); // nothing trains unasked
        auto* notice = fixture.find<NoticeBar>("waitingNotice");
        QVERIFY(notice->isVisible());
        QTRY_COMPARE_WITH_TIMEOUT(fixture.find<QToolButton>("statusQueue")->text(), QStringLiteral("Queue: 3, paused"),
                                  patience);
        takePictures(fixture, QStringLiteral("queue-restored"));
        auto* goOn = notice->findChild<QPushButton*>(QStringLiteral("noticeAction"));
        QCOMPARE(goOn->text(), QStringLiteral("Continue the queue"));
        QTest::mouseClick(goOn, Qt::LeftButton);
        QVERIFY(runs.busy());
        QVERIFY(!notice->isVisible());
        fixture.waitUntilIdle(runTimeout);
        const auto studies = runsByStudy(fixture);
        for (const char* name : {"one", "two", "three"})
            QCOMPARE(studies.at(name).size(), std::size_t{2});
        QTRY_VERIFY_WITH_TIMEOUT(!fixture.workbench().library().writing(), patience);
        QCOMPARE(stored(fixture.library()), QStringList());
    }

    void theQueueSurvivesAKill() {
        WorkbenchFixture fixture; // its settings; the killed window has a library of its own
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("library.sqlite"));
        QProcess window;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QLatin1String(childLibrary), file);
        window.setProcessEnvironment(environment);
        window.setProcessChannelMode(QProcess::MergedChannels);
        window.start(QCoreApplication::arguments().constFirst(), {QStringLiteral("theQueueSurvivesAKill")});
        QByteArray said;
        QTRY_VERIFY2_WITH_TIMEOUT((said += window.readAll()).contains("waits for its end"), said.constData(),
                                  runTimeout);
        window.kill();
        QVERIFY(window.waitForFinished());
        QCOMPARE(window.exitStatus(), QProcess::CrashExit);
        Application workbench(*qApp, ApplicationOptions{file.toStdString(), false, {}});
        workbench.start();
        QTRY_VERIFY_WITH_TIMEOUT(workbench.library().isOpen(), patience);
        QCOMPARE(waiting(workbench), (QStringList{"three", "one", "two"}));
        QCOMPARE(workbench.runs().queue().waiting().front().experiment, shortStudy("three"));
        QVERIFY(workbench.runs().queue().isPaused());
        // What trained is no part of it: its runs are in the library, and interrupted.
        const auto interrupted = [&workbench] {
            return std::ranges::count(workbench.library().reader().runs().value(), RunState::Interrupted,
                                      &RunRecord::state);
        };
        QTRY_COMPARE_WITH_TIMEOUT(interrupted(), 2, patience);
    }

    void setUpAddsToAQueueThatWaits() {
        WorkbenchFixture fixture;
        fixture.window().showPage(QStringLiteral("setup"));
        auto* enqueue = fixture.find<QAction>("actionEnqueue");
        QTRY_VERIFY_WITH_TIMEOUT(enqueue->isEnabled(), patience);
        QTRY_VERIFY_WITH_TIMEOUT((enqueue->trigger(), fixture.workbench().runs().queued() > 0),
                                 patience); // once its facts are known
        QVERIFY(!fixture.workbench().runs().busy());
        QVERIFY(fixture.workbench().runs().queue().isPaused());
        auto* notice = fixture.find<NoticeBar>("windowNotice");
        QVERIFY(notice->isVisible());
        QTest::mouseClick(notice->findChild<QPushButton*>(QStringLiteral("noticeAction")), Qt::LeftButton);
        QVERIFY(fixture.find<QTableView>("queueTable")->isVisible());
    }
};

QTEST_MAIN(TestQueue)
} // namespace test_queue
#include "test_queue.moc"
