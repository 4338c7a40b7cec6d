// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/kept_message.h"
#include "tests/support/numeric.h"
#include "tests/support/synthetic_library.h"
#include "tests/widgets/live_workplace.h"
#include "tests/widgets/screenshot.h"
#include "widgets/pages/live/live_curves.h"
#include "widgets/pages/live/live_page.h"
#include "widgets/plots/plot_view.h"
#include "widgets/style/controls.h"

#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QSettings>
#include <QSignalSpy>
#include <QSlider>
#include <QStackedLayout>
#include <QTest>

namespace test_live_page {
using namespace accumulus;
using namespace accumulus::ui;
using namespace accumulus::test;

class TestLivePage : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        QSettings().clear();
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    }

    void withoutARunThePageSaysSoAndOffersOne() {
        Workplace work;
        work.open();
        auto* button = work.find<QPushButton>("emptyStateAction");
        QVERIFY(button->isVisible());
        QSignalSpy wished(work.page.get(), &LivePage::setupRequested);
        QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(wished.count(), 1);
        test::saveScreenshot(*work.page, QStringLiteral("live_empty"));
    }

    void aStudyThatIsPreparedIsNoFailure() {
        Workplace work;
        work.open();
        work.runs->start(withoutData());
        work.page->activated();
        QVERIFY(work.runs->busy() && work.runs->currentStudy().isEmpty());
        QVERIFY(!work.find<QPushButton>("emptyStateAction")->isVisible());
        QTRY_VERIFY(work.gateway.idle());
        QVERIFY(work.find<NoticeBar>("liveNotice")->isHidden());
        QCOMPARE(qobject_cast<QStackedLayout*>(work.page->layout())->currentIndex(), 0);
        QTRY_VERIFY(!work.runs->busy());
        QVERIFY(work.find<QPushButton>("emptyStateAction")->isVisible());
    }

    void aStudyThatIsPreparedIsNotTheOneBefore() {
        Workplace work;
        work.open();
        QSignalSpy finished(work.runs.get(), &RunController::studyFinished);
        ExperimentConfig first = smallPair();
        first.study.seeds = {0};
        first.run.train.length = {20, Extent::Unit::Updates};
        work.runs->start(first);
        QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, 120'000);
        const QString before = finished.takeFirst()[0].toString();
        QCOMPARE(before.toStdString(), work.runs->runs().front().study);
        QCOMPARE(work.find<QLabel>("liveState")->text(), QStringLiteral("completed"));
        QVERIFY(work.page->studyFraction() > 0.99);
        work.runs->start(withoutData());
        QVERIFY(work.runs->currentStudy().isEmpty());
        QCOMPARE(work.find<QLabel>("liveState")->text(), QStringLiteral("completed")); // of the one that is shown
        QVERIFY(!work.find<QPushButton>("livePause")->isVisible());
        QVERIFY(test::compareBits(work.page->studyFraction(), 0.0));
        QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, 60'000);
        QCOMPARE(finished[0][0].toString(), QString());
    }

    void aDragOfTheSliderIsSavedOnce() {
        Workplace work;
        work.open();
        auto* slider = work.find<QSlider>("liveSmoothing");
        const QVariant before = QSettings().value("live/smoothing");
        for (int value = 1; value <= 60; ++value) {
            slider->setValue(value);
            QCOMPARE(QSettings().value("live/smoothing"), before);
        }
        QTRY_COMPARE(QSettings().value("live/smoothing").toInt(), 60);
        slider->setValue(7);
        work.page.reset(); // a page that goes forgets nothing
        QCOMPARE(QSettings().value("live/smoothing").toInt(), 7);
    }

    void aFailedLoadIsSaidAndTriedAgain() {
        Workplace work;
        work.open();
        work.page->showStudy(QStringLiteral("not there"));
        auto* notice = work.find<NoticeBar>("liveNotice");
        QTRY_VERIFY(notice && notice->isVisible());
        test::SyntheticStudy study;
        study.seedsA = study.seedsB = {0};
        study.finalA = study.finalB = {0.9};
        study.windows = 20;
        const auto runs = test::addSyntheticStudy(work.library, study);
        QVERIFY(runs);
        work.page->showStudy(QString::fromStdString(runs->study));
        QTRY_VERIFY(!notice->isVisible());
    }

    void progressGoesToTheNextPage() {
        Workplace work;
        work.open();
        StudyStarted started;
        started.study.id = "s";
        for (int i = 0; i < 4; ++i) {
            started.runs.emplace_back();
            started.runs.back().id = "r" + std::to_string(i);
            started.runs.back().study = "s";
            started.runs.back().totalUpdates = 100;
            started.runs.back().batch = {64, 16, 4, 1, {16, 16, 16, 16}};
        }
        RunFinished finished;
        finished.run = "r0";
        finished.state = RunState::Completed;
        finished.summary.updates = 100;
        Q_EMIT work.runs->eventsArrived({started, finished});
        LivePage next(work.services());
        next.setState(work.page->state());
        QVERIFY(test::compareBits(next.studyFraction(), 0.25));
    }

    void whatHappensWhileTheLibraryIsReadIsKept() {
        Workplace work;
        test::SyntheticStudy synthetic;
        synthetic.seedsA = synthetic.seedsB = {0};
        synthetic.finalA = synthetic.finalB = {0.9};
        synthetic.windows = 20;
        const auto added = test::addSyntheticStudy(work.library, synthetic);
        QVERIFY(added);
        work.open(); // has asked, and not heard yet
        auto* loss = work.find<PlotView>("liveLoss");
        const std::string run = added->groupA.front();
        WindowRecord later = window(21);
        later.samples = 1'000'000;
        Q_EMIT work.runs->eventsArrived({WindowClosed{run, window(20)}, WindowClosed{run, later}});
        QTRY_COMPARE(loss->curveCount(), 2U);
        const QString csv = work.folder.filePath(QStringLiteral("loss.csv"));
        QVERIFY(loss->saveAs(csv));
        QFile file(csv);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll().count('\n') - 1, 20 + 20 + 1);
    }

    void everyRunThatLackedMemoryIsOffered() {
        Workplace work;
        work.open();
        StudyStarted started;
        started.study.id = "s";
        std::vector<RunEvent> events;
        for (const Arm arm : {Arm::Accumulated, Arm::LargeBatch, Arm::LargeBatch}) {
            RunRecord& run = started.runs.emplace_back();
            run.id = "r" + std::to_string(started.runs.size());
            run.study = "s";
            run.arm = arm;
            run.config = smallPair().run;
            run.config.device.onOom = OnOutOfMemory::Stop;
            run.batch = {64, 16, 4, 1, {16, 16, 16, 16}};
        }
        const auto fails = [](const char* run) {
            RunFinished finished;
            finished.run = run;
            finished.state = RunState::Failed;
            const Error memory{"training.memory", {}}; // of r2 on another rank
            const Error onRank{"ranks.failed", {{"rank", "1"}, {"reason", messagesArgument({memory})}}};
            finished.error = finished.run == "r2" ? onRank : memory;
            return finished;
        };
        Q_EMIT work.runs->eventsArrived({started, fails("r2")});
        QTRY_VERIFY(work.find<QPushButton>("liveRecoveryParts")->isVisible());
        // Half a micro-batch is no help for the large batch.
        QVERIFY(!work.find<QPushButton>("liveRecoverySmaller"));
        QSignalSpy setUp(work.page.get(), &LivePage::setupOfRequested);
        QTest::mouseClick(work.find<QPushButton>("liveRecoveryResplit"), Qt::LeftButton);
        const auto offered = setUp.takeFirst().front().value<ExperimentConfig>();
        QCOMPARE(offered.run.device.onOom, OnOutOfMemory::Resplit);
        QCOMPARE(offered.run.batch.micro, 16);
        Q_EMIT work.runs->eventsArrived({fails("r3"), fails("r1")});
        QVERIFY(work.find<QPushButton>("liveRecoverySmaller"));
        // The page of the next window knows them, too.
        LivePage next(work.services());
        next.setState(work.page->state());
        QVERIFY(!next.findChild<QWidget*>(QStringLiteral("liveRecovery"))->isHidden());
        QSignalSpy parts(&next, &LivePage::smallerPartsRequested);
        next.findChild<QPushButton*>(QStringLiteral("liveRecoveryParts"))->click();
        QCOMPARE(parts.takeFirst().front().toStringList(), (QStringList{"r2", "r3", "r1"}));
        QVERIFY(next.findChild<QWidget*>(QStringLiteral("liveRecovery"))->isHidden());
    }

    void aRowReadTwiceCountsOnceAndALaterOneStays() {
        LiveCurves curves;
        StudyRecord study;
        study.id = "s";
        RunRecord run;
        run.id = "r";
        run.study = "s";
        run.startedAt = 1000.0;
        curves.start(study, {run});
        for (const std::int64_t number : {3, 4, 5})
            curves.find("r")->add(window(number));
        LoadedStudy loaded{study, {RunCurves{}}, {}, {}};
        loaded.runs[0].run = run;
        for (const std::int64_t number : {1, 2, 3, 4})
            loaded.runs[0].add(window(number));
        curves.install(std::move(loaded));
        const RunCurves* merged = curves.find("r");
        QCOMPARE(merged->window, (std::vector<std::int64_t>{1, 2, 3, 4, 5}));
        QVERIFY(test::compareBits(merged->at.samples.back(), 320.0));
        QVERIFY(test::compareBits(merged->at.wallTime.front(), 1.0));   // since the start of the run
        QVERIFY(test::compareBits(merged->samplesPerSecond[3], 128.0)); // 64 samples in 0.5 s
    }

    void aResumeTakesTheSupersededRowsBack() {
        LiveCurves curves;
        StudyRecord study;
        study.id = "s";
        RunRecord run;
        run.id = "r";
        run.study = "s";
        curves.start(study, {run});
        for (std::int64_t number = 1; number <= 10; ++number)
            curves.find("r")->add(window(number));
        RunStarted again;
        again.run = run;
        again.resumed = true;
        again.windowsDone = 6;
        again.updatesDone = 6;
        curves.start(again);
        QCOMPARE(curves.find("r")->window.back(), 6);
        QCOMPARE(curves.find("r")->loss.size(), 6U);
    }

    void aFinishedStudyIsShownFromTheLibrary() {
        Workplace work;
        test::SyntheticStudy synthetic;
        synthetic.seedsA = synthetic.seedsB = test::firstSeeds(3);
        synthetic.finalA = {0.98, 0.981, 0.982};
        synthetic.finalB = {0.979, 0.981, 0.983};
        const auto runs = test::addSyntheticStudy(work.library, synthetic);
        QVERIFY(runs.has_value());
        work.open(); // the newest study appears by itself
        auto* loss = work.find<PlotView>("liveLoss");
        QTRY_COMPARE(loss->curveCount(), 6U);
        loss->refreshNow();
        QVERIFY(loss->summaryText().contains(QStringLiteral("2 curves"))); // two prominent ones, the other seeds thin
        QVERIFY(!work.find<QPushButton>("livePause")->isVisible());
        QVERIFY(work.find<QPushButton>("liveCompare")->isVisible());
        QSignalSpy compared(work.page.get(), &LivePage::compareRequested);
        QTest::mouseClick(work.find<QPushButton>("liveCompare"), Qt::LeftButton);
        QCOMPARE(compared.at(0).at(0).toString(), QString::fromStdString(runs->study));
        QTRY_VERIFY(work.find<PlotView>("liveAccuracy")->curveCount() == 6U);
        for (const ThemeMode mode : {ThemeMode::Light, ThemeMode::Dark}) {
            work.theme.setMode(mode);
            QCoreApplication::processEvents(); // the new palette arrives as an event
            loss->refreshNow();
            test::saveScreenshot(*work.page,
                                 mode == ThemeMode::Dark ? QStringLiteral("live_dark") : QStringLiteral("live_light"));
        }
        work.theme.setMode(ThemeMode::Light);
        work.page->resize(1040, 560);
        QCoreApplication::processEvents();
        loss->refreshNow();
        test::saveScreenshot(*work.page, QStringLiteral("live_small"));
    }

    void bothArmsCoincideOnSamplesUpdatesAndEpochsAndTheChoiceIsKept() {
        Workplace work;
        test::SyntheticStudy synthetic;
        synthetic.seedsA = synthetic.seedsB = {0};
        synthetic.finalA = {0.98};
        synthetic.finalB = {0.98};
        QVERIFY(test::addSyntheticStudy(work.library, synthetic).has_value());
        work.open();
        auto* loss = work.find<PlotView>("liveLoss");
        QTRY_COMPARE(loss->curveCount(), 2U);
        auto* axis = work.find<QComboBox>("liveXAxis");
        double last = 0.0;
        for (const int index : {1, 2, 0}) {
            axis->setCurrentIndex(index);
            loss->refreshNow();
            QVERIFY(loss->xMax() > 0.0);
            QVERIFY(loss->xMax() != last); // the range belongs to the new axis
            last = loss->xMax();
        }
        axis->setCurrentIndex(2);
        work.find<QSlider>("liveSmoothing")->setValue(40);
        QCOMPARE(work.find<QLabel>("liveSmoothingValue")->text(), QStringLiteral("0.99"));
        QVERIFY(test::compareBits(loss->smoothing(), 0.99));
        work.find<QPushButton>("liveLogY")->click();
        QVERIFY(loss->logY());
        QTest::keyClick(loss, Qt::Key_L, Qt::ShiftModifier); // the button follows the key
        QVERIFY(work.find<QPushButton>("liveLogX")->isChecked());
        QVERIFY(work.find<PlotView>("liveSpeed")->logX());
        loss->refreshNow();
        QVERIFY(loss->xMin() > 0.0);
        test::saveScreenshot(*work.page, QStringLiteral("live_log"));
        QTRY_COMPARE(QSettings().value("live/smoothing").toInt(), 40);
        const LivePage next(work.services());
        QCOMPARE(next.findChild<QComboBox*>(QStringLiteral("liveXAxis"))->currentIndex(), 2);
        QCOMPARE(next.findChild<QSlider*>(QStringLiteral("liveSmoothing"))->value(), 40);
        QVERIFY(next.findChild<PlotView*>(QStringLiteral("liveLoss"))->logY());
    }

    void zoomingEndsFollowingAndTheButtonBringsItBack() {
        Workplace work;
        test::SyntheticStudy synthetic;
        synthetic.seedsA = synthetic.seedsB = {0};
        synthetic.finalA = {0.98};
        synthetic.finalB = {0.98};
        QVERIFY(test::addSyntheticStudy(work.library, synthetic).has_value());
        work.open();
        auto* loss = work.find<PlotView>("liveLoss");
        QTRY_COMPARE(loss->curveCount(), 2U);
        auto* follow = work.find<QPushButton>("liveFollow");
        QVERIFY(follow->isChecked());
        loss->refreshNow();
        loss->zoomX(1000.0, 5000.0);
        QVERIFY(!follow->isChecked());
        QTest::mouseClick(follow, Qt::LeftButton);
        loss->refreshNow();
        QVERIFY(follow->isChecked());
        QVERIFY(loss->xMax() > 5000.0);
    }

    void aRealPairTrainsBeforeOurEyes() {
        Workplace work;
        work.open();
        QSignalSpy finished(work.runs.get(), &RunController::studyFinished);
        work.runs->start(smallPair());
        auto* loss = work.find<PlotView>("liveLoss");
        QTRY_VERIFY_WITH_TIMEOUT(loss->curveCount() >= 1U && loss->isVisible(), 60'000);
        QTRY_VERIFY_WITH_TIMEOUT(work.find<QPushButton>("livePause")->isVisible(), 10'000);
        QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, 120'000);
        QVERIFY(!work.find<QPushButton>("livePause")->isVisible());
        QTRY_COMPARE_WITH_TIMEOUT(loss->curveCount(), 4U, 5'000);
        loss->refreshNow();
        // 2000 samples per epoch, 2 epochs, for each arm.
        QVERIFY(loss->xMax() >= 4000.0 && loss->xMax() < 4200.0);
        QCOMPARE(work.find<PlotView>("liveAccuracy")->curveCount(), 4U);
        // Measured by the engine, not made up: all parts have a time, the accumulated arm a noise scale.
        QTRY_COMPARE_WITH_TIMEOUT(work.find<PlotView>("liveNoise")->curveCount(), 2U, 30'000);
        QTest::mouseClick(work.find<QPushButton>("liveGroupCost"), Qt::LeftButton);
        for (const char* value : {"liveTime.1.0", "liveTime.2.0", "liveTime.7.1"})
            QVERIFY2(work.find<QLabel>(value)->text().contains(
                         QRegularExpression(QStringLiteral("^[0-9.]*[1-9][0-9.]*\u00a0"))),
                     value);
        // 2000 = 31 windows of 64 and one of 16: 32 updates an epoch.
        QVERIFY(work.find<QLabel>("liveUpdates")->text().contains(QStringLiteral("64 of 64")));
        test::saveScreenshot(*work.page, QStringLiteral("live_trained"));
    }

    void pauseAndResumeReachTheTrainer() {
        Workplace work;
        work.open();
        ExperimentConfig longer = smallPair();
        longer.run.train.length = {200, Extent::Unit::Epochs};
        // The page sees a run in pieces that end with an epoch, whose checkpoint is waited for: no short window there.
        longer.run.data.trainLimit = 31 * 64;
        longer.run.probe.parameter = "fc1.weight";
        work.runs->start(longer);
        auto* pause = work.find<QPushButton>("livePause");
        auto* loss = work.find<PlotView>("liveLoss");
        QTRY_VERIFY_WITH_TIMEOUT(pause->isVisible() && loss->curveCount() >= 1U, 60'000);
        // The probe follows the events of a run that trains.
        auto* probe = work.find<QLabel>("liveProbeSentence");
        QTRY_VERIFY_WITH_TIMEOUT(probe->text().contains(QStringLiteral("the same bits at all 4 micro-steps")), 10'000);
        QTest::mouseClick(pause, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(work.runs->state() == RunState::Paused, 10'000);
        QCOMPARE(pause->text(), QStringLiteral("Resume"));
        test::saveScreenshot(*work.page, QStringLiteral("live_paused"));
        QTest::mouseClick(pause, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(work.runs->state() == RunState::Running, 10'000);
        QSignalSpy finished(work.runs.get(), &RunController::studyFinished);
        QTest::mouseClick(work.find<QPushButton>("liveStop"), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, 60'000);
        QTRY_VERIFY(work.find<QLabel>("liveState")->text() == QStringLiteral("stopped"));
    }
};

QTEST_MAIN(TestLivePage)
} // namespace test_live_page
#include "test_live_page.moc"
