// SPDX-License-Identifier: GPL-3.0-or-later
// The whole window: a person starts, watches, stops, resumes, filters, trashes, exports and closes.
#include "app/workbench/page_table.h"
#include "app/workbench/quit_signals.h"
#include "core/base/atomic_file.h"
#include "core/config/experiment_file.h"
#include "core/launch/launched_study.h"
#include "tests/support/brought_files.h"
#include "tests/workbench/workbench_fixture.h"
#include "widgets/models/config_form.h"
#include "widgets/pages/compare/compare_page.h"
#include "widgets/pages/home/home_page.h"
#include "widgets/pages/home/own_network.h"
#include "widgets/pages/library/library_page.h"
#include "widgets/pages/live/live_page.h"
#include "widgets/pages/setup/setup_page.h"
#include "widgets/style/icons.h"

#include <QAbstractScrollArea>
#include <QAbstractSpinBox>
#include <QAccessible>
#include <QAction>
#include <QDialog>
#include <QDropEvent>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTableView>
#include <QToolButton>
#include <csignal>

using namespace accumulus;
using namespace accumulus::ui;

namespace {

constexpr int runTimeout = 120'000;

std::vector<RunRecord> runsOf(WorkbenchFixture& fixture, bool trashed = false) {
    return fixture.workbench().library().reader().runs({trashed, {}}).value();
}

/// Trains the tiny experiment from the Set up page and waits for its end.
void trainTiny(WorkbenchFixture& fixture, const ExperimentConfig& experiment = tinyExperiment()) {
    fixture.window().showPage(QStringLiteral("setup"));
    fixture.window().findChild<SetupPage*>()->setExperiment(experiment);
    auto* start = fixture.find<QPushButton>("setup.start");
    QTRY_VERIFY_WITH_TIMEOUT(start->isEnabled(), 10'000);
    QTest::mouseClick(start, Qt::LeftButton);
    QVERIFY(fixture.workbench().runs().busy());
    fixture.waitUntilIdle(runTimeout);
}

int visibleRows(WorkbenchFixture& fixture) { return fixture.find<QTableView>("runTable")->model()->rowCount(); }

} // namespace

class TestWorkbench : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void startsOnHomeWithThreeCardsAndADevice();
    void railAndKeysShowEveryPage();
    void everyControlHasAName();
    void filterShowsAnErrorInPlaceAndKeepsTheLastResult();
    void trashCanBeUndoneAndSurvivesARestart();
    void notesAndTagsAreSavedAndUndone();
    void pauseStopAndResumeReachTheSameEnd();
    void twoDevicesAreTwoRanks();
    void withoutMpirunTwoDevicesAreRefused();
    void closingWithALiveRunAsksAndSavesACheckpoint();
    void newExperimentStartsAfresh();
    void aSignalSavesACheckpointAndQuits();
    void aSecondSignalStopsNow();
    void anInterruptedRunIsOfferedAtTheStart();
    void aLibraryThatIsNoneIsSaidInTheWindow();
    void languageChangesWithoutARestart();
    void filesDroppedOnHomeArriveOnSetUp();
    void filesOfTheCommandLineArriveOnSetUp();
    void theWindowHasTheApplicationsIcon();
};

void TestWorkbench::filesOfTheCommandLineArriveOnSetUp() {
    WorkbenchFixture fixture;
    ExperimentConfig experiment = tinyExperiment();
    experiment.study.name = "from the command line";
    const QString file = fixture.file(QStringLiteral("mine, with spaces & 100 %.toml"));
    QVERIFY(writeFileAtomically(file.toStdString(), experimentToml(experiment)));
    const auto name = [&] { return fixture.window().findChild<SetupPage*>()->experiment().study.name; };
    const QString here = QDir::currentPath();
    QDir::setCurrent(QFileInfo(file).absolutePath());
    // Absolute, relative to where the program starts, and as file managers give it.
    for (const QString& argument :
         {file, QFileInfo(file).fileName(), QUrl::fromLocalFile(file).toString(QUrl::FullyEncoded)}) {
        fixture.reopen({argument});
        QTRY_COMPARE(fixture.window().currentPage(), QStringLiteral("setup"));
        QTRY_COMPARE(name(), experiment.study.name);
    }
    QDir::setCurrent(here);
    // A file that is not there is named, and Set up stays what it was.
    fixture.reopen({QStringLiteral("/nowhere/absent.toml")});
    QTRY_VERIFY(std::ranges::any_of(fixture.window().findChildren<QLabel*>(), [](const QLabel* label) {
        return label->isVisible() && label->text().contains(QStringLiteral("absent.toml")) &&
               !label->text().startsWith(QStringLiteral("Reading"));
    }));
}

/// Title bar and task bar show it; its picture is in the program, so that it needs no installation.
void TestWorkbench::theWindowHasTheApplicationsIcon() {
    WorkbenchFixture fixture;
    const QIcon icon = fixture.window().windowIcon();
    QVERIFY(!icon.isNull());
    const QImage image = icon.pixmap(QSize(64, 64), 1.0).toImage();
    QCOMPARE(image.size(), QSize(64, 64));
    QCOMPARE(image.pixelColor(0, 0).alpha(), 0); // its corners are round
    QCOMPARE(image.pixelColor(32, 8).name(), QStringLiteral("#10324a"));
}

void TestWorkbench::filesDroppedOnHomeArriveOnSetUp() {
    WorkbenchFixture fixture;
    const QString file = fixture.file(QStringLiteral("weights.safetensors"));
    test::writeFile(file.toStdString(),
                    test::safetensorsOf(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", 4));
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(file)});
    auto* home = fixture.window().findChild<HomePage*>();
    QDragEnterEvent enter(QPoint(40, 40), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(home, &enter); // a drop goes where the drag has entered
    QDropEvent drop(QPointF(40, 40), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(home, &drop);
    QCOMPARE(fixture.window().currentPage(), QStringLiteral("setup"));
    QTRY_COMPARE(fixture.window().findChild<SetupPage*>()->experiment().run.model.weights, file.toStdString());
    fixture.find<QAction>("actionOwnNetwork")->trigger();
    auto* dialog = fixture.window().findChild<QDialog*>(QStringLiteral("ownNetworkDialog"));
    QVERIFY(dialog && dialog->isVisible());
    QVERIFY(dialog->findChild<QPushButton*>(QStringLiteral("ownNetworkCopy")));
    const auto weightsOfForm = [&] { return fixture.window().findChild<SetupPage*>()->experiment().run.model.weights; };
    for (const bool dropped : {false, true}) { // what is chosen or dropped in the dialog arrives as well
        const QString other =
            fixture.file(dropped ? QStringLiteral("dropped.safetensors") : QStringLiteral("b.safetensors"));
        QVERIFY(QFile::copy(file, other));
        if (dropped) {
            data.setUrls({QUrl::fromLocalFile(other)});
            QVERIFY(dialog->acceptDrops());
            QDragEnterEvent overDialog(QPoint(40, 40), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
            QCoreApplication::sendEvent(dialog, &overDialog);
            QVERIFY(overDialog.isAccepted());
            QDropEvent onDialog(QPointF(40, 40), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
            QCoreApplication::sendEvent(dialog, &onDialog);
        } else {
            Q_EMIT dialog->findChild<OwnNetwork*>()->filesChosen({other});
        }
        QCOMPARE(fixture.window().currentPage(), QStringLiteral("setup"));
        QTRY_COMPARE(weightsOfForm(), other.toStdString());
    }
    dialog->close();
}

void TestWorkbench::startsOnHomeWithThreeCardsAndADevice() {
    WorkbenchFixture fixture;
    QVERIFY(fixture.window().isVisible());
    QCOMPARE(fixture.window().currentPage(), QStringLiteral("home"));
    for (const char* button : {"homeDemoButton", "homeSetupButton", "homeOpenLibraryButton"})
        QVERIFY2(fixture.find<QPushButton>(button)->isVisible(), button);
    QTRY_VERIFY(fixture.find<QLabel>("homeDevice")->text().contains(QStringLiteral("CPU")));
    fixture.click("homeSetupButton");
    QCOMPARE(fixture.window().currentPage(), QStringLiteral("setup"));
}

void TestWorkbench::railAndKeysShowEveryPage() {
    WorkbenchFixture fixture;
    // Backwards, so that each is a change.
    for (auto entry = pageTable().rbegin(); entry != pageTable().rend(); ++entry) {
        const QByteArray button = QByteArray("rail-") + entry->id;
        fixture.click(button.constData());
        QCOMPARE(fixture.window().currentPage(), QLatin1String(entry->id));
        QVERIFY(fixture.find<QToolButton>(button.constData())->isChecked());
        QCOMPARE(fixture.find<QToolButton>(button.constData())->text(), pageTitle(*entry));
        QVERIFY2(iconNames().contains(QLatin1String(entry->icon)), entry->icon);
    }
    for (auto entry = pageTable().rbegin(); entry != pageTable().rend(); ++entry) {
        const QKeySequence keys(QLatin1String(entry->shortcut));
        QTest::keyClick(&fixture.window(), keys[0].key(), keys[0].keyboardModifiers());
        QCOMPARE(fixture.window().currentPage(), QLatin1String(entry->id));
    }
    QTest::keyClick(&fixture.window(), Qt::Key_F, Qt::ControlModifier);
    QCOMPARE(fixture.window().currentPage(), QStringLiteral("library"));
    QTRY_VERIFY(fixture.find<QLineEdit>("libraryFilter")->hasFocus());
}

void TestWorkbench::everyControlHasAName() {
    WorkbenchFixture fixture;
    QStringList nameless;
    for (const PageEntry& page : pageTable()) {
        fixture.window().showPage(QLatin1String(page.id));
        for (auto* widget : fixture.window().findChildren<QWidget*>()) {
            if (!widget->isVisible() || (widget->focusPolicy() & Qt::TabFocus) == 0)
                continue;
            if (qobject_cast<QAbstractSpinBox*>(widget->parentWidget())) // the box around it speaks
                continue;
            QAccessibleInterface* accessible = QAccessible::queryAccessibleInterface(widget);
            const QString spoken = accessible ? accessible->text(QAccessible::Name) : QString();
            if (spoken.isEmpty() && !qobject_cast<QAbstractScrollArea*>(widget))
                nameless << QStringLiteral("%1 (%2)").arg(widget->objectName(),
                                                          QLatin1String(widget->metaObject()->className()));
        }
    }
    nameless.removeDuplicates();
    QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join(QStringLiteral("; "))));
}

void TestWorkbench::filterShowsAnErrorInPlaceAndKeepsTheLastResult() {
    WorkbenchFixture fixture;
    ExperimentConfig experiment = tinyExperiment();
    experiment.run.train.length = {2, Extent::Unit::Updates};
    experiment.study.largeBatch = true;
    trainTiny(fixture, experiment);
    fixture.window().showPage(QStringLiteral("library"));
    QTRY_COMPARE(visibleRows(fixture), 2);

    auto* filter = fixture.find<QLineEdit>("libraryFilter");
    auto* message = fixture.find<QLabel>("libraryFilterError");
    filter->setFocus();
    QTest::keyClicks(filter, QStringLiteral("m:32"));
    QCOMPARE(visibleRows(fixture), 1);
    QVERIFY(fixture.find<QLabel>("libraryCount")->text().contains(QStringLiteral("1 of 2")));
    filter->setText(QStringLiteral("m:32 lr<")); // pasted: typed, "lr" alone would be a word first
    QVERIFY(message->isVisible());
    QVERIFY(message->text().contains(QStringLiteral("9"))); // the value is missing after "m:32 lr<"
    QCOMPARE(visibleRows(fixture), 1);
    filter->clear();
    QVERIFY(!message->isVisible());
    QTest::keyClicks(filter, QStringLiteral("nothing-like-this"));
    QCOMPARE(visibleRows(fixture), 0);
    auto* clear = fixture.find<QWidget>("libraryEmpty")->findChild<QPushButton*>();
    QTest::mouseClick(clear, Qt::LeftButton);
    QCOMPARE(visibleRows(fixture), 2);
}

void TestWorkbench::trashCanBeUndoneAndSurvivesARestart() {
    WorkbenchFixture fixture;
    ExperimentConfig experiment = tinyExperiment();
    experiment.run.train.length = {2, Extent::Unit::Updates};
    experiment.study.seeds = {0, 1};
    trainTiny(fixture, experiment);
    fixture.window().showPage(QStringLiteral("library"));
    QTRY_COMPARE(visibleRows(fixture), 2);

    auto* table = fixture.find<QTableView>("runTable");
    table->setFocus();
    table->selectAll();
    QTest::keyClick(table, Qt::Key_Delete);
    QTRY_COMPARE(visibleRows(fixture), 0);
    QTRY_VERIFY(fixture.find<QWidget>("libraryToast")->isVisible());
    QCOMPARE(runsOf(fixture, true).size(), std::size_t{2});
    QTest::keyClick(&fixture.window(), Qt::Key_Z, Qt::ControlModifier);
    QTRY_COMPARE(visibleRows(fixture), 2);
    QCOMPARE(runsOf(fixture, true).size(), std::size_t{0});

    table->selectRow(0);
    QTest::keyClick(table, Qt::Key_Delete);
    QTRY_COMPARE(visibleRows(fixture), 1);
    fixture.reopen();
    fixture.window().showPage(QStringLiteral("library"));
    QTRY_COMPARE(visibleRows(fixture), 1);
    fixture.click("libraryTrashView");
    QTRY_COMPARE(visibleRows(fixture), 1);
    fixture.find<QTableView>("runTable")->selectRow(0);
    fixture.click("libraryRestoreButton");
    QTRY_COMPARE(visibleRows(fixture), 0);
    QCOMPARE(runsOf(fixture).size(), std::size_t{2});
}

void TestWorkbench::notesAndTagsAreSavedAndUndone() {
    WorkbenchFixture fixture;
    ExperimentConfig experiment = tinyExperiment();
    experiment.run.train.length = {2, Extent::Unit::Updates};
    trainTiny(fixture, experiment);
    fixture.window().showPage(QStringLiteral("library"));
    QTRY_COMPARE(visibleRows(fixture), 1);
    auto* table = fixture.find<QTableView>("runTable");
    table->setFocus();
    table->selectRow(0);
    QTest::keyClick(table, Qt::Key_T);
    auto* tags = fixture.find<QLineEdit>("inspectorTags");
    QTRY_VERIFY(tags->hasFocus());
    QTest::keyClicks(tags, QStringLiteral("paper, first try"));
    QTest::keyClick(tags, Qt::Key_Return);
    QTRY_COMPARE(runsOf(fixture).front().tags, (std::vector<std::string>{"first try", "paper"}));
    auto* notes = fixture.find<QPlainTextEdit>("inspectorNotes");
    notes->setFocus();
    QTest::keyClicks(notes, QStringLiteral("worked"));
    QTRY_COMPARE(runsOf(fixture).front().notes, std::string("worked")); // saved soon after the last key

    fixture.window().findChild<LibraryPage*>()->setFocus();
    table->setFocus();
    QTest::keyClick(&fixture.window(), Qt::Key_Z, Qt::ControlModifier);
    QTRY_COMPARE(runsOf(fixture).front().notes, std::string());
    QTest::keyClick(&fixture.window(), Qt::Key_Z, Qt::ControlModifier);
    QTRY_VERIFY(runsOf(fixture).front().tags.empty());

    // What was typed a moment before the end is kept, too.
    QTRY_COMPARE(notes->toPlainText(), QString()); // the undo has arrived
    notes->setFocus();
    QTest::keyClicks(notes, QStringLiteral("late"));
    fixture.reopen();
    QCOMPARE(runsOf(fixture).front().notes, std::string("late"));
}

void TestWorkbench::pauseStopAndResumeReachTheSameEnd() {
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
void TestWorkbench::twoDevicesAreTwoRanks() {
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

void TestWorkbench::withoutMpirunTwoDevicesAreRefused() {
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

void TestWorkbench::closingWithALiveRunAsksAndSavesACheckpoint() {
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

void TestWorkbench::newExperimentStartsAfresh() {
    WorkbenchFixture fixture;
    auto* setup = fixture.window().findChild<SetupPage*>();
    setup->setExperiment(tinyExperiment());
    fixture.find<QAction>("actionNewSetup")->trigger();
    QCOMPARE(fixture.window().currentPage(), QStringLiteral("setup"));
    QCOMPARE(setup->experiment(), newExperiment());
}

/// Real signals to this very process, through the handler and the pipe.
void TestWorkbench::aSignalSavesACheckpointAndQuits() {
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
void TestWorkbench::aSecondSignalStopsNow() {
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

void TestWorkbench::anInterruptedRunIsOfferedAtTheStart() {
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
    fixture.click("interruptedMarkStopped");
    QVERIFY(!fixture.find<QWidget>("interruptedBar")->isVisible());
    QTRY_COMPARE(runsOf(fixture).front().state, RunState::Stopped);
    QTRY_COMPARE(visibleRows(fixture), 0); // the filter still asks for interrupted ones
}

void TestWorkbench::aLibraryThatIsNoneIsSaidInTheWindow() {
    WorkbenchFixture fixture;
    const QString file = fixture.file(QStringLiteral("letter.txt"));
    QVERIFY(writeFileAtomically(file.toStdString(), "Dear reader, this is a letter and no library at all.\n"));
    Q_EMIT fixture.window().libraryRequested(file);
    QTRY_VERIFY(fixture.find<QWidget>("windowNotice")->isVisible());
    QVERIFY(fixture.workbench().library().isOpen()); // the old one stays open
    QCOMPARE(fixture.workbench().library().path(), fixture.library());
}

void TestWorkbench::languageChangesWithoutARestart() {
    WorkbenchFixture fixture;
    fixture.window().showPage(QStringLiteral("setup"));
    fixture.window().findChild<SetupPage*>()->setExperiment(tinyExperiment());
    MainWindow* before = &fixture.window();
    fixture.find<QAction>("actionLanguageChinese")->trigger();
    QTRY_VERIFY(&fixture.window() != before);
    QTRY_VERIFY(fixture.window().isVisible());
    QCOMPARE(fixture.workbench().language(), QStringLiteral("zh_CN"));
    QCOMPARE(fixture.find<QToolButton>("rail-home")->text(), QStringLiteral("首页"));
    QCOMPARE(fixture.window().currentPage(), QStringLiteral("setup"));
    QCOMPARE(fixture.window().findChild<SetupPage*>()->experiment(), tinyExperiment());
    fixture.find<QAction>("actionLanguageEnglish")->trigger();
    QTRY_COMPARE(fixture.workbench().language(), QStringLiteral("en"));
}

QTEST_MAIN(TestWorkbench)
#include "test_workbench.moc"
