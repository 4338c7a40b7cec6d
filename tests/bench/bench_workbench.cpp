// SPDX-License-Identifier: GPL-3.0-or-later
// Trains one study in the real window, offscreen, with the Live page's curves moving, and leaves its library for the
// reader of the speeds.
//   bench_workbench LIBRARY [KEY=VALUE ...]
#include "app/workbench/application.h"
#include "core/config/config_fields.h"
#include "tests/bench/offscreen_window.h"

#include <QApplication>
#include <QTimer>
#include <cstdio>

using namespace accumulus;
using namespace accumulus::ui;

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: bench_workbench LIBRARY [KEY=VALUE ...]\n");
        return 2;
    }
    ExperimentConfig experiment;
    for (int i = 2; i < argc; ++i)
        if (const Status set = applyAssignment(experiment, argv[i]); !set) {
            std::fprintf(stderr, "%s\n", describe(set.error()).c_str());
            return 2;
        }
    const test::OffscreenHome home;
    QApplication application(argc, argv);
    Application workbench(application, {argv[1], false});
    workbench.start();
    workbench.window().resize(1600, 1000);
    // Starts as soon as the library is open; leaves when nothing trains any more.
    bool started = false;
    QTimer watch;
    QObject::connect(&watch, &QTimer::timeout, &application, [&] {
        if (!started && workbench.library().isOpen()) {
            started = true;
            workbench.runs().start(experiment);
            workbench.window().showPage(QStringLiteral("live"));
        } else if (started && !workbench.runs().busy()) {
            application.quit();
        }
    });
    watch.start(100);
    return QApplication::exec();
}
