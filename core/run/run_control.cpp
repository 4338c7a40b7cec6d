// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run_control.h"

#include <algorithm>
#include <utility>

namespace accumulus {

/// Reads and writes in one piece, so that a pause that comes with a stop does not undo it.
template <class Change>
void RunControl::apply(Change change) {
    {
        const std::lock_guard lock(m_mutex);
        change();
        if (m_request != Request::None)
            m_paused = false;
        m_asked = m_paused || m_request != Request::None;
    }
    m_changed.notify_all();
}

void RunControl::pause() {
    apply([this] { m_paused = true; });
}
void RunControl::resume() {
    apply([this] { m_paused = false; });
}
void RunControl::stop() {
    apply([this] { m_request = std::max(m_request, Request::Stop); });
}
void RunControl::stopNow() {
    apply([this] {
        m_insisted = m_request == Request::StopNow;
        m_request = Request::StopNow;
    });
}
void RunControl::leave() { m_left = true; }
void RunControl::reset() {
    m_left = false;
    m_openWindow.set({});
    apply([this] {
        m_paused = false;
        m_request = Request::None;
        m_insisted = false;
        m_pausedSeconds = 0.0;
    });
}

RunControl::Request RunControl::request() const {
    if (!m_asked)
        return Request::None;
    const std::lock_guard lock(m_mutex);
    return m_request;
}

bool RunControl::paused() const {
    const std::lock_guard lock(m_mutex);
    return m_paused;
}

bool RunControl::insisted() const {
    const std::lock_guard lock(m_mutex);
    return m_insisted;
}

void RunControl::waitWhilePaused() {
    if (!m_asked)
        return;
    std::unique_lock lock(m_mutex);
    if (!m_paused || m_request != Request::None)
        return;
    if (m_waiting++ == 0) {
        m_waitStart = std::chrono::steady_clock::now();
        lock.unlock();
        tellListener();
        lock.lock();
    }
    m_changed.wait(lock, [this] { return !m_paused || m_request != Request::None; });
    if (--m_waiting > 0)
        return;
    m_pausedSeconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - m_waitStart).count();
    lock.unlock();
    tellListener();
}

void RunControl::waitForStopNow(std::chrono::milliseconds longest) {
    std::unique_lock lock(m_mutex);
    m_changed.wait_for(lock, longest, [this] { return m_request == Request::StopNow; });
}

/// Tells what is so now, if it was not told yet: calls that overtake each other cannot turn the order around.
void RunControl::tellListener() {
    const std::lock_guard telling(m_listenerMutex);
    const bool waiting = [this] {
        const std::lock_guard lock(m_mutex);
        return m_waiting > 0;
    }();
    if (waiting == m_toldWaiting)
        return;
    m_toldWaiting = waiting;
    if (m_listener)
        m_listener(waiting);
}

double RunControl::pausedSeconds() const {
    const std::lock_guard lock(m_mutex);
    return m_pausedSeconds;
}

void RunControl::setPauseListener(std::function<void(bool)> listener) {
    const std::lock_guard telling(m_listenerMutex);
    m_listener = std::move(listener);
}

} // namespace accumulus
