// SPDX-License-Identifier: GPL-3.0-or-later
// Verbs on a run in progress, and how far its open window is. Thread-safe; any thread may call; the trainer looks
// between micro-steps.
#pragma once

#include "core/run/window_gauge.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>

namespace accumulus {

class RunControl {
public:
    enum class Request { None, Stop, StopNow };

    void pause(); ///< takes effect after the current micro-step; ignored once a stop was asked for
    void resume();
    void stop();    ///< at the update boundary, with a checkpoint
    void stopNow(); ///< after the current micro-step; the open window is saved with the checkpoint
    void leave();   ///< of a study that is trained elsewhere: follow it no more; it goes on
    void reset();   ///< before a new study

    [[nodiscard]] Request request() const;
    [[nodiscard]] bool paused() const;
    /// stopNow() was asked for more than once: somebody waits for a process that does not obey.
    [[nodiscard]] bool insisted() const;
    [[nodiscard]] bool left() const { return m_left; }
    /// Blocks while paused and not stopped. Called by every lane between micro-steps; costs one atomic load when
    /// nothing is asked.
    void waitWhilePaused();
    /// Returns once stopNow() was asked for, or after `longest`.
    void waitForStopNow(std::chrono::milliseconds longest);
    /// Seconds for which waitWhilePaused() has held lanes since reset(), overlapping waits counted once.
    [[nodiscard]] double pausedSeconds() const;
    /// Told when waiting begins (true) and ends (false), in turn, on a lane's thread. It may block and may call back:
    /// verbs never wait for it. Returns once the previous listener is no longer running.
    void setPauseListener(std::function<void(bool)> listener);
    /// Of the run that this process trains; says nothing of one that is trained elsewhere.
    [[nodiscard]] WindowGauge& openWindow() { return m_openWindow; }

private:
    template <class Change>
    void apply(Change change);
    void tellListener();

    mutable std::mutex m_mutex;
    std::condition_variable m_changed;
    std::atomic<bool> m_asked{false}; ///< anything but "go on"
    bool m_paused = false;
    Request m_request = Request::None;
    bool m_insisted = false;
    std::atomic<bool> m_left{false};
    int m_waiting = 0;
    std::chrono::steady_clock::time_point m_waitStart;
    double m_pausedSeconds = 0.0;

    std::mutex m_listenerMutex; ///< taken before m_mutex, never after it
    std::function<void(bool)> m_listener;
    bool m_toldWaiting = false;

    WindowGauge m_openWindow;
};

} // namespace accumulus
