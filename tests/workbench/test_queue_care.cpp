// SPDX-License-Identifier: GPL-3.0-or-later
// What becomes of the queue where another window has it, where it cannot be read or written, when the window closes,
// and while a person edits it.
#include "tests/workbench/queue_in_window.h"
#include "widgets/pages/library/library_page.h"
#include "widgets/style/controls.h"

#include <QCheckBox>
#include <QDateTimeEdit>
#include <QMessageBox>
#include <QUndoStack>
#include <QWheelEvent>
#include <algorithm>
#include <sqlite3.h>

namespace test_queue_care {
using namespace accumulus;
using namespace accumulus::ui;

namespace {

bool execute(const std::filesystem::path& library, const char* sql) {
    sqlite3* connection = nullptr;
    const bool done = sqlite3_open(library.c_str(), &connection) == SQLITE_OK &&
                      sqlite3_exec(connection, sql, nullptr, nullptr, nullptr) == SQLITE_OK;
    sqlite3_close(connection);
    return done;
}

/// Collected while nothing trains: the queue is paused.
void collect(WorkbenchFixture& fixture, const char* name) {
    fixture.workbench().runs().enqueue(shortStudy(name));
    QTRY_VERIFY_WITH_TIMEOUT(!fixture.workbench().library().writing(), patience);
}

double notBefore(WorkbenchFixture& fixture) { return fixture.workbench().runs().queue().waiting().front().notBefore; }

} // namespace

class TestQueueCare : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aSecondWindowShowsTheQueueAndCannotChangeIt() {
        WorkbenchFixture fixture;
        startAndQueue(fixture.workbench());
        QTRY_VERIFY_WITH_TIMEOUT(!fixture.workbench().library().writing(), patience);
        Application second(*qApp, ApplicationOptions{fixture.library(), false, {}});
        second.start();
        QTRY_VERIFY_WITH_TIMEOUT(second.library().isOpen() && second.library().readOnly(), patience);
        QCOMPARE(waiting(second), (QStringList{"one", "two", "three"}));
        second.window().findChild<QAction*>(QStringLiteral("actionShowQueue"))->trigger();
        auto* table = second.window().findChild<QTableView*>(QStringLiteral("queueTable"));
        QCOMPARE(table->model()->rowCount(), 3);
        table->selectRow(1);
        for (const char* name : {"queueUp", "queueDown", "queueRunNext", "queueRemove", "queuePause", "queueLater"})
            QVERIFY2(!second.window().findChild<QWidget*>(QLatin1String(name))->isEnabled(), name);
        QTest::keyClick(table, Qt::Key_Delete);
        QCOMPARE(waiting(second).size(), 3);
        // It follows the one that writes.
        const QString front = fixture.workbench().runs().queue().waiting().front().id;
        fixture.workbench().runs().queue().remove(front);
        QTRY_COMPARE_WITH_TIMEOUT(waiting(second), (QStringList{"two", "three"}), patience);
        QVERIFY(!second.runs().busy());
        // Nor does a new window of it, however it is asked.
        const MainWindow* before = &second.window();
        second.theme().setTextSize(125);
        QTRY_VERIFY_WITH_TIMEOUT(&second.window() != before, patience);
        QCoreApplication::processEvents();
        QVERIFY(second.window().findChild<NoticeBar*>(QStringLiteral("waitingNotice"))->isHidden());
        second.runs().queue().setPaused(false);
        second.runs().start(shortStudy("of the reader"));
        QCoreApplication::processEvents();
        QVERIFY(!second.runs().busy());
        second.theme().setTextSize(text_size::usual);
        stopAll(fixture);
    }

    void aWriteThatFailsIsTriedAgain() {
        WorkbenchFixture fixture;
        std::optional<RunStore> other(Library::open(fixture.library(), Library::Mode::Write).value());
        QVERIFY(other->begin());
        RunRecord run;
        run.id = "00000000-0000-4000-8000-000000000002";
        run.config = tinyExperiment().run;
        QVERIFY(other->addRun(run)); // holds the lock of the writer
        const StudyQueue& queue = fixture.workbench().runs().queue();
        fixture.workbench().runs().enqueue(shortStudy("kept"));
        QTRY_VERIFY_WITH_TIMEOUT(!queue.isSaved(), patience);
        QTRY_VERIFY_WITH_TIMEOUT(fixture.find<NoticeBar>("windowNotice")->isVisible(), patience);
        fixture.window().close();
        QVERIFY(fixture.window().isVisible());
        other.reset();
        QTRY_VERIFY_WITH_TIMEOUT(queue.isSaved(), patience);
        QCOMPARE(stored(fixture.library()), QStringList("kept"));
        fixture.window().close();
        QTRY_VERIFY_WITH_TIMEOUT(!fixture.window().isVisible(), patience);
    }

    void whatCannotBeReadIsNotWrittenOver() {
        WorkbenchFixture fixture;
        collect(fixture, "one");
        collect(fixture, "two");
        fixture.quit();
        QVERIFY(execute(fixture.library(), "UPDATE queue SET experiment = 'of a later [version' WHERE name = 'two'"));
        fixture.open();
        QCOMPARE(waiting(fixture.workbench()), QStringList("one"));
        collect(fixture, "three");
        QCOMPARE(stored(fixture.library()), (QStringList{"one", "three", "two"}));
    }

    void aQueueThatCannotBeReadIsSaid() {
        WorkbenchFixture fixture;
        collect(fixture, "one");
        fixture.quit();
        QVERIFY(execute(fixture.library(), "ALTER TABLE queue RENAME TO queue_of_a_later_version"));
        fixture.open();
        QTRY_VERIFY_WITH_TIMEOUT(fixture.find<NoticeBar>("windowNotice")->isVisible(), patience);
        collect(fixture, "two");
        QVERIFY(!fixture.workbench().runs().queue().isSaved());
        // Once it can be read, nothing is lost.
        QVERIFY(execute(fixture.library(), "ALTER TABLE queue_of_a_later_version RENAME TO queue"));
        Q_EMIT fixture.window().libraryRequested(QString::fromStdString(fixture.library().string()));
        QCOMPARE(waiting(fixture.workbench()), (QStringList{"one", "two"}));
        QTRY_VERIFY_WITH_TIMEOUT(!fixture.workbench().library().writing(), patience);
        QCOMPARE(stored(fixture.library()), (QStringList{"one", "two"}));
    }

    void theWindowStaysUntilTheTimeOfItsStudies() {
        WorkbenchFixture fixture;
        StudyQueue& queue = fixture.workbench().runs().queue();
        collect(fixture, "later");
        queue.setNotBefore(queue.waiting().front().id, static_cast<double>(QDateTime::currentSecsSinceEpoch() + 3600));
        queue.setPaused(false);
        fixture.window().close();
        QVERIFY(fixture.window().isVisible()); // it asks
        auto* box = fixture.find<QMessageBox>("closeDialog");
        QVERIFY(box && box->text().contains(QStringLiteral("wait for their time")));
        fixture.click("closeKeepRunning");
        QCoreApplication::processEvents();
        QVERIFY(fixture.window().isVisible());
        queue.remove(queue.waiting().front().id); // nothing is left to wait for
        QTRY_VERIFY_WITH_TIMEOUT(!fixture.window().isVisible(), patience);
    }

    void theQueueIsPausedAndTheWindowCloses() {
        WorkbenchFixture fixture;
        StudyQueue& queue = fixture.workbench().runs().queue();
        collect(fixture, "later");
        queue.setNotBefore(queue.waiting().front().id, static_cast<double>(QDateTime::currentSecsSinceEpoch() + 3600));
        queue.setPaused(false);
        fixture.window().close();
        fixture.click("closeCheckpoint");
        QTRY_VERIFY_WITH_TIMEOUT(!fixture.window().isVisible(), patience);
        QCOMPARE(stored(fixture.library()), QStringList("later"));
    }

    void aLibraryIsNotOpenedWhileAStudyTrains() {
        WorkbenchFixture fixture;
        fixture.workbench().runs().start(shortStudy("endless", endless));
        Q_EMIT fixture.window().libraryRequested(fixture.file(QStringLiteral("another.sqlite")));
        QCOMPARE(fixture.workbench().library().path().filename(), fixture.library().filename());
        QVERIFY(fixture.find<NoticeBar>("windowNotice")->isVisible());
        stopAll(fixture);
    }

    void aTimeCountsOnceItIsWholeAndToCome() {
        WorkbenchFixture fixture;
        RunController& runs = fixture.workbench().runs();
        collect(fixture, "later");
        openQueue(fixture)->selectRow(0);
        fixture.find<QCheckBox>("queueLater")->click();
        const double planned = notBefore(fixture);
        QVERIFY(planned > 0.0);
        runs.queue().setPaused(false);
        auto* time = fixture.find<QDateTimeEdit>("queueTime");
        const QDateTime shown = time->dateTime();
        time->setDateTime(shown.addDays(-1)); // as with the arrows, on the way to another day
        QCOMPARE(notBefore(fixture), planned);
        QVERIFY(!runs.busy());
        QTest::keyClick(time, Qt::Key_Return);
        QVERIFY(!runs.busy()); // that time is over
        QCOMPARE(notBefore(fixture), planned);
        QCOMPARE(time->dateTime(), shown);
        QVERIFY(fixture.find<NoticeBar>("queueNotice")->isVisible());
        time->setDateTime(shown.addDays(1));
        QTest::keyClick(time, Qt::Key_Escape);
        QCOMPARE(time->dateTime(), shown);
        QTest::keyClick(time, Qt::Key_Return);
        QCOMPARE(notBefore(fixture), planned);
        time->setDateTime(shown.addDays(2));
        QTest::keyClick(time, Qt::Key_Return);
        QCOMPARE(notBefore(fixture), static_cast<double>(shown.addDays(2).toSecsSinceEpoch()));
        QWheelEvent wheel(QPointF(5, 5), time->mapToGlobal(QPointF(5, 5)), {}, {0, 120}, Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(time, &wheel);
        QCOMPARE(time->dateTime(), shown.addDays(2));
    }

    void anUndoBringsNothingBackThatWasTrained() {
        WorkbenchFixture fixture;
        RunController& runs = fixture.workbench().runs();
        collect(fixture, "one");
        openQueue(fixture)->selectRow(0);
        fixture.click("queueRemove");
        QCOMPARE(waiting(fixture.workbench()), QStringList());
        QUndoStack& edits = fixture.window().findChild<LibraryPage*>()->undoStack();
        edits.undo();
        QCOMPARE(waiting(fixture.workbench()), QStringList("one"));
        runs.queue().setPaused(false);
        fixture.waitUntilIdle(runTimeout);
        QCOMPARE(runsByStudy(fixture).at("one").size(), std::size_t{2});
        edits.redo();
        edits.undo();
        QCOMPARE(waiting(fixture.workbench()), QStringList());
        QVERIFY(!runs.busy());
    }
};

QTEST_MAIN(TestQueueCare)
} // namespace test_queue_care
#include "test_queue_care.moc"
