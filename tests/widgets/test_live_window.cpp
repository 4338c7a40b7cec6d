// SPDX-License-Identifier: GPL-3.0-or-later
// The strip of the open window on Live: what the trainer has told, and nothing that was guessed.
#include "tests/widgets/live_workplace.h"
#include "widgets/pages/live/live_header.h"
#include "widgets/plots/time_parts.h"
#include "widgets/style/format.h"

#include <QPushButton>

namespace test_live_window {
using namespace accumulus;
using namespace accumulus::ui;
using namespace accumulus::test;

namespace {

constexpr double slow = 8.0;     ///< s a window: 1 s a micro-step
constexpr int patience = 60'000; ///< ms

RunRecord runOf(const std::string& id) {
    RunRecord run;
    run.id = id;
    run.batch = resolveBatch({.effective = 64, .micro = 8}).value();
    run.totalUpdates = 400;
    return run;
}

WindowProgress inside(std::int64_t update, std::int64_t committed) { return {update, update, 64, 8, committed}; }

/// The header as it stands while update `update` is computed.
struct Strip {
    explicit Strip(std::int64_t update) {
        header.setRun(&run, 1, 2);
        header.setState(RunState::Running, true);
        progress.take({StudyStarted{{}, {run}}, RunStarted{run, true, update - 1, update - 1}});
        header.setProgress(progress);
        header.windowClosed(slow);
        header.resize(1200, 140);
        header.show();
    }
    [[nodiscard]] QString words() const { return header.findChild<QLabel*>(QStringLiteral("liveMicroSteps"))->text(); }
    [[nodiscard]] QString updates() const { return header.findChild<QLabel*>(QStringLiteral("liveUpdates"))->text(); }
    [[nodiscard]] BatchBar* bar() const { return header.findChild<BatchBar*>(QStringLiteral("liveBatchBar")); }
    [[nodiscard]] bool hasDone(int microSteps) const {
        return bar()->accessibleName().endsWith(QStringLiteral("; %1 done").arg(microSteps));
    }

    Theme theme{*qApp};
    RunRecord run = runOf("first");
    RunProgress progress;
    LiveHeader header{theme};
};

} // namespace

class TestLiveWindow : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void saysWhichMicroStepOfWhichUpdate() {
        Strip strip(340);
        strip.header.setOpenWindow(inside(340, 5));
        QCOMPARE(strip.words(), QStringLiteral("micro-step 5/8 of update 340"));
        QVERIFY2(strip.hasDone(5), qPrintable(strip.bar()->accessibleName()));
    }

    // A bar that fills by elapsed time would have moved when the numbers are written anew, a quarter of a second later.
    void nothingIsExtrapolated() {
        Strip strip(340);
        strip.header.windowClosed(0.5); // the mean stays slow enough to be shown
        strip.header.setOpenWindow(inside(340, 1));
        QVERIFY(strip.updates().isEmpty());
        QTRY_COMPARE(strip.updates(), QStringLiteral("update 339 of 400"));
        QVERIFY2(strip.hasDone(1), qPrintable(strip.bar()->accessibleName()));
    }

    void aPauseLeavesTheBarWhereItIs() {
        Strip strip(340);
        strip.header.setOpenWindow(inside(340, 3));
        strip.header.setState(RunState::Paused, true);
        strip.header.setRun(&strip.run, 1, 2); // as the page does at every change of state
        strip.header.setProgress(strip.progress);
        QTRY_COMPARE(strip.updates(), QStringLiteral("update 339 of 400"));
        QVERIFY2(strip.hasDone(3), qPrintable(strip.bar()->accessibleName()));
        QCOMPARE(strip.words(), QStringLiteral("micro-step 3/8 of update 340"));
    }

    void fastWindowsAreShownClosedButAPauseInOneIsNot() {
        Strip strip(340);
        for (int i = 0; i < 20; ++i)
            strip.header.windowClosed(0.01);
        strip.header.setOpenWindow(inside(340, 3));
        QCOMPARE(strip.words(), QStringLiteral("8 micro-step(s) per update"));
        QVERIFY(strip.hasDone(8));
        strip.header.setState(RunState::Paused, true);
        QCOMPARE(strip.words(), QStringLiteral("micro-step 3/8 of update 340"));
        QVERIFY(strip.hasDone(3));
    }

    void withoutAnimationsOnlyTheWordsMove() {
        Strip strip(340);
        strip.header.setOpenWindow(inside(340, 3));
        QVERIFY(strip.hasDone(3));
        strip.theme.setAnimations(false);
        QVERIFY(strip.hasDone(8));
        QCOMPARE(strip.words(), QStringLiteral("micro-step 3/8 of update 340"));
        strip.theme.setAnimations(true); // the choice is remembered
        QVERIFY(strip.hasDone(3));
    }

    void theShortLastWindowHasItsOwnBlocks() {
        Strip strip(340);
        WindowProgress tail = inside(340, 1);
        tail.samples = 12;
        tail.microSteps = 2;
        strip.header.setOpenWindow(tail);
        QVERIFY2(strip.bar()->accessibleName().contains(QStringLiteral("12 samples in 2")),
                 qPrintable(strip.bar()->accessibleName()));
        strip.header.setOpenWindow(inside(341, 2));
        QVERIFY(strip.bar()->accessibleName().contains(QStringLiteral("64 samples in 8")));
    }

    void whatIsTrainedElsewhereIsShownUpdateByUpdate() {
        Strip strip(340);
        strip.header.setOpenWindow({});
        QCOMPARE(strip.words(), QStringLiteral("shown update by update"));
        QVERIFY(strip.hasDone(8));
    }

    void whatTheRunBeforeHasToldIsNotShown() {
        Strip strip(340);
        strip.header.setOpenWindow(inside(2, 3)); // the next run's first windows, while events are still on their way
        QVERIFY2(strip.hasDone(8), qPrintable(strip.bar()->accessibleName()));
        QVERIFY(!strip.words().contains(QStringLiteral("update 2")));
    }

    void aBlockTellsWhereItsTimeWent() {
        Strip strip(340);
        WindowProgress measured = inside(340, 2);
        measured.dataSeconds = 0.5;
        measured.forwardSeconds = 1.5;
        strip.header.setOpenWindow(measured);
        QCOMPARE(strip.bar()->toolTip(),
                 QStringLiteral("Time so far: data 25 %, forward 75 %, backward 0 %, adding up 0 %"));
        QCOMPARE(strip.bar()->accessibleDescription(), strip.bar()->toolTip());
        const QImage drawn = strip.bar()->grab().toImage();
        const QColor forward = drawn.pixelColor(8, drawn.height() / 2 - 2);
        const QColor data = drawn.pixelColor(8, drawn.height() / 2 + 5);
        QImage parts(2, 1, QImage::Format_ARGB32);
        QPainter painter(&parts);
        painter.setPen(Qt::NoPen);
        paintTimePart(painter, QRectF(0, 0, 1, 1), 0.0, strip.theme.colors(), kDataPart);
        paintTimePart(painter, QRectF(1, 0, 1, 1), 0.0, strip.theme.colors(), kForwardPart);
        painter.end();
        QCOMPARE(data, parts.pixelColor(0, 0));
        QCOMPARE(forward, parts.pixelColor(1, 0));
        QVERIFY(data != forward);
    }

    // A run that is really trained, paused by its button: the bar shows what is committed, and goes on showing it.
    void aPausedTrainingShowsWhatIsCommitted() {
        Workplace work;
        work.open();
        ExperimentConfig experiment = smallPair();
        experiment.run.train.length = {100'000, Extent::Unit::Updates};
        experiment.study.seeds = {0};
        work.runs->start(experiment);
        QTRY_VERIFY_WITH_TIMEOUT(work.runs->openWindow().window > 3, patience);
        QTest::mouseClick(work.find<QPushButton>("livePause"), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(work.runs->state(), RunState::Paused, patience);
        const auto shown = [&] {
            const WindowProgress& open = work.runs->openWindow();
            return QStringLiteral("micro-step %1/4 of update %2").arg(open.committed).arg(format::count(open.update));
        };
        auto* words = work.find<QLabel>("liveMicroSteps");
        QTRY_COMPARE(words->text(), shown());
        const WindowProgress before = work.runs->openWindow();
        const int done = static_cast<int>(before.committed);
        QTRY_VERIFY(work.find<QLabel>("liveUpdates")->text().startsWith(QStringLiteral("update ")));
        QVERIFY(work.runs->openWindow() == before);
        QCOMPARE(words->text(), shown());
        const QString bar = work.find<BatchBar>("liveBatchBar")->accessibleName();
        QVERIFY2(bar.endsWith(QStringLiteral("; %1 done").arg(done)), qPrintable(bar));
        work.runs->stopNow();
        QTRY_VERIFY_WITH_TIMEOUT(!work.runs->busy(), patience);
        QVERIFY(!words->isVisible());
    }
};

QTEST_MAIN(TestLiveWindow)
} // namespace test_live_window
#include "test_live_window.moc"
