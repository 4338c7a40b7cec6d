// SPDX-License-Identifier: GPL-3.0-or-later
// Carries events from the recorder's thread to the GUI thread: batches in order, at most 30 a second, none dropped.
// push() from any thread, the rest on the GUI thread. The producer never waits for the GUI: what is not fetched yet
// piles up here.
#pragma once

#include "core/run/run_events.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <mutex>
#include <span>
#include <vector>

namespace accumulus::ui {

class EventPump : public QObject {
    Q_OBJECT
public:
    explicit EventPump(QObject* parent = nullptr);

    void push(std::span<const RunEvent> events); ///< any thread
    [[nodiscard]] std::size_t pushed();          ///< events so far; any thread
    void flush();                                ///< delivers what waits, at once
    void flush(std::size_t upTo);                ///< the same, of the first `upTo` that were pushed

Q_SIGNALS:
    void arrived(const std::vector<accumulus::RunEvent>& events);

private:
    void wake();

    std::mutex m_mutex;
    std::vector<RunEvent> m_waiting; ///< guarded by m_mutex
    std::size_t m_delivered = 0;     ///< guarded by m_mutex
    bool m_awake = false;            ///< guarded by m_mutex: a wake-up is under way
    QElapsedTimer m_sinceDelivery;
    QTimer m_timer;
};

} // namespace accumulus::ui
