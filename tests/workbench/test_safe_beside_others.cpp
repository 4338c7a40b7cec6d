// SPDX-License-Identifier: GPL-3.0-or-later
// The window beside other windows, locks and faults: what it says, and what it never does.
#include "app/workbench/stall_watch.h"
#include "core/base/log.h"
#include "tests/workbench/workbench_fixture.h"
#include "widgets/pages/library/library_page.h"
#include "widgets/pages/setup/setup_page.h"
#include "widgets/style/controls.h"

#include <QAction>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTableView>
#include <QThread>

namespace test_safe_beside_others {
using namespace accumulus;
using namespace accumulus::ui;

class TestSafeBesideOthers : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aSecondWindowSaysSoAndWritesNothing();
    void theWindowClosesAfterTheNotesAreWritten();
    void notesThatCannotBeWrittenKeepTheWindow();
    void aPausedStudyThatIsStoppedDoesNotRunAgain();
    void aStallIsLogged();

private:
    static QPlainTextEdit* typeNotes(WorkbenchFixture& fixture, const QString& text) {
        fixture.window().showPage(QStringLiteral("library"));
        auto* table = fixture.find<QTableView>("runTable");
        [&] { QTRY_VERIFY(table->model()->rowCount() > 0); }();
        table->selectRow(0);
        auto* tabs = fixture.find<QTabWidget>("inspectorTabs");
        tabs->setCurrentIndex(tabs->count() - 1);
        auto* notes = fixture.find<QPlainTextEdit>("inspectorNotes");
        notes->setFocus();
        QTest::keyClicks(notes, text);
        return notes;
    }
    static std::string addRun(WorkbenchFixture& fixture) {
        RunStore store(Library::open(fixture.library(), Library::Mode::Write).value());
        RunRecord run;
        run.id = "00000000-0000-4000-8000-000000000001";
        run.name = "a run";
        run.config = tinyExperiment().run;
        run.state = RunState::Completed;
        run.createdAt = 1'790'000'000.0;
        [&] { QVERIFY(store.addRun(run)); }();
        return run.id;
    }
};

void TestSafeBesideOthers::aSecondWindowSaysSoAndWritesNothing() {
    WorkbenchFixture fixture;
    Application second(*qApp, ApplicationOptions{fixture.library(), false, {}});
    second.start();
    QTRY_VERIFY(second.library().isOpen());
    QVERIFY(second.library().readOnly());
    auto* notice = second.window().findChild<NoticeBar*>(QStringLiteral("readOnlyNotice"));
    QVERIFY(notice && notice->isVisible());
    const QString said = notice->findChild<QLabel*>(QStringLiteral("noticeText"))->text();
    QVERIFY2(said.contains(QString::number(QCoreApplication::applicationPid())), qPrintable(said));
    auto* demo = second.window().findChild<QAction*>(QStringLiteral("actionDemo"));
    QVERIFY(demo && !demo->isEnabled());
    second.window().runDemo();
    QVERIFY(!second.runs().busy());
    // The first one goes: a click opens it for writing.
    fixture.window().close();
    auto* again = notice->findChild<QPushButton*>(QStringLiteral("noticeAction"));
    QVERIFY(again && again->isVisible());
    QTest::mouseClick(again, Qt::LeftButton);
    QVERIFY(second.library().readOnly()); // closed, but not gone
    QVERIFY(notice->isVisible());
    fixture.quit();
    QTest::mouseClick(again, Qt::LeftButton);
    QVERIFY(!second.library().readOnly());
    QVERIFY(!notice->isVisible() && demo->isEnabled());
}

void TestSafeBesideOthers::theWindowClosesAfterTheNotesAreWritten() {
    WorkbenchFixture fixture;
    const std::string run = addRun(fixture);
    typeNotes(fixture, QStringLiteral("written at the last moment"));
    fixture.window().close();
    QTRY_VERIFY(!fixture.window().isVisible());
    RunReader reader(Library::open(fixture.library(), Library::Mode::Read).value());
    QCOMPARE(reader.run(run).value().notes, std::string("written at the last moment"));
}

void TestSafeBesideOthers::notesThatCannotBeWrittenKeepTheWindow() {
    WorkbenchFixture fixture;
    std::ignore = addRun(fixture);
    auto* notes = typeNotes(fixture, QStringLiteral("kept"));
    RunStore other(Library::open(fixture.library(), Library::Mode::Write).value());
    QVERIFY(other.begin());
    RunRecord another;
    another.id = "00000000-0000-4000-8000-000000000002";
    another.config = tinyExperiment().run;
    QVERIFY(other.addRun(another));
    fixture.window().close();
    QVERIFY(fixture.window().isVisible()); // waits, without standing still
    QTRY_VERIFY_WITH_TIMEOUT(!fixture.workbench().library().writing(), 15'000);
    QVERIFY(fixture.window().isVisible());
    auto* notice = fixture.find<NoticeBar>("windowNotice");
    QVERIFY(notice->isVisible());
    QCOMPARE(notes->toPlainText(), QStringLiteral("kept"));
    fixture.window().close(); // as the notice says
    QTRY_VERIFY(!fixture.window().isVisible());
}

void TestSafeBesideOthers::aPausedStudyThatIsStoppedDoesNotRunAgain() {
    WorkbenchFixture fixture;
    RunController& runs = fixture.workbench().runs();
    ExperimentConfig experiment = tinyExperiment();
    experiment.run.train.length = {2000, Extent::Unit::Epochs};
    runs.start(experiment);
    QTRY_COMPARE_WITH_TIMEOUT(runs.state(), RunState::Running, 60'000);
    runs.pause();
    QTRY_COMPARE_WITH_TIMEOUT(runs.state(), RunState::Paused, 60'000);
    QList<RunState> states;
    connect(&runs, &RunController::stateChanged, this, [&](RunState state) { states << state; });
    runs.stop();
    fixture.waitUntilIdle(60'000);
    QVERIFY(!states.contains(RunState::Running));
    QCOMPARE(states.front(), RunState::Stopping);
    QCOMPARE(states.back(), RunState::Stopped);
}

void TestSafeBesideOthers::aStallIsLogged() {
    auto said = std::make_shared<QStringList>();
    addLogReceiver([said](LogLevel level, const std::string& text) {
        if (level == LogLevel::Warning && text.find("did not answer") != std::string::npos)
            *said << QString::fromStdString(text);
    });
    StallWatch watch([] { return QStringLiteral("library"); });
    watch.begin();
    QSignalSpy stalled(&watch, &StallWatch::stalled);
    QTest::qWait(150); // answers all the time
    const auto before = stalled.count();
    QThread::msleep(300);
    QTRY_COMPARE(stalled.count(), before + 1);
    QVERIFY(stalled.back().front().toLongLong() >= 150);
    QVERIFY(!said->isEmpty() && said->back().contains(QStringLiteral("library")));
}

QTEST_MAIN(TestSafeBesideOthers)
} // namespace test_safe_beside_others
#include "test_safe_beside_others.moc"
