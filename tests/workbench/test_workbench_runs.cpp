// SPDX-License-Identifier: GPL-3.0-or-later
// Runs in the whole window: paused, stopped, resumed, on two ranks, ended by closing the window or by a signal, and
// offered after an interruption.
#include "app/workbench/quit_signals.h"
#include "core/launch/launch_command.h"
#include "tests/workbench/tiny_runs.h"
#include "tests/workbench/workbench_fixture.h"
#include "widgets/pages/library/library_page.h"
#include "widgets/pages/setup/setup_page.h"

#include <QAbstractSpinBox>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QTabWidget>

#include <csignal>

namespace test_workbench_runs {
using namespace accumulus;
using namespace accumulus::ui;

class TestWorkbenchRuns : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void pauseStopAndResumeReachTheSameEnd();
    void twoDevicesAreTwoRanks();
    void withoutMpirunTwoDevicesAreRefused();
    void closingWithALiveRunAsksAndSavesACheckpoint();
    void aSignalSavesACheckpointAndQuits();
    void aSecondSignalStopsNow();
    void anInterruptedRunIsOfferedAtTheStart();
};

void TestWorkbenchRuns::pauseStopAndResumeReachTheSameEnd() {
    WorkbenchFixture fixture;
    ExperimentConfig experiment = tinyExperiment();
    experiment.run.train.length = {40, Extent::Unit::Epochs};
    experiment.run.evaluate.every = {0, Extent::Unit::Epochs};
    experiment.run.checkpoint.every = {0, Extent::Unit::Epochs};
    // Two studies may find another number of threads fastest, and threads inside an operation round differently.
    experiment.run.device.lanes = 2;
    experiment.run.device.threads = 1;
    trainTiny(fixture, experiment);
    const std::string unbroken = runsOf(fixture).front().summary.weightsHash;
    QVERIFY(!unbroken.empty());

    RunController& runs = fixture.workbench().runs();
    runs.start(experiment);
    QTRY_COMPARE(runs.state(), RunState::Running);
    QTest::keyClick(&fixture.window(), Qt::Key_F8);
    QTRY_COMPARE(runs.state(), RunState::Paused);
    QTest::keyClick(&fixture.window(), Qt::Key_F8);
    QTRY_COMPARE(runs.state(), RunState::Running);
    QTest::keyClick(&fixture.window(), Qt::Key_F5, Qt::ShiftModifier);
    fixture.waitUntilIdle(runTimeout);
    RunRecord stopped = runsOf(fixture).front();
    QCOMPARE(stopped.state, RunState::Stopped);
    QVERIFY(stopped.summary.updates < stopped.totalUpdates);

    fixture.window().showPage(QStringLiteral("library"));
    QTRY_COMPARE(visibleRows(fixture), 2);
    fixture.window().findChild<LibraryPage*>()->selectRuns({QString::fromStdString(stopped.id)});
    fixture.click("libraryResumeButton");
    QCOMPARE(fixture.window().currentPage(), QStringLiteral("live"));
    fixture.waitUntilIdle(runTimeout);
    const RunRecord resumed = fixture.workbench().library().reader().run(stopped.id).value();
    QCOMPARE(resumed.state, RunState::Completed);
    QCOMPARE(resumed.summary.weightsHash, unbroken);
}

// mpirun starts them; to the window it is as if it trained itself. Added up in the order of the micro-steps, two ranks
// give the weights of one process.
void TestWorkbenchRuns::twoDevicesAreTwoRanks() {
    if (!launchingFeatures().launchesRanks)
        QSKIP("there is no mpirun, or this build has no MPI");
    WorkbenchFixture fixture;
    ExperimentConfig experiment = tinyExperiment();
    experiment.run.data.dataset = "digits-generated";
    experiment.run.train.length = {60, Extent::Unit::Epochs};
    experiment.run.evaluate.every = {20, Extent::Unit::Epochs};
    experiment.run.checkpoint.every = {0, Extent::Unit::Epochs};
    experiment.run.parallel.order = ReductionOrder::MicroSteps;
    experiment.run.device.lanes = 1;
    experiment.run.device.threads = 1;
    trainTiny(fixture, experiment);
    const RunRecord alone = runsOf(fixture).front();
    QCOMPARE(alone.state, RunState::Completed);

    fixture.window().showPage(QStringLiteral("setup"));
    auto* devices = fixture.find<QAbstractSpinBox>("setup.batch.devices");
    devices->setFocus();
    devices->selectAll();
    QTest::keyClicks(devices, QStringLiteral("2"));
    QCOMPARE(fixture.window().findChild<SetupPage*>()->experiment().run.batch.devices, 2);
    QCOMPARE(fixture.find<QAbstractSpinBox>("setup.batch.steps")->text().section(QLatin1Char(' '), 0, 0),
             QStringLiteral("4"));
    QVERIFY(fixture.find<QWidget>("setup.parallel.mode")->isVisible());
    fixture.click("setup.start");

    RunController& runs = fixture.workbench().runs();
    QTRY_COMPARE_WITH_TIMEOUT(runs.state(), RunState::Running, runTimeout);
    QVERIFY2(fixture.find<QLabel>("liveRun")->text().contains(QStringLiteral("2 ranks")),
             qPrintable(fixture.find<QLabel>("liveRun")->text()));
    const auto updates = [&] { return fixture.find<QLabel>("liveUpdates")->text(); };
    const QString atFirst = updates();
    QTRY_VERIFY_WITH_TIMEOUT(updates() != atFirst, runTimeout);
    QTest::keyClick(&fixture.window(), Qt::Key_F8);
    QTRY_COMPARE_WITH_TIMEOUT(runs.state(), RunState::Paused, runTimeout);
    QTest::keyClick(&fixture.window(), Qt::Key_F8);
    QTRY_COMPARE_WITH_TIMEOUT(runs.state(), RunState::Running, runTimeout);
    fixture.waitUntilIdle(runTimeout);

    const RunRecord shared = runsOf(fixture).front();
    QVERIFY(shared.id != alone.id);
    QCOMPARE(shared.state, RunState::Completed);
    QCOMPARE(shared.batch.devices, 2);
    QCOMPARE(shared.summary.updates, alone.summary.updates);
    QCOMPARE(shared.summary.microSteps, alone.summary.microSteps);
    QCOMPARE(shared.summary.weightsHash, alone.summary.weightsHash);

    // One that is stopped goes on in the window itself.
    runs.start(fixture.window().findChild<SetupPage*>()->experiment());
    QTRY_COMPARE_WITH_TIMEOUT(runs.state(), RunState::Running, runTimeout);
    QTest::keyClick(&fixture.window(), Qt::Key_F5, Qt::ShiftModifier);
    fixture.waitUntilIdle(runTimeout);
    const std::string stopped = runsOf(fixture).front().id;
    QCOMPARE(runsOf(fixture).front().state, RunState::Stopped);
    runs.resumeRun(QString::fromStdString(stopped));
    fixture.waitUntilIdle(runTimeout);
    QCOMPARE(runsOf(fixture).front().id, stopped);
    QCOMPARE(runsOf(fixture).front().summary.weightsHash, alone.summary.weightsHash);
}

void TestWorkbenchRuns::withoutMpirunTwoDevicesAreRefused() {
    const QByteArray path = qgetenv("PATH");
    qputenv("PATH", "/nowhere");
    WorkbenchFixture fixture;
    ExperimentConfig experiment = tinyExperiment();
    experiment.run.batch.devices = 2;
    fixture.window().showPage(QStringLiteral("setup"));
    fixture.window().findChild<SetupPage*>()->setExperiment(experiment);
    auto* start = fixture.find<QPushButton>("setup.start");
    QTRY_VERIFY_WITH_TIMEOUT(!start->isEnabled(), 10'000);
    QCOMPARE(start->toolTip(), QStringLiteral("2 ranks cannot be started: there is no mpirun."));
    // A queue or a preset may bring one all the same.
    QString said;
    connect(&fixture.workbench().runs(), &RunController::failed, this,
            [&said](const Error& error) { said = QString::fromStdString(describe(error)); });
    fixture.workbench().runs().start(experiment);
    fixture.waitUntilIdle(runTimeout);
    qputenv("PATH", path);
    QVERIFY2(said.contains(QStringLiteral("no mpirun")), qPrintable(said));
    QVERIFY(runsOf(fixture).empty());
}

void TestWorkbenchRuns::closingWithALiveRunAsksAndSavesACheckpoint() {
    WorkbenchFixture fixture;
    ExperimentConfig experiment = tinyExperiment();
    experiment.run.train.length = {2000, Extent::Unit::Epochs};
    RunController& runs = fixture.workbench().runs();
    runs.start(experiment);
    QTRY_COMPARE(runs.state(), RunState::Running);
    fixture.window().close();
    QVERIFY(fixture.window().isVisible());
    auto* dialog = fixture.window().findChild<QMessageBox*>(QStringLiteral("closeDialog"));
    QVERIFY(dialog);
    QTest::mouseClick(fixture.find<QPushButton>("closeCancel"), Qt::LeftButton);
    QTRY_VERIFY(!fixture.window().findChild<QMessageBox*>(QStringLiteral("closeDialog")));
    QVERIFY(runs.busy());

    fixture.window().close();
    QTest::mouseClick(fixture.find<QPushButton>("closeCheckpoint"), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(!fixture.window().isVisible(), runTimeout);
    QVERIFY(!runs.busy());
    const RunRecord run = runsOf(fixture).front();
    QCOMPARE(run.state, RunState::Stopped);
    QVERIFY(!run.summary.checkpoint.empty());
    QVERIFY(std::filesystem::exists(run.summary.checkpoint) ||
            std::filesystem::exists(fixture.workbench().library().reader().library().runFolder(run.id) /
                                    run.summary.checkpoint));
}

/// Real signals to this very process, through the handler and the pipe.
void TestWorkbenchRuns::aSignalSavesACheckpointAndQuits() {
    WorkbenchFixture fixture;
    const QuitSignals quitSignals;
    connect(&quitSignals, &QuitSignals::received, &fixture.workbench(), &Application::quitBySignal);
    ExperimentConfig experiment = tinyExperiment();
    experiment.run.train.length = {2000, Extent::Unit::Epochs};
    RunController& runs = fixture.workbench().runs();
    runs.start(experiment);
    runs.start(tinyExperiment()); // what waits does not begin any more
    QTRY_VERIFY_WITH_TIMEOUT(!runsOf(fixture).empty() && runsOf(fixture).front().summary.updates > 0, runTimeout);
    raise(SIGTERM);
    QTRY_VERIFY_WITH_TIMEOUT(!fixture.window().isVisible(), runTimeout);
    QVERIFY(!runs.busy());
    QCOMPARE(runsOf(fixture).size(), std::size_t{1});
    const RunRecord run = runsOf(fixture).front();
    QCOMPARE(run.state, RunState::Stopped);
    QVERIFY(run.summary.updates > 0);
    QCOMPARE(run.summary.microSteps, run.summary.updates * run.batch.steps); // at the boundary
    QVERIFY(std::filesystem::exists(run.summary.checkpoint));
}

/// One window takes far longer than the test may: the first signal waits for its end, the second does not.
void TestWorkbenchRuns::aSecondSignalStopsNow() {
    WorkbenchFixture fixture;
    const QuitSignals quitSignals;
    connect(&quitSignals, &QuitSignals::received, &fixture.workbench(), &Application::quitBySignal);
    ExperimentConfig experiment = tinyExperiment();
    experiment.run.data.trainLimit = 60000;
    experiment.run.batch.effective = 60000;
    experiment.run.batch.micro = 1;
    experiment.run.model.name = "lenet5";
    experiment.run.train.length = {1000, Extent::Unit::Updates};
    RunController& runs = fixture.workbench().runs();
    runs.start(experiment);
    QTRY_VERIFY_WITH_TIMEOUT(!runs.currentRun().isEmpty(), runTimeout);
    raise(SIGINT);
    QTRY_COMPARE(runs.state(), RunState::Stopping);
    QTest::qWait(300);
    QVERIFY(runs.busy() && fixture.window().isVisible());
    raise(SIGINT);
    QTRY_VERIFY_WITH_TIMEOUT(!fixture.window().isVisible(), runTimeout);
    const RunRecord run = runsOf(fixture).front();
    QCOMPARE(run.state, RunState::Stopped);
    QCOMPARE(run.summary.updates, 0); // the first window was still open
    QVERIFY(std::filesystem::exists(run.summary.checkpoint));
}

void TestWorkbenchRuns::anInterruptedRunIsOfferedAtTheStart() {
    WorkbenchFixture fixture;
    ExperimentConfig experiment = tinyExperiment();
    experiment.run.train.length = {2, Extent::Unit::Updates};
    trainTiny(fixture, experiment);
    const std::string id = runsOf(fixture).front().id;
    // As a killed process leaves it: running, with a heartbeat of long ago.
    {
        RunStore store(Library::open(fixture.library(), Library::Mode::Write).value());
        QVERIFY(store.setState(id, RunState::Running));
        QVERIFY(store.heartbeat(id, 1000.0));
    }
    fixture.reopen();
    QTRY_VERIFY(fixture.find<QWidget>("interruptedBar")->isVisible());
    QCOMPARE(runsOf(fixture).front().state, RunState::Interrupted);
    fixture.click("interruptedShow");
    QCOMPARE(fixture.window().currentPage(), QStringLiteral("library"));
    QTRY_COMPARE(visibleRows(fixture), 1);
    fixture.window().showPage(QStringLiteral("home"));
    fixture.click("interruptedLog");
    QCOMPARE(fixture.window().currentPage(), QStringLiteral("library"));
    const auto* tabs =
        fixture.window().findChild<LibraryPage*>()->findChild<QTabWidget*>(QStringLiteral("inspectorTabs"));
    QTRY_VERIFY(tabs->isVisible()); // the run is selected
    QCOMPARE(tabs->currentWidget()->objectName(), QStringLiteral("inspectorEvents"));
    fixture.click("interruptedMarkStopped");
    QVERIFY(!fixture.find<QWidget>("interruptedBar")->isVisible());
    QTRY_COMPARE(runsOf(fixture).front().state, RunState::Stopped);
    QTRY_COMPARE(visibleRows(fixture), 0); // the filter still asks for interrupted ones
}

QTEST_MAIN(TestWorkbenchRuns)
} // namespace test_workbench_runs
#include "test_workbench_runs.moc"
