// SPDX-License-Identifier: GPL-3.0-or-later
// How long the real window does not answer, offscreen, with a run of a million updates: while its curves are loaded,
// smoothed, put on another x axis, zoomed, and written as CSV. The longest stall of each, in milliseconds, beside the
// budget, and how long the whole took.
//   bench_curves [POINTS]
#include "app/workbench/application.h"
#include "core/config/config_fields.h"
#include "tests/bench/offscreen_window.h"
#include "widgets/pages/live/live_page.h"
#include "widgets/plots/plot_view.h"

#include <QApplication>
#include <QComboBox>
#include <QElapsedTimer>
#include <QSlider>
#include <QTimer>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>

using namespace accumulus;
using namespace accumulus::ui;

namespace {

constexpr qint64 patience = 120'000; ///< milliseconds
constexpr int budget = 100;

/// A completed run of so many updates of one sample, with a falling loss.
Status addRun(RunStore& store, std::int64_t updates) {
    StudyRecord study;
    study.id = "study";
    study.name = "long";
    study.config.seeds = {0};
    ACCUMULUS_TRY(store.addStudy(study));
    RunRecord run;
    run.id = "long";
    run.study = study.id;
    run.name = "long";
    run.config.batch.effective = run.config.batch.micro = 1;
    run.config.train.length = {updates, Extent::Unit::Updates};
    ACCUMULUS_TRY_ASSIGN(run.batch, resolveBatch(run.config.batch));
    run.configHash = configHash(run.config, 0);
    run.pairHash = pairHash(run.config, 0);
    run.totalUpdates = updates;
    run.createdAt = run.startedAt = 1.79e9;
    ACCUMULUS_TRY(store.addRun(run));
    ACCUMULUS_TRY(store.updateStarted(run));
    ACCUMULUS_TRY(store.setState(run.id, RunState::Running));
    std::vector<WindowRecord> block;
    for (std::int64_t i = 1; i <= updates; ++i) {
        WindowRecord& window = block.emplace_back();
        const auto at = static_cast<double>(i);
        window.window = i;
        window.update = i;
        window.samples = i;
        window.epochPosition = at / 60'000.0;
        window.units = 1.0;
        window.microSteps = 1;
        window.loss = 3.0 * std::exp(-at / 2e5) + 0.02 + 0.002 * std::sin(at * 0.7);
        window.lr = 0.01;
        window.gradNorm = 1.0 + 0.1 * std::sin(at * 0.3);
        window.seconds = 0.001;
        window.activeSeconds = 0.001 * at;
        window.wallTime = run.startedAt + window.activeSeconds;
        if (block.size() == 10'000 || i == updates) {
            ACCUMULUS_TRY(store.addWindows(run.id, 1, block));
            block.clear();
        }
    }
    RunSummary summary;
    summary.updates = summary.microSteps = summary.samples = updates;
    return store.finishRun(run.id, RunState::Completed, summary, run.startedAt + 1e3);
}

/// Longest time between two turns of the event loop while `begin` and what follows from it goes on.
void measure(const char* what, const std::function<void()>& begin, const std::function<bool()>& done) {
    QElapsedTimer whole, turn;
    qint64 longest = 0;
    whole.start();
    turn.start();
    const auto turned = [&] { longest = std::max(longest, turn.nsecsElapsed()); };
    begin();
    turned();
    qint64 quietFrom = -1; // repaints that follow count, too
    while (whole.elapsed() < patience && (quietFrom < 0 || whole.elapsed() - quietFrom < 1500)) {
        turn.start();
        QCoreApplication::processEvents(QEventLoop::AllEvents, 1);
        turned();
        if (quietFrom < 0 && done())
            quietFrom = whole.elapsed();
    }
    std::printf("%-34s %8.1f ms stall (budget %d ms)   %8lld ms in all%s\n", what, static_cast<double>(longest) * 1e-6,
                budget, static_cast<long long>(quietFrom), quietFrom < 0 ? "   (never ended)" : "");
}

void measureCurves(Application& workbench, double points, const QString& csv) {
    auto* page = workbench.window().findChild<LivePage*>();
    auto* loss = workbench.window().findChild<PlotView*>(QStringLiteral("liveLoss"));
    auto* smoothing = workbench.window().findChild<QSlider*>(QStringLiteral("liveSmoothing"));
    auto* axis = workbench.window().findChild<QComboBox*>(QStringLiteral("liveXAxis"));
    const QList<PlotView*> plots = page->findChildren<PlotView*>();
    const auto prepared = [&] {
        return std::ranges::none_of(plots, [](const PlotView* plot) { return plot->preparing(); });
    };
    std::printf("%.0f points\n", points);
    measure(
        "load the curves",
        [&] {
            workbench.window().showPage(QStringLiteral("live"));
            page->showStudy(QStringLiteral("study"));
        },
        [&] { return prepared() && loss->curveCount() > 0 && loss->xMax() >= points; });
    measure(
        "another smoothing", [&] { smoothing->setValue(smoothing->value() == 40 ? 41 : 40); }, prepared);
    measure(
        "another x axis", [&] { axis->setCurrentIndex(axis->currentIndex() == 1 ? 0 : 1); }, prepared);
    measure(
        "logarithmic axes",
        [&] {
            loss->setLogX(true);
            loss->setLogY(true);
        },
        prepared);
    measure(
        "zoom",
        [&] {
            loss->setLogX(false);
            loss->zoomX(0.2 * points, 0.9 * points);
        },
        prepared);
    measure(
        "write the CSV", [&] { loss->saveInBackground(csv); }, [&] { return !loss->saving(); });
    measure(
        "show the table", [&] { loss->showTable(); }, prepared);
}

} // namespace

int main(int argc, char** argv) {
    const std::int64_t points = argc > 1 ? std::atoll(argv[1]) : 1'000'000;
    const test::OffscreenHome home;
    QApplication application(argc, argv);
    if (!home.writeLibrary([&](RunStore& store) { return addRun(store, points); }))
        return 1;
    Application workbench(application, {home.library(), false, {}});
    workbench.start();
    workbench.window().resize(1600, 1000);
    measure(
        "start", [] {}, [&] { return workbench.library().isOpen(); });
    measureCurves(workbench, static_cast<double>(points), home.file(QStringLiteral("loss.csv")));
    return 0;
}
