// SPDX-License-Identifier: GPL-3.0-or-later
// Live beyond the loss: the inside of a window, ranks, the probe and ramps.
#include "tests/support/synthetic_library.h"
#include "tests/widgets/live_workplace.h"
#include "tests/widgets/screenshot.h"
#include "widgets/pages/live/live_page.h"
#include "widgets/plots/batch_bar.h"
#include "widgets/plots/plot_view.h"
#include "widgets/style/controls.h"
#include "widgets/style/workbench_style.h"

#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollArea>
#include <QSettings>
#include <QTest>

namespace test_live_details {
using namespace accumulus;
using namespace accumulus::ui;
using namespace accumulus::test;

class TestLiveDetails : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        QSettings().clear();
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
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
        // What to do and why, in one sentence; the numbers behind it in the tool tip.
        const QString words = work.find<QLabel>("liveNoiseWords")->text();
        QVERIFY2(words.contains(QStringLiteral(": the gradient noise scale is roughly ")) &&
                     words.contains(QStringLiteral(", and B is ")) && words.count(QLatin1Char('.')) == 1,
                 qPrintable(words));
        const QString behind = work.find<QLabel>("liveNoiseWords")->toolTip();
        QVERIFY2(behind.contains(QStringLiteral("order of magnitude")) &&
                     behind.contains(QStringLiteral("; at B = ")) &&
                     behind.contains(QStringLiteral(" times the fewest possible updates.")),
                 qPrintable(behind));
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
        QCOMPARE(
            work.find<QLabel>("liveSaving")->text(),
            QStringLiteral("Accumulation saves 67 % of training memory: 21.0 MB in place of 64.0 MB. That is training "
                           "alone: evaluations of the accumulated arm take up to 80.0 MB."));
        QVERIFY(!work.find<QLabel>("liveTime.9.0")->isVisible()); // a loss scale of 1 is none
        for (const char* ofRanks : {"liveTime.4.0", "liveTime.5.1", "liveRanks.0", "liveRanks.1"})
            QVERIFY2(!work.find<QLabel>(ofRanks)->isVisible(), ofRanks); // one rank waits for nobody
        QVERIFY(work.find<QLabel>("liveTimeNote")->text().contains(QStringLiteral("newest 50 window")));
        QCoreApplication::processEvents(); // a group is drawn when it is shown
        test::saveScreenshot(*work.page, QStringLiteral("live_cost"));
        // The choice is kept.
        const LivePage next(work.services());
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
};

QTEST_MAIN(TestLiveDetails)
} // namespace test_live_details
#include "test_live_details.moc"
