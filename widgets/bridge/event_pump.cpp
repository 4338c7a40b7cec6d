// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/bridge/event_pump.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

namespace accumulus::ui {
namespace {
constexpr int pauseMilliseconds = 33; // 30 deliveries a second
}

EventPump::EventPump(QObject* parent) : QObject(parent) {
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, [this] { flush(); });
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

std::size_t EventPump::pushed() {
    const std::lock_guard lock(m_mutex);
    return m_delivered + m_waiting.size();
}

void EventPump::flush() { flush(std::numeric_limits<std::size_t>::max()); }

void EventPump::flush(std::size_t upTo) {
    m_timer.stop();
    std::vector<RunEvent> batch;
    bool more = false;
    {
        const std::lock_guard lock(m_mutex);
        const std::size_t count = std::min(upTo - std::min(upTo, m_delivered), m_waiting.size());
        const auto end = m_waiting.begin() + static_cast<std::ptrdiff_t>(count);
        batch.assign(std::make_move_iterator(m_waiting.begin()), std::make_move_iterator(end));
        m_waiting.erase(m_waiting.begin(), end);
        m_delivered += count;
        more = m_awake = !m_waiting.empty();
    }
    if (more)
        m_timer.start(pauseMilliseconds);
    m_sinceDelivery.start();
    if (!batch.empty())
        Q_EMIT arrived(batch);
}

} // namespace accumulus::ui
