// SPDX-License-Identifier: GPL-3.0-or-later
// Verbs on a run in progress. Thread-safe; any thread may call; the trainer looks between micro-steps.
#pragma once

#include <condition_variable>
#include <mutex>

namespace accumulus {

class RunControl {
public:
    enum class Request { None, Stop, StopNow };

    void pause();   ///< takes effect after the current micro-step
    void resume();
    void stop();    ///< at the update boundary, with a checkpoint
    void stopNow(); ///< after the current micro-step: the open window is abandoned, the weights of the last boundary are saved
    void reset();   ///< before a new study

    [[nodiscard]] Request request() const;
    [[nodiscard]] bool paused() const;
    /// Blocks while paused and not stopped. Returns seconds waited. Trainer thread.
    double waitWhilePaused();

private:
    mutable std::mutex m_mutex;
    std::condition_variable m_changed;
    bool m_paused = false;
    Request m_request = Request::None;
};

} // namespace accumulus
