// SPDX-License-Identifier: GPL-3.0-or-later
// How long the real window does not answer, offscreen, with a run of a million updates: while its curves are loaded,
// smoothed, put on another x axis, zoomed, and written as CSV. The longest stall of each, in milliseconds, beside the
// budget, and how long the whole took.
//   bench_curves [POINTS]
#include "app/workbench/application.h"
#include "tests/bench/offscreen_window.h"
#include "tests/support/long_runs.h"
#include "widgets/pages/live/live_page.h"
#include "widgets/plots/plot_view.h"

#include <QApplication>
#include <QComboBox>
#include <QElapsedTimer>
#include <QSlider>
#include <QTimer>
#include <algorithm>
#include <cstdio>
#include <functional>

using namespace accumulus;
using namespace accumulus::ui;

namespace {

constexpr qint64 patience = 120'000; ///< milliseconds
constexpr int budget = 100;

Status addRun(RunStore& store, std::int64_t updates) {
    ACCUMULUS_TRY(test::addLongStudy(store, {0}));
    return test::addLongRun(store, Arm::Accumulated, 0, updates);
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
            page->showStudy(QString::fromLatin1(test::longStudy));
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
            loss->zoomX(0.2 * loss->xMax(), 0.9 * loss->xMax());
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
