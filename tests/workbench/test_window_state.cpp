// SPDX-License-Identifier: GPL-3.0-or-later
// What a window shows of its own state, and what the next one, in another text size, takes over: full screen, the
// curves of a study that trains.
#include "core/base/atomic_file.h"
#include "tests/workbench/workbench_fixture.h"
#include "widgets/pages/setup/setup_page.h"
#include "widgets/plots/plot_view.h"

#include <QAction>
#include <QLabel>
#include <QPointer>
#include <QScreen>
#include <QSignalSpy>
#include <QSplitter>
#include <QStatusBar>
#include <QStyle>
#include <algorithm>
#include <cmath>

namespace test_window_state {
using namespace accumulus;
using namespace accumulus::ui;

namespace {

void setTextSize(WorkbenchFixture& fixture, int percent) {
    const MainWindow* before = &fixture.window();
    fixture.workbench().theme().setTextSize(percent);
    QTRY_VERIFY_WITH_TIMEOUT(&fixture.window() != before, patience);
}

ExperimentConfig endlessRun() {
    ExperimentConfig experiment = tinyExperiment();
    experiment.run.data.dataset = "digits-generated";
    experiment.run.train.length = {100'000, Extent::Unit::Epochs};
    experiment.run.evaluate.every = experiment.run.checkpoint.every = {0, Extent::Unit::Epochs};
    experiment.run.device.lanes = experiment.run.device.threads = 1;
    return experiment;
}

} // namespace

class TestWindowState : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void fullScreenAndItsKeyAgree() {
        WorkbenchFixture fixture;
        const auto checked = [&] { return fixture.find<QAction>("actionFullScreen")->isChecked(); };
        fixture.window().showFullScreen(); // as a window manager does it
        QTRY_VERIFY_WITH_TIMEOUT(checked(), patience);
        setTextSize(fixture, 125);
        QTRY_VERIFY_WITH_TIMEOUT(fixture.window().isFullScreen(), patience);
        QVERIFY(checked());
        QTest::keyClick(&fixture.window(), Qt::Key_F11);
        QTRY_VERIFY_WITH_TIMEOUT(!fixture.window().isFullScreen(), patience);
        QVERIFY(!checked());
        // And a window that begins with it.
        fixture.window().showFullScreen();
        fixture.window().close();
        fixture.reopen();
        QCOMPARE(checked(), fixture.window().isFullScreen());
    }

    void aWindowOfALargerScreenFitsThisOne() {
        WorkbenchFixture fixture;
        const QRect screen = fixture.window().screen()->availableGeometry();
        const QSize large(screen.width() + 320, screen.height() + 180);
        fixture.window().resize(large); // as on a screen that is not there any more
        QTRY_VERIFY_WITH_TIMEOUT(fixture.window().close(), patience);
        fixture.reopen();
        QVERIFY(fixture.window().frameGeometry().height() <= screen.height());
        QCOMPARE(fixture.window().width(), std::max(screen.width(), fixture.window().minimumWidth()));
        // One that fits stays as it is.
        const QSize fitting(fixture.window().width(), screen.height() - 60);
        fixture.window().resize(fitting);
        QTRY_VERIFY_WITH_TIMEOUT(fixture.window().close(), patience);
        fixture.reopen();
        QCOMPARE(fixture.window().size(), fitting);
    }

    void theColumnsOfLiveAreKept() {
        WorkbenchFixture fixture;
        fixture.workbench().runs().start(tinyExperiment()); // without a run Live is empty
        fixture.waitUntilIdle(runTimeout);
        const auto leftShare = [&] {
            const QList<int> sizes = fixture.find<QSplitter>("liveColumns")->sizes();
            return static_cast<double>(sizes[0]) / (sizes[0] + sizes[1]);
        };
        const auto show = [&] {
            fixture.window().resize(1600, 1000); // room for other widths
            fixture.window().showPage(QStringLiteral("live"));
            QTRY_VERIFY_WITH_TIMEOUT(fixture.find<QSplitter>("liveColumns")->isVisible(), patience);
            fixture.settle();
        };
        show();
        const double usual = leftShare();
        auto* columns = fixture.find<QSplitter>("liveColumns");
        columns->setSizes({columns->width() * 45 / 100, columns->width() * 55 / 100});
        const double chosen = leftShare();
        QVERIFY2(usual - chosen > 0.05, qPrintable(QStringLiteral("%1 and %2").arg(usual).arg(chosen)));
        // Wide as they were, up to the pixels that a whole number of them leaves over.
        fixture.setLanguage(QStringLiteral("zh_CN"));
        show();
        QVERIFY2(std::abs(leftShare() - chosen) < 0.01, qPrintable(QString::number(leftShare())));
        fixture.reopen();
        show();
        QVERIFY2(std::abs(leftShare() - chosen) < 0.01, qPrintable(QString::number(leftShare())));
        fixture.find<QAction>("actionResetLayout")->trigger();
        // The window is smaller then, and the right column as narrow as it can be.
        QVERIFY2(leftShare() - chosen > 0.05, qPrintable(QString::number(leftShare())));
    }

    void animationsCanBeSwitchedOff() {
        WorkbenchFixture fixture;
        const auto moves = [&] {
            const QStyle& style = *qApp->style();
            const bool inStyle = style.styleHint(QStyle::SH_Widget_Animation_Duration) > 0;
            const bool asked = fixture.find<QAction>("actionAnimations")->isChecked();
            return inStyle == fixture.window().isAnimated() && inStyle == asked ? QVariant(inStyle) : QVariant();
        };
        QCOMPARE(moves(), QVariant(true));
        QVERIFY(qApp->style()->styleHint(QStyle::SH_Widget_Animation_Duration) <= 150);
        fixture.find<QAction>("actionAnimations")->trigger();
        QCOMPARE(moves(), QVariant(false));
        setTextSize(fixture, 110); // another window
        QCOMPARE(moves(), QVariant(false));
        fixture.workbench().theme().setTextSize(text_size::usual);
        fixture.reopen();
        QCOMPARE(moves(), QVariant(false));
        fixture.find<QAction>("actionAnimations")->trigger();
        QCOMPARE(moves(), QVariant(true));
    }

    void theMemoryIsLeftOutWhereItHasNoRoom() {
        WorkbenchFixture fixture;
        auto* line = fixture.find<QStatusBar>("statusLine");
        const auto* memory = fixture.find<QLabel>("statusMemory");
        line->resize(1400, line->height());
        QVERIFY(!memory->isHidden());
        line->resize(160, line->height());
        QVERIFY(memory->isHidden());
        line->resize(1400, line->height());
        QVERIFY(!memory->isHidden());
    }

    /// Another language: what is done until the new window is whole counts there, and the old one goes.
    void theOldWindowAnswersUntilTheNewOneIsWhole() {
        WorkbenchFixture fixture;
        Application& workbench = fixture.workbench();
        const QPointer<MainWindow> old = &workbench.window();
        QSignalSpy replaced(&workbench, &Application::windowReplaced);
        workbench.setLanguage(QStringLiteral("zh_CN"));
        QVERIFY(replaced.isEmpty() && &workbench.window() == old && old->isVisible());
        ExperimentConfig experiment = endlessRun();
        experiment.study.name = "typed meanwhile";
        old->findChild<SetupPage*>()->setExperiment(experiment);
        old->showPage(QStringLiteral("planner"));
        workbench.theme().setTextSize(125); // and that, too, before the first one is there
        QTRY_VERIFY_WITH_TIMEOUT(!replaced.isEmpty(), patience);
        QVERIFY(workbench.window().isVisible() && (!old || !old->isVisible()));
        QCOMPARE(workbench.window().currentPage(), QStringLiteral("planner"));
        QCOMPARE(workbench.window().findChild<SetupPage*>()->experiment().study.name, std::string("typed meanwhile"));
        QTRY_VERIFY_WITH_TIMEOUT(!old, patience);
        fixture.settle();
        QCOMPARE(replaced.count(), 1);
    }

    void aWindowThatIsClosedIsNotReplaced() {
        WorkbenchFixture fixture;
        Application& workbench = fixture.workbench();
        const MainWindow* before = &workbench.window();
        const auto windows = [] {
            return std::ranges::count_if(QApplication::topLevelWidgets(),
                                         [](const QWidget* window) { return qobject_cast<const MainWindow*>(window); });
        };
        workbench.setLanguage(QStringLiteral("zh_CN"));
        QCOMPARE(windows(), 2); // the next one is being built
        workbench.window().close();
        QTRY_COMPARE(windows(), 1);
        QCOMPARE(&workbench.window(), before);
        for (const QWidget* window : QApplication::topLevelWidgets())
            QVERIFY2(!window->isVisible(), qPrintable(window->objectName()));
    }

    void noWindowOfTheRunIsMissedByANewWindow() {
        WorkbenchFixture fixture;
        RunController& runs = fixture.workbench().runs();
        std::size_t windows = 0;
        connect(&runs, &RunController::eventsArrived, this, [&windows](const std::vector<RunEvent>& events) {
            for (const RunEvent& event : events)
                windows += std::holds_alternative<WindowClosed>(event) ? 1U : 0U;
        });
        runs.start(endlessRun());
        fixture.window().showPage(QStringLiteral("live"));
        for (const int percent : {110, 100, 125, 100}) {
            const std::size_t before = windows;
            QTRY_VERIFY_WITH_TIMEOUT(windows > before + 20, runTimeout);
            setTextSize(fixture, percent);
        }
        runs.stop();
        fixture.waitUntilIdle(runTimeout);
        fixture.settle();
        const auto all = fixture.workbench().library().reader().runs().value();
        const QString csv = fixture.file(QStringLiteral("loss.csv"));
        QVERIFY(fixture.find<PlotView>("liveLoss")->saveAs(csv));
        const QString text = QString::fromStdString(readFile(csv.toStdString()).value());
        QCOMPARE(text.count(QLatin1Char('\n')) - 1,
                 static_cast<qsizetype>(fixture.workbench().library().reader().windows(all.front().id).value().size()));
    }
};

QTEST_MAIN(TestWindowState)
} // namespace test_window_state
#include "test_window_state.moc"
