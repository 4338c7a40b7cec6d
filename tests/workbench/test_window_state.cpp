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
#include <QSignalSpy>
#include <QStatusBar>
#include <algorithm>

using namespace accumulus;
using namespace accumulus::ui;

namespace {

constexpr int runTimeout = 120'000;

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
#include "test_window_state.moc"
