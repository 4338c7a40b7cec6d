// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/bridge/event_pump.h"

#include <algorithm>
#include <utility>

namespace accumulus::ui {
namespace {
constexpr int pauseMilliseconds = 33; // 30 deliveries a second
}

EventPump::EventPump(QObject* parent) : QObject(parent) {
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &EventPump::flush);
}

void EventPump::push(std::span<const RunEvent> events) {
    bool wakeUp = false;
    {
        const std::lock_guard lock(m_mutex);
        m_waiting.insert(m_waiting.end(), events.begin(), events.end());
        wakeUp = !std::exchange(m_awake, true);
    }
    if (wakeUp)
        QMetaObject::invokeMethod(this, &EventPump::wake, Qt::QueuedConnection);
}

void EventPump::wake() {
    const qint64 passed = m_sinceDelivery.isValid() ? m_sinceDelivery.elapsed() : pauseMilliseconds;
    if (passed >= pauseMilliseconds)
        flush();
    else
        m_timer.start(static_cast<int>(pauseMilliseconds - passed));
}

void EventPump::flush() {
    m_timer.stop();
    std::vector<RunEvent> batch;
    {
        const std::lock_guard lock(m_mutex);
        batch.swap(m_waiting);
        m_awake = false;
    }
    m_sinceDelivery.start();
    if (!batch.empty())
        Q_EMIT arrived(batch);
}

} // namespace accumulus::ui
