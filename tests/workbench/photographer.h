// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of the real window, page by page, as PNG files in a folder. GUI thread; what cannot be written or does not
// end is said on standard error.
#pragma once

#include "app/workbench/application.h"

#include <QDir>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QTimer>
#include <cstdio>
#include <functional>
#include <utility>

namespace accumulus::ui {

inline void turnEventLoop(int milliseconds) {
    QEventLoop loop;
    QTimer::singleShot(milliseconds, &loop, &QEventLoop::quit);
    loop.exec();
}

/// Whether it came; what did not is said on standard error.
template <class Condition>
bool waitUntil(Condition condition, int milliseconds, const char* what) {
    QElapsedTimer timer;
    timer.start();
    while (!condition() && timer.elapsed() < milliseconds)
        turnEventLoop(20);
    const bool came = condition();
    if (!came)
        std::fprintf(stderr, "%s did not come within %d s\n", what, milliseconds / 1000);
    return came;
}

class Photographer {
public:
    Photographer(Application& workbench, QDir folder) : m_workbench(workbench), m_folder(std::move(folder)) {}

    void takeAll(const QString& content, const QString& language);

    /// What a page shows only when it is asked for: the groups of Live, every setting of Set up.
    void takeDetails(const QString& ending);

    /// Set up with two devices, and Live, Library and the cost of the study that ran on them.
    void takeRanks(const ExperimentConfig& experiment, const QString& study, const QString& ending);

    /// Audit with a mistake built in, its second part and its gallery.
    void takeAudits(const QString& ending);

    /// Waits for what `begin` begins.
    void audit(const std::function<void()>& begin);

    /// Set up with another place to train at, and the dialog that names one.
    void takePlaces(const QString& ending);

    /// What was found of pictures, text and a table; a file that hovers, one that is refused; Help.
    void takeFiles(const QDir& made, const QString& ending);

    void takeManual(const QString& look);

    /// Planner with a plan, whole and while it is measured, and Set up with the memory bar green and red.
    void takePlans(const ExperimentConfig& experiment, const QString& ending);

    void take(const QString& name);

private:
    Application& m_workbench;
    QDir m_folder;
};

} // namespace accumulus::ui
