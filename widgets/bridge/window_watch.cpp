// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/bridge/window_watch.h"

namespace accumulus::ui {
namespace {
constexpr int lookMilliseconds = 33; // 30 looks a second
}

WindowWatch::WindowWatch(const WindowGauge& gauge, QObject* parent) : QObject(parent), m_gauge(gauge) {
    m_timer.setInterval(lookMilliseconds);
    connect(&m_timer, &QTimer::timeout, this, &WindowWatch::look);
}

void WindowWatch::start() {
    look();
    m_timer.start();
}

void WindowWatch::stop() {
    m_timer.stop();
    look();
}

void WindowWatch::look() {
    const WindowProgress now = m_gauge.read();
    if (now == m_seen)
        return;
    m_seen = now;
    Q_EMIT progressed(m_seen);
}

} // namespace accumulus::ui
