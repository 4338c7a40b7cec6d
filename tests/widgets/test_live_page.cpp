// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/numeric.h"
#include "tests/support/synthetic_library.h"
#include "tests/widgets/screenshot.h"
#include "widgets/pages/live/live_curves.h"
#include "widgets/pages/live/live_page.h"
#include "widgets/plots/batch_bar.h"
#include "widgets/plots/plot_view.h"
#include "widgets/style/controls.h"
#include "widgets/style/workbench_style.h"

#include <QApplication>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollArea>
#include <QScrollBar>
#include <QSettings>
#include <QSignalSpy>
#include <QSlider>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

using namespace accumulus;
using namespace accumulus::ui;

namespace {

ExperimentConfig smallPair() {
    ExperimentConfig experiment;
    experiment.run.data.dataset = "digits-generated";
    experiment.run.data.trainLimit = 2000;
    experiment.run.data.testLimit = 200;
    experiment.run.model.name = "mlp";
    experiment.run.batch.effective = 64;
    experiment.run.batch.micro = 16;
    experiment.run.train.length = {2, Extent::Unit::Epochs};
    experiment.study.name = "small pair";
    experiment.study.seeds = {0, 1};
    experiment.study.largeBatch = true;
    return experiment;
}

WindowRecord window(std::int64_t number) {
    WindowRecord record;
    record.window = number;
    record.update = number;
    record.samples = number * 64;
    record.epochPosition = static_cast<double>(number) / 10.0;
    record.loss = 1.0 / static_cast<double>(number);
    record.seconds = 0.5;
    record.wallTime = 1000.0 + static_cast<double>(number);
    record.activeSeconds = 0.5 * static_cast<double>(number);
    return record;
}

/// A page with everything it needs, on a library of its own.
struct Workplace {
    QTemporaryDir folder;
    std::filesystem::path library = folder.filePath(QStringLiteral("library.db")).toStdString();
    Theme theme{*qApp};
    LibraryGateway gateway;
    std::unique_ptr<RunController> runs = std::make_unique<RunController>(library);
    std::unique_ptr<LivePage> page;

    void open() {
        QVERIFY(gateway.open(library).has_value());
        page = std::make_unique<LivePage>(Services{theme, gateway, *runs});
        page->resize(1240, 780);
        page->show();
        page->activated();
    }
    template <class T>
    T* find(const char* name) {
        return page->findChild<T*>(QString::fromLatin1(name));
    }
};

} // namespace

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
        LivePage next(Services{work.theme, work.gateway, *work.runs});
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
            finished.error = Error{"training.memory", {}};
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
        LivePage next(Services{work.theme, work.gateway, *work.runs});
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

    void theInsideOfAWindowIsShown() {
        Workplace work;
        test::SyntheticStudy synthetic;
        synthetic.seedsA = synthetic.seedsB = {0};
        synthetic.finalA = synthetic.finalB = {0.98};
        QVERIFY(test::addSyntheticStudy(work.library, synthetic).has_value());
        work.open();
        auto* noise = work.find<PlotView>("liveNoise");
        QTRY_COMPARE(noise->curveCount(), 1U); // the large batch is one micro-batch: nothing to estimate from
        QVERIFY(noise->isVisible() && noise->logY());
        noise->refreshNow();
        QVERIFY(noise->yMin() > 1.0 && noise->yMax() > 100.0);
        const QString words = work.find<QLabel>("liveNoiseWords")->text();
        QVERIFY2(words.startsWith(QStringLiteral("About ")) && words.contains(QStringLiteral("order of magnitude")) &&
                     words.contains(QStringLiteral("; at B = ")) &&
                     words.endsWith(QStringLiteral(" times the updates of huge ones.")),
                 qPrintable(words));
        QVERIFY(!work.find<QPushButton>("liveGroupProbe")->isVisible()); // no probe is set
        test::saveScreenshot(*work.page, QStringLiteral("live_gradient"));

        QTest::mouseClick(work.find<QPushButton>("liveGroupCost"), Qt::LeftButton);
        QVERIFY(!noise->isVisible());
        QVERIFY(work.find<PlotView>("liveSpeed")->isVisible());
        const auto cell = [&](int row, int arm) {
            return work.find<QLabel>(qPrintable(QStringLiteral("liveTime.%1.%2").arg(row).arg(arm)))
                ->text()
                .replace(QChar(0x00A0), QLatin1Char(' '));
        };
        // 36 % of 10 ms forward, of 101 % that the parts make together; memory of each arm.
        QCOMPARE(cell(1, 0), QStringLiteral("3.6 ms  ·  36 %"));
        QCOMPARE(cell(7, 1), QStringLiteral("12.0 ms"));
        QCOMPARE(cell(8, 0), QStringLiteral("21.0 MB"));
        QCOMPARE(cell(8, 1), QStringLiteral("64.0 MB"));
        QCOMPARE(cell(10, 0), QStringLiteral("80.0 MB")); // an evaluation needs more than training
        QCOMPARE(work.find<QLabel>("liveSaving")->text(),
                 QStringLiteral("Accumulation saves 67 % of training memory: 21.0 MB in place of 64.0 MB."));
        QVERIFY(!work.find<QLabel>("liveTime.9.0")->isVisible()); // a loss scale of 1 is none
        for (const char* ofRanks : {"liveTime.4.0", "liveTime.5.1", "liveRanks.0", "liveRanks.1"})
            QVERIFY2(!work.find<QLabel>(ofRanks)->isVisible(), ofRanks); // one rank waits for nobody
        QVERIFY(work.find<QLabel>("liveTimeNote")->text().contains(QStringLiteral("newest 50 window")));
        QCoreApplication::processEvents(); // a group is drawn when it is shown
        test::saveScreenshot(*work.page, QStringLiteral("live_cost"));
        // The choice is kept.
        const LivePage next(Services{work.theme, work.gateway, *work.runs});
        QVERIFY(next.findChild<QPushButton*>(QStringLiteral("liveGroupCost"))->isChecked());
    }

    /// From the library first, then by events: the newest 50 windows count.
    void ranksAreFollowed() {
        Workplace work;
        test::SyntheticStudy synthetic;
        synthetic.seedsA = synthetic.seedsB = {0};
        synthetic.finalA = synthetic.finalB = {0.98};
        synthetic.ranks = 2;
        const auto runs = test::addSyntheticStudy(work.library, synthetic);
        QVERIFY(runs.has_value());
        work.open();
        QTest::mouseClick(work.find<QPushButton>("liveGroupCost"), Qt::LeftButton);
        auto* line = work.find<QLabel>("liveRanks.0");
        // Rank 0 waits 2 of 10 ms, rank 1 never; both exchange 0.5 ms. The bytes are not those of the formula: the rows
        // are made up. P = 61 728 for LeNet-5 with its gaps, f = 1/2.
        QTRY_VERIFY(line->isVisible());
        const auto said = [line] { return line->text().replace(QChar(0x00A0), QLatin1Char(' ')); };
        const QString sentence = said();
        static const QRegularExpression formula(QStringLiteral("\\(2 f P S: (\\d+) kB\\)"));
        const auto match = formula.match(sentence);
        QVERIFY2(match.hasMatch() && match.captured(1).toInt() > 240 && match.captured(1).toInt() < 255,
                 qPrintable(sentence));
        QCOMPARE(QString(sentence).remove(formula),
                 QStringLiteral("accumulated, 2 ranks: sent 100 kB per update and rank , waiting 10.0 %, reducing 5.0 "
                                "%; slowest: rank 1"));
        QVERIFY(!work.find<QLabel>("liveRanks.1")->isVisible()); // the large batch ran on one
        const auto cell = [&](int row, int arm) {
            return work.find<QLabel>(qPrintable(QStringLiteral("liveTime.%1.%2").arg(row).arg(arm)))
                ->text()
                .replace(QChar(0x00A0), QLatin1Char(' '));
        };
        QCOMPARE(cell(4, 0).section(QLatin1Char(' '), 0, 1), QStringLiteral("2.0 ms")); // of rank 0
        QCOMPARE(cell(5, 0).section(QLatin1Char(' '), 0, 1), QStringLiteral("0.5 ms"));
        QCOMPARE(cell(4, 1), QStringLiteral("–"));
        QString tip = line->toolTip().replace(QStringLiteral("&nbsp;"), QStringLiteral(" "));
        QCOMPARE(tip.count(QStringLiteral("<tr>")), 3);
        QVERIFY(line->property(kRichToolTipProperty).toBool()); // else its markup would be shown
        QVERIFY2(tip.contains(QStringLiteral(">7.0 ms  ·  70 %<")) && tip.contains(QStringLiteral(">9.0 ms  ·  90 %<")),
                 qPrintable(tip));
        QVERIFY2(line->accessibleDescription().contains(
                     QStringLiteral("rank 1: computing 9.0 ms  ·  90 %, waiting 0.0 ms  ·  0 %, reducing 0.5 ms")),
                 qPrintable(line->accessibleDescription()));
        QVERIFY(work.find<QLabel>("liveTimeNote")->text().contains(QStringLiteral("rank 0 of 2")));
        for (const ThemeMode mode : {ThemeMode::Light, ThemeMode::Dark}) {
            work.theme.setMode(mode);
            QCoreApplication::processEvents();
            test::saveScreenshot(*work.page, mode == ThemeMode::Dark ? QStringLiteral("live_ranks_dark")
                                                                     : QStringLiteral("live_ranks"));
        }

        // In a low window the numbers scroll; no line is squeezed.
        work.page->resize(1080, 560);
        QCoreApplication::processEvents();
        auto* numbers = work.find<QScrollArea>("liveNumbers");
        QTRY_VERIFY(numbers->verticalScrollBar()->maximum() > 0);
        for (const QLabel* label : numbers->findChildren<QLabel*>())
            if (label->isVisible() && !label->text().isEmpty())
                QVERIFY2(label->height() >=
                             (label->wordWrap() ? label->heightForWidth(label->width()) : label->sizeHint().height()),
                         qPrintable(label->text()));
        test::saveScreenshot(*work.page, QStringLiteral("live_ranks_low"));
        work.page->resize(1240, 800);
        QTRY_COMPARE(numbers->verticalScrollBar()->maximum(), 0);

        // Now rank 0 gets slow: 50 windows later nothing else is said.
        std::vector<RunEvent> events;
        for (std::int64_t number = 301; number <= 350; ++number) {
            WindowRecord record = window(number);
            record.forwardSeconds = 0.25;
            record.ranks.resize(2);
            record.ranks[1].rank = 1;
            record.ranks[1].waitingSeconds = 0.25; // of 0.5 s
            record.ranks[0].sentBytes = record.ranks[1].sentBytes = 2000;
            events.emplace_back(WindowClosed{runs->groupA.front(), record});
        }
        Q_EMIT work.runs->eventsArrived(events);
        QTRY_VERIFY2(said().contains(QStringLiteral("sent 2 kB per update")) &&
                         said().endsWith(QStringLiteral("waiting 25.0 %, reducing 0.0 %; slowest: rank 0")),
                     qPrintable(said()));
    }

    /// A study that was never read from the library: events alone, with the formula.
    void ranksOfAFreshStudyComeWithTheirFormula() {
        Workplace work;
        work.open();
        StudyStarted started;
        started.study.id = "fresh";
        RunRecord run;
        run.id = "r";
        run.study = "fresh";
        run.config.data.dataset = "digits-generated";
        run.config.model.name = "mlp";
        run.config.batch.devices = 2;
        run.config.parallel.mode = ParallelMode::Zero2;
        run.batch = resolveBatch(run.config.batch).value();
        started.runs = {run};
        RunStarted first;
        first.run = run;
        WindowRecord record = window(1);
        record.ranks.resize(2);
        for (RankTimes& rank : record.ranks)
            rank = {1, &rank - record.ranks.data(), 4, 0.0, 0.1, 0.2, 0.0, 0.0, 0.05, 5000, 5};
        Q_EMIT work.runs->eventsArrived({RunEvent(started), RunEvent(first), RunEvent(WindowClosed{"r", record})});
        QTest::mouseClick(work.find<QPushButton>("liveGroupCost"), Qt::LeftButton);
        auto* line = work.find<QLabel>("liveRanks.0");
        const auto said = [line] { return line->text().replace(QChar(0x00A0), QLatin1Char(' ')); };
        QTRY_VERIFY2(
            said().startsWith(QStringLiteral("2 ranks: sent 5 kB per update and rank ((K + 1) f P S, K = 4: ")),
            qPrintable(said()));
        // A resume on one rank: nothing to tell any more.
        WindowRecord alone = window(2);
        alone.forwardSeconds = 0.25;
        Q_EMIT work.runs->eventsArrived({RunEvent(WindowClosed{"r", alone})});
        QTRY_VERIFY(!line->isVisible());
    }

    void aProbeHasAGroupOfItsOwn() {
        Workplace work;
        test::SyntheticStudy synthetic;
        synthetic.seedsA = {0};
        synthetic.finalA = {0.98};
        synthetic.probe = "conv1.weight";
        synthetic.lossScale = 65536.0;
        QVERIFY(test::addSyntheticStudy(work.library, synthetic).has_value());
        work.open();
        auto* button = work.find<QPushButton>("liveGroupProbe");
        QTRY_VERIFY(button->isVisible());
        QTest::mouseClick(button, Qt::LeftButton);
        auto* probe = work.find<PlotView>("liveProbe");
        QVERIFY(probe->isVisible());
        QCOMPARE(probe->curveCount(), 4U);
        probe->refreshNow();
        QVERIFY(probe->xMin() >= 290.0 && probe->xMax() < 301.0); // the newest of 300 windows
        QCOMPARE(work.find<QLabel>("liveProbeSentence")->text(),
                 QStringLiteral("Window 300: the same bits at all 8 micro-steps; only the update moved them."));
        test::saveScreenshot(*work.page, QStringLiteral("live_probe"));
        QTest::mouseClick(work.find<QPushButton>("liveGroupCost"), Qt::LeftButton);
        QVERIFY(work.find<QLabel>("liveTime.9.0")->isVisible());
        QCOMPARE(work.find<QLabel>("liveTime.9.0")->text(), QStringLiteral("65,536"));
        test::saveScreenshot(*work.page, QStringLiteral("live_cost_fp16"));
    }

    void aRampIsSaidAndItsLastWindowDrawn() {
        Workplace work;
        test::SyntheticStudy synthetic;
        synthetic.seedsA = synthetic.seedsB = {0};
        synthetic.finalA = synthetic.finalB = {0.98};
        synthetic.ramp = {{100, 512}};
        QVERIFY(test::addSyntheticStudy(work.library, synthetic).has_value());
        work.open();
        auto* run = work.find<QLabel>("liveRun");
        QTRY_VERIFY(run->text().contains(QStringLiteral("large batch")));
        QVERIFY2(run->text().contains(QStringLiteral("micro-batch 256 × accumulation 1 × 1 device = 256 samples per "
                                                     "update, from update 100 on 512 × 1 = 512")),
                 qPrintable(run->text()));
        const QString bar = work.find<BatchBar>("liveBatchBar")->accessibleName();
        QVERIFY2(bar.contains(QStringLiteral("512 samples in 1 micro-batch(es) of 512")), qPrintable(bar));
        test::saveScreenshot(*work.page, QStringLiteral("live_ramp"));
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
        const LivePage next(Services{work.theme, work.gateway, *work.runs});
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
#include "test_live_page.moc"
