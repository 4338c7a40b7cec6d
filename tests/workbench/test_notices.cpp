// SPDX-License-Identifier: GPL-3.0-or-later
// What the notices of the window say of studies that wait, were stopped or keep the window open, and that they go when
// it is no longer so.
#include "tests/workbench/queue_in_window.h"
#include "widgets/pages/setup/setup_page.h"
#include "widgets/style/controls.h"

#include <QMessageBox>
#include <QPushButton>

namespace test_notices {
using namespace accumulus;
using namespace accumulus::ui;

namespace {

QPushButton* actionOf(const NoticeBar& notice) {
    return notice.findChild<QPushButton*>(QStringLiteral("noticeAction"));
}

} // namespace

class TestNotices : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void thatOfTheQueueGoesWithWhatWaited() {
        WorkbenchFixture fixture;
        RunController& runs = fixture.workbench().runs();
        runs.start(shortStudy("endless", endless));
        QTRY_COMPARE_WITH_TIMEOUT(runs.state(), RunState::Running, runTimeout);
        fixture.window().findChild<SetupPage*>()->setExperiment(shortStudy("waits"));
        fixture.window().showPage(QStringLiteral("setup"));
        auto* enqueue = fixture.find<QAction>("actionEnqueue");
        QTRY_VERIFY_WITH_TIMEOUT((enqueue->trigger(), runs.queued() > 0), patience); // once its facts are known
        const auto* notice = fixture.find<NoticeBar>("windowNotice");
        QVERIFY(notice->accessibleName().startsWith(QStringLiteral("Added to the queue")));
        QVERIFY(notice->isVisible());
        while (runs.queued() > 0)
            runs.queue().remove(runs.queue().waiting().front().id);
        QVERIFY(!notice->isVisible());
        // Another one is not taken away by the queue.
        fixture.window().showError({"library.gone", {{"file", "gone.sqlite"}}});
        runs.enqueue(shortStudy("again"));
        runs.queue().remove(runs.queue().waiting().front().id);
        QVERIFY(notice->isVisible());
        stopAll(fixture);
    }

    void aStudyThatWasStoppedIsNamedAndGoesOn() {
        WorkbenchFixture fixture;
        RunController& runs = fixture.workbench().runs();
        runs.start(shortStudy("stopped", 20'000));
        runs.start(shortStudy("next"));
        QTRY_COMPARE_WITH_TIMEOUT(runs.state(), RunState::Running, runTimeout);
        QTRY_VERIFY_WITH_TIMEOUT(!runs.currentRun().isEmpty(), runTimeout);
        runs.stop();
        const auto* notice = fixture.find<NoticeBar>("stoppedNotice");
        QTRY_VERIFY_WITH_TIMEOUT(notice->isVisible(), runTimeout);
        QCOMPARE(notice->accessibleName(), QStringLiteral("“stopped” was stopped in run 1 of 2."));
        QCOMPARE(actionOf(*notice)->text(), QStringLiteral("Resume"));
        fixture.waitUntilIdle(runTimeout);
        QVERIFY(notice->isVisible()); // the next study has come and gone
        fixture.setLanguage(QStringLiteral("zh_CN"));
        notice = fixture.find<NoticeBar>("stoppedNotice");
        QVERIFY(notice->isVisible());
        QVERIFY(!notice->accessibleName().contains(QStringLiteral("was stopped")));
        fixture.setLanguage(QStringLiteral("en"));
        notice = fixture.find<NoticeBar>("stoppedNotice");
        QTest::mouseClick(actionOf(*notice), Qt::LeftButton);
        QVERIFY(!notice->isVisible());
        QTRY_COMPARE_WITH_TIMEOUT(runs.state(), RunState::Running, runTimeout);
        QCOMPARE(runsByStudy(fixture).at("stopped").size(), std::size_t{2});
        stopAll(fixture);
        QTRY_VERIFY_WITH_TIMEOUT(notice->isVisible(), patience);
        // Resumed by another way, as from Live.
        QStringList ids;
        const std::vector<RunRecord> stopped = runsByStudy(fixture).at("stopped");
        for (const RunRecord& run : stopped)
            ids << QString::fromStdString(run.id);
        // What is in the Trash does not go on; what comes back does.
        LibraryEdits& edits = fixture.workbench().session().edits;
        edits.moveToTrash(ids);
        QTRY_VERIFY(!actionOf(*notice)->isVisible());
        edits.stack().undo();
        QTRY_VERIFY(actionOf(*notice)->isVisible());
        runs.resumeRuns(ids);
        QTRY_VERIFY_WITH_TIMEOUT(!notice->isVisible(), runTimeout);
        stopAll(fixture);
    }

    void aWindowThatWouldCloseCanStayOpen() {
        WorkbenchFixture fixture;
        RunController& runs = fixture.workbench().runs();
        runs.start(shortStudy("last", endless));
        QTRY_COMPARE_WITH_TIMEOUT(runs.state(), RunState::Running, runTimeout);
        fixture.window().close();
        const auto* box = fixture.find<QMessageBox>("closeDialog");
        QVERIFY(box);
        for (const char* button : {"closeKeepRunning", "closeCheckpoint"}) // each says what comes of it
            QVERIFY2(box->informativeText().contains(fixture.find<QPushButton>(button)->text() + QLatin1Char(':')),
                     button);
        fixture.click("closeKeepRunning");
        const auto* notice = fixture.find<NoticeBar>("windowNotice");
        QTRY_VERIFY_WITH_TIMEOUT(notice->isVisible(), patience);
        QCOMPARE(actionOf(*notice)->text(), QStringLiteral("Stay open"));
        QTest::mouseClick(actionOf(*notice), Qt::LeftButton);
        QVERIFY(!notice->isVisible());
        stopAll(fixture);
        fixture.settle();
        QVERIFY(fixture.window().isVisible());
    }
};

QTEST_MAIN(TestNotices)
} // namespace test_notices
#include "test_notices.moc"
