// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/stall_watch.h"

#include "core/base/log.h"

#include <chrono>
#include <ctime>
#include <utility>

namespace accumulus::ui {
namespace {
using namespace std::chrono_literals;
constexpr auto interval = 50ms;
constexpr auto longest = 100ms; // that goes unnoticed

std::chrono::nanoseconds computedByThisThread() {
#ifdef CLOCK_THREAD_CPUTIME_ID
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
#else
    return {};
#endif
}
} // namespace

StallWatch::StallWatch(std::function<QString()> place, QObject* parent) : QObject(parent), m_place(std::move(place)) {
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, &StallWatch::tick);
}

void StallWatch::begin() {
    m_sinceTick.start();
    m_computed = computedByThisThread();
    m_timer.start(interval);
}

void StallWatch::tick() {
    const auto late = std::chrono::milliseconds(m_sinceTick.restart()) - interval;
    const auto computed = computedByThisThread();
    const auto own =
        std::chrono::duration_cast<std::chrono::milliseconds>(computed - std::exchange(m_computed, computed));
    if (late <= longest)
        return;
    logWarning(tr("The window did not answer for %1 ms (%2).").arg(late.count()).arg(m_place()).toStdString());
    Q_EMIT stalled(late.count(), own.count());
}

} // namespace accumulus::ui
