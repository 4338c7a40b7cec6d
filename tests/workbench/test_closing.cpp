// SPDX-License-Identifier: GPL-3.0-or-later
// What the window says and does about a study that is prepared, when the question about closing is answered late, and
// when it is closed while other work goes on.
#include "app/workbench/close_dialog.h"
#include "tests/workbench/tiny_runs.h"
#include "widgets/pages/library_session.h"
#include "widgets/style/controls.h"

#include <QLabel>
#include <QScopeGuard>
#include <QSemaphore>

namespace test_closing {
using namespace accumulus;
using namespace accumulus::ui;

namespace {

ExperimentConfig generated() {
    ExperimentConfig experiment = tinyExperiment();
    experiment.run.data.dataset = "digits-generated";
    return experiment;
}

} // namespace

class TestClosing : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theCountersOfTheStudyBeforeGoWithTheNext() {
        WorkbenchFixture fixture;
        RunController& runs = fixture.workbench().runs();
        runs.start(generated());
        fixture.waitUntilIdle(runTimeout);
        const auto* counters = fixture.find<QLabel>("statusCounters");
        QTRY_VERIFY(counters->isVisible());
        ExperimentConfig next = generated();
        next.run.data.dataset = "text";
        next.run.data.path = "/nowhere/text.txt"; // it fails while it is prepared
        runs.start(next);
        QVERIFY(runs.busy());
        QVERIFY(counters->isHidden());
        fixture.waitUntilIdle(runTimeout);
    }

    void aStudyThatHasEndedMeanwhileKeepsNoWindowOpen() {
        WorkbenchFixture fixture;
        fixture.workbench().runs().start(generated());
        fixture.window().close();
        QVERIFY(fixture.window().isVisible());
        fixture.waitUntilIdle(runTimeout);
        fixture.click("closeKeepRunning");
        QTRY_VERIFY_WITH_TIMEOUT(!fixture.window().isVisible(), patience);
    }

    /// The one that is remembered is the one that was stopped, not the one before.
    void aStudyThatIsPreparedIsLeftUnderItsOwnName() {
        WorkbenchFixture fixture;
        RunController& runs = fixture.workbench().runs();
        runs.start(generated());
        fixture.waitUntilIdle(runTimeout);
        const QString before = runs.currentStudy();
        QVERIFY(!before.isEmpty());
        ExperimentConfig next = generated();
        next.run.train.length = {100'000, Extent::Unit::Updates};
        runs.start(next);
        fixture.window().close();
        fixture.click("closeCheckpoint");
        QTRY_VERIFY_WITH_TIMEOUT(!fixture.window().isVisible(), runTimeout);
        const QStringList left = QSettings().value(QStringLiteral("window/leftStudy")).toStringList();
        QVERIFY2(!left.contains(before), qPrintable(left.join(QLatin1Char(' '))));
        QCOMPARE(left.value(1), runs.currentStudy());
    }

    void whatGoesOnIsWaitedForOrGivenUp() {
        QSemaphore goOn; // outlives the jobs
        WorkbenchFixture fixture;
        LibraryGateway& library = fixture.workbench().library();
        const auto open = qScopeGuard([&goOn] { goOn.release(2); }); // also where a check fails
        std::ignore = library.start(
            this, [&](RunReader&, const std::stop_token&) -> Status { return goOn.acquire(), Status(); }, {});
        fixture.window().close();
        QVERIFY(fixture.window().isVisible());
        fixture.click("closeCancel");
        QTRY_VERIFY(!fixture.window().findChild<CloseDialog*>());
        fixture.window().close();
        fixture.click("closeKeepRunning");
        QTRY_VERIFY(fixture.find<NoticeBar>("windowNotice")->isVisible());
        QVERIFY(fixture.window().isVisible());
        // A window in another language waits as well.
        fixture.setLanguage(QStringLiteral("zh_CN"));
        QVERIFY(fixture.window().isVisible());
        goOn.release();
        QTRY_VERIFY_WITH_TIMEOUT(!fixture.window().isVisible(), patience);
        // Or it ends with the window.
        fixture.reopen();
        std::ignore = fixture.workbench().library().start(
            this, [&](RunReader&, const std::stop_token&) -> Status { return goOn.acquire(), Status(); }, {});
        fixture.window().close();
        fixture.click("closeDiscard");
        QTRY_VERIFY_WITH_TIMEOUT(!fixture.window().isVisible(), patience);
    }

    void aReportThatIsSavedIsWaitedFor() {
        QSemaphore goOn; // outlives the saver
        WorkbenchFixture fixture;
        ReportSaver& reports = fixture.workbench().session().reports;
        const auto open = qScopeGuard([&goOn] { goOn.release(2); }); // also where a check fails
        const QString file = fixture.file(QStringLiteral("slow.html"));
        reports.save(file, [&goOn]() -> Status { return goOn.acquire(), Status(); });
        fixture.window().close();
        QVERIFY(fixture.window().isVisible());
        QVERIFY(fixture.find<CloseDialog>("closeDialog")->text().contains(QStringLiteral("a report")));
        fixture.click("closeKeepRunning");
        QTRY_VERIFY(fixture.find<NoticeBar>("windowNotice")->isVisible());
        QVERIFY(fixture.window().isVisible());
        goOn.release();
        QTRY_VERIFY_WITH_TIMEOUT(!fixture.window().isVisible(), patience);
    }

    /// Else a person would look for a file that is not there.
    void aReportThatFailsKeepsTheWindowOpen() {
        QSemaphore goOn;
        WorkbenchFixture fixture;
        const auto open = qScopeGuard([&goOn] { goOn.release(2); });
        const QString file = fixture.file(QStringLiteral("full.html"));
        fixture.workbench().session().reports.save(file, [&goOn, file]() -> Status {
            goOn.acquire();
            return failure("file.write", {{"file", file.toStdString()}, {"reason", "no space"}});
        });
        fixture.window().close();
        fixture.click("closeKeepRunning");
        QTRY_VERIFY(fixture.find<NoticeBar>("windowNotice")->isVisible());
        goOn.release();
        const auto* notice = fixture.find<NoticeBar>("windowNotice");
        QTRY_VERIFY_WITH_TIMEOUT(notice->accessibleName().contains(QStringLiteral("No space")), patience);
        QTest::qWait(500); // it looks whether all has ended five times a second
        QVERIFY(fixture.window().isVisible());
        fixture.window().close();
        QTRY_VERIFY_WITH_TIMEOUT(!fixture.window().isVisible(), patience);
    }

    void anExportThatFailsKeepsTheWindowOpen() {
        QSemaphore goOn;
        WorkbenchFixture fixture;
        const auto open = qScopeGuard([&goOn] { goOn.release(2); });
        const auto fail = [&](RunReader&, const std::stop_token&) -> Status {
            goOn.acquire();
            return failure("file.write", {{"file", "runs.csv"}, {"reason", "no space"}});
        };
        // Whether its owner takes the error or nobody does.
        for (const LibraryGateway::Done& taken : {LibraryGateway::Done([](const Status&) {}), LibraryGateway::Done()}) {
            std::ignore = fixture.workbench().library().start(this, fail, taken);
            fixture.window().close();
            fixture.click("closeKeepRunning");
            QTRY_VERIFY(fixture.find<NoticeBar>("windowNotice")->isVisible());
            goOn.release();
            const auto* notice = fixture.find<NoticeBar>("windowNotice");
            QTRY_VERIFY_WITH_TIMEOUT(notice->accessibleName().contains(QStringLiteral("No space")), patience);
            QTest::qWait(500); // it looks whether all has ended five times a second
            QVERIFY(fixture.window().isVisible());
        }
        fixture.window().close();
        QTRY_VERIFY_WITH_TIMEOUT(!fixture.window().isVisible(), patience);
    }

    /// A signal has nobody to ask.
    void aSignalGivesUpWhatGoesOn() {
        QSemaphore goOn;
        WorkbenchFixture fixture;
        const auto open = qScopeGuard([&goOn] { goOn.release(2); });
        std::ignore = fixture.workbench().library().start(
            this, [&](RunReader&, const std::stop_token&) -> Status { return goOn.acquire(), Status(); }, {});
        fixture.window().saveAndClose();
        QVERIFY(!fixture.window().findChild<CloseDialog*>());
        QTRY_VERIFY_WITH_TIMEOUT(!fixture.window().isVisible(), patience);
    }
};

QTEST_MAIN(TestClosing)
} // namespace test_closing
#include "test_closing.moc"
