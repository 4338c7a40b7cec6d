// SPDX-License-Identifier: GPL-3.0-or-later
// Compare with two groups of ten runs in the real window, offscreen, drawn by software: how long until the curves are
// painted, as an outline and with all points, how many frames a second a hand sees that drags them, the longest time
// that the window does not answer, and the most memory, each beside its budget.
//   bench_compare [POINTS of each run] [RUNS of each group]
#include "app/workbench/application.h"
#include "tests/bench/offscreen_window.h"
#include "tests/support/long_runs.h"
#include "widgets/pages/compare/compare_page.h"
#include "widgets/plots/plot_view.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QMouseEvent>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <numeric>

using namespace accumulus;
using namespace accumulus::ui;

namespace {

constexpr qint64 patience = 300'000; ///< milliseconds

Status addRuns(RunStore& store, std::int64_t points, std::int64_t runs) {
    std::vector<std::int64_t> seeds(static_cast<std::size_t>(runs));
    std::iota(seeds.begin(), seeds.end(), 0);
    ACCUMULUS_TRY(test::addLongStudy(store, seeds));
    for (const std::int64_t seed : seeds)
        for (const Arm arm : {Arm::Accumulated, Arm::LargeBatch})
            ACCUMULUS_TRY(test::addLongRun(store, arm, seed, points));
    return {};
}

/// Most memory of this process so far, in MB.
double peakMegabytes() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("VmHWM:"))
            return std::strtod(line.c_str() + 6, nullptr) * 1024.0 / 1e6;
    return 0.0;
}

/// Turns the event loop until `done`; the longest turn is remembered.
class Loop {
public:
    bool until(const std::function<bool()>& done) {
        QElapsedTimer whole, turn;
        whole.start();
        while (!done()) {
            if (whole.elapsed() > patience)
                return false;
            turn.start();
            QCoreApplication::processEvents(QEventLoop::AllEvents, 1);
            m_longest = std::max(m_longest, turn.nsecsElapsed());
        }
        return true;
    }
    [[nodiscard]] double longestMilliseconds() const { return static_cast<double>(m_longest) * 1e-6; }

private:
    qint64 m_longest = 0;
};

/// Counts how often a plot, or what it consists of, is painted.
class Paints : public QObject {
public:
    explicit Paints(PlotView& plot) {
        plot.installEventFilter(this);
        for (QWidget* part : plot.findChildren<QWidget*>())
            part->installEventFilter(this);
    }
    [[nodiscard]] int count() const { return m_count; }

protected:
    bool eventFilter(QObject*, QEvent* event) override {
        m_count += event->type() == QEvent::Paint ? 1 : 0;
        return false;
    }

private:
    int m_count = 0;
};

void move(PlotView& plot, QEvent::Type type, QPointF to, Qt::MouseButtons held) {
    const Qt::MouseButton button = type == QEvent::MouseMove ? Qt::NoButton : Qt::LeftButton;
    QMouseEvent event(type, to, plot.mapToGlobal(to), button, held, Qt::NoModifier);
    QCoreApplication::sendEvent(&plot, &event);
}

/// Frames a second while a hand drags the curves to and fro.
double dragged(PlotView& plot, Loop& loop) {
    constexpr int frames = 120, reach = 60; // pixels
    const Paints paints(plot);
    const QPointF middle(plot.rect().center());
    QElapsedTimer whole;
    move(plot, QEvent::MouseButtonPress, middle, Qt::LeftButton);
    whole.start();
    for (int frame = 1; frame <= frames; ++frame) {
        const int before = paints.count();
        const int way = frame % (2 * reach);
        move(plot, QEvent::MouseMove, middle - QPointF(12 + (way < reach ? way : 2 * reach - way), 0), Qt::LeftButton);
        if (!loop.until([&] { return paints.count() > before; }))
            return 0.0;
    }
    const double seconds = static_cast<double>(whole.nsecsElapsed()) * 1e-9;
    move(plot, QEvent::MouseButtonRelease, middle, Qt::NoButton);
    return frames / seconds;
}

} // namespace

int main(int argc, char** argv) {
    const std::int64_t points = argc > 1 ? std::atoll(argv[1]) : 100'000;
    const std::int64_t runs = argc > 2 ? std::atoll(argv[2]) : 10;
    if (points < 1 || runs < 1) {
        std::fputs("usage: bench_compare [POINTS of each run] [RUNS of each group]\n", stderr);
        return 2;
    }
    const test::OffscreenHome home;
    QApplication application(argc, argv);
    if (!home.writeLibrary([&](RunStore& store) { return addRuns(store, points, runs); }))
        return 1;
    const double before = peakMegabytes();
    Application workbench(application, {home.library(), false, {}});
    workbench.start();
    workbench.window().resize(1600, 1000);
    Loop starting, painting, dragging;
    if (!starting.until([&] { return workbench.library().isOpen() && workbench.library().idle(); }))
        return 1;
    auto* page = workbench.window().findChild<ComparePage*>();
    auto* loss = workbench.window().findChild<PlotView*>(QStringLiteral("compare.loss"));
    workbench.window().showPage(QStringLiteral("compare"));
    const double full = static_cast<double>(points);
    QElapsedTimer whole;
    whole.start();
    page->compareStudy(QString::fromLatin1(test::longStudy));
    const Paints paints(*loss);
    const auto isPainted = [&](const std::function<bool()>& ready) {
        int whenReady = -1;
        return painting.until([&] {
            if (whenReady < 0 && loss->curveCount() > 0 && !loss->preparing() && loss->xMax() >= full && ready())
                whenReady = paints.count();
            return whenReady >= 0 && paints.count() > whenReady;
        });
    };
    std::printf("%lld runs of %lld points\n", static_cast<long long>(2 * runs), static_cast<long long>(points));
    const auto tell = [&](const char* what, const std::function<bool()>& ready, const char* budget) {
        const bool painted = isPainted(ready);
        std::printf("%-21s%8.2f s          %s%s\n", what, static_cast<double>(whole.elapsed()) * 1e-3, budget,
                    painted ? "" : "   never");
        return painted;
    };
    const bool painted = tell(
                             "first paint", [] { return true; }, "(budget 1 s)") &&
                         tell(
                             "all points", [&] { return workbench.library().idle(); }, "");
    loss->zoomX(0.25 * loss->xMax(), 0.75 * loss->xMax());
    loss->refreshNow();
    std::printf("dragging             %8.1f frames/s   (budget 15 by software, 30 else)\n", dragged(*loss, dragging));
    std::printf("longest stall        %8.1f ms, %.1f ms while dragging\n", painting.longestMilliseconds(),
                dragging.longestMilliseconds());
    std::printf("most memory          %8.1f MB         (budget 600 MB; %.1f MB before the window)\n", peakMegabytes(),
                before);
    return painted ? 0 : 1;
}
