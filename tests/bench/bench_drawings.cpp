// SPDX-License-Identifier: GPL-3.0-or-later
// One repaint of the batch bar and of a verdict's sign as the window paints them (QPainter), beside the report's SVG of
// the same through QSvgRenderer, side by side, in microseconds: medians of many. The SVG is read anew for each repaint,
// since the bar changes with each micro-step; reading alone stands in brackets.
//   bench_drawings [REPAINTS]
#include "core/report/small_figures.h"
#include "tests/bench/offscreen_window.h"
#include "widgets/plots/batch_bar.h"
#include "widgets/plots/verdict_mark.h"

#include <QElapsedTimer>
#include <QtSvg/QSvgRenderer>
#include <algorithm>
#include <cstdlib>

using namespace accumulus;
using namespace accumulus::ui;

namespace {

class Stopwatches {
public:
    explicit Stopwatches(int repaints) : m_repaints(repaints) {}

    void print(const char* what, const std::function<void(QPainter&)>& inWindow,
               const std::function<std::string()>& inReport) const {
        std::vector<double> window, report, reading;
        QImage image(609, 28, QImage::Format_ARGB32_Premultiplied);
        for (int i = 0; i < m_repaints; ++i) { // in turn, so that both meet the same moods of the machine
            QPainter painter(&image);
            window.push_back(microseconds([&] { inWindow(painter); }));
            QSvgRenderer renderer;
            const double read = microseconds([&] { renderer.load(QByteArray::fromStdString(inReport())); });
            reading.push_back(read);
            report.push_back(read + microseconds([&] { renderer.render(&painter); }));
        }
        std::printf("%-28s QPainter %8.1f us   SVG %9.1f us (%.1f us)   %6.1f times\n", what, median(window),
                    median(report), median(reading), median(report) / median(window));
    }

private:
    static double microseconds(const std::function<void()>& work) {
        QElapsedTimer timer;
        timer.start();
        work();
        return static_cast<double>(timer.nsecsElapsed()) * 1e-3;
    }
    static double median(std::vector<double> values) {
        std::ranges::sort(values);
        return values[values.size() / 2];
    }

    int m_repaints;
};

} // namespace

int main(int argc, char** argv) {
    const int repaints = argc > 1 ? std::max(1, std::atoi(argv[1])) : 300;
    const test::OffscreenHome home;
    QApplication application(argc, argv);
    Theme theme(application);
    const Stopwatches stopwatches(repaints);
    BatchBar bar(theme);
    bar.resize(609, 28);
    for (const std::size_t steps : {1, 8, 64, 128, 4096, 100'000}) {
        const std::vector<std::int64_t> sizes(steps, 4);
        bar.setMicroSizes(sizes);
        bar.setFilled(steps / 2);
        stopwatches.print(
            qPrintable(QStringLiteral("batch bar, K = %1").arg(steps)),
            [&](QPainter& painter) { bar.render(&painter, {}, {}, {}); },
            [&] { return batchBarSvg(sizes, steps / 2, 609.0, 28.0); });
    }
    for (const Verdict verdict : {Verdict::Equivalent, Verdict::Inconclusive})
        stopwatches.print(
            verdictName(verdict).c_str(),
            [&](QPainter& painter) {
                paintVerdictSign(painter, QRectF(0, 0, 24, 24), verdict, verdictColor(theme.colors(), verdict));
            },
            [&] { return verdictIconSvg(verdict, 24.0); });
    return 0;
}
