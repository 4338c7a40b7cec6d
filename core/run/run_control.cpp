// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run_control.h"

#include <utility>

namespace accumulus {

void RunControl::change(bool paused, Request request) {
    {
        const std::lock_guard lock(m_mutex);
        m_paused = paused;
        m_request = request;
        m_asked = paused || request != Request::None;
    }
    m_changed.notify_all();
}

void RunControl::pause() { change(true, request()); }
void RunControl::resume() { change(false, request()); }
void RunControl::stop() { change(false, request() == Request::StopNow ? Request::StopNow : Request::Stop); }
void RunControl::stopNow() { change(false, Request::StopNow); }

void RunControl::reset() {
    change(false, Request::None);
    const std::lock_guard lock(m_mutex);
    m_pausedSeconds = 0.0;
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

void RunControl::waitWhilePaused() {
    if (!m_asked)
        return;
    std::unique_lock lock(m_mutex);
    if (!m_paused || m_request != Request::None)
        return;
    if (m_waiting++ == 0) {
        m_waitStart = std::chrono::steady_clock::now();
        if (m_listener)
            m_listener(true);
    }
    m_changed.wait(lock, [this] { return !m_paused || m_request != Request::None; });
    if (--m_waiting == 0) {
        m_pausedSeconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - m_waitStart).count();
        if (m_listener)
            m_listener(false);
    }
}

double RunControl::pausedSeconds() const {
    const std::lock_guard lock(m_mutex);
    return m_pausedSeconds;
}

void RunControl::setPauseListener(std::function<void(bool)> listener) {
    const std::lock_guard lock(m_mutex);
    m_listener = std::move(listener);
}

} // namespace accumulus
