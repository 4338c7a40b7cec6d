// SPDX-License-Identifier: GPL-3.0-or-later
// What whoever follows a study asks of the process that trains it: one word a line.
#pragma once

#include "core/run/run_control.h"

#include <optional>
#include <string_view>
#include <vector>

namespace accumulus {

enum class LaunchVerb {
    Pause,
    Resume,
    Stop,
    StopNow,
    End,   ///< of what a journal belongs to: ends its processes, or cancels its job
    Begin, ///< to one who has greeted: what was said is to be trained
    Done   ///< everything was read; its journal is not needed any more
};
/// "pause", "resume", "stop", "stop-now", "end", "begin", "done".
[[nodiscard]] std::string_view launchVerbName(LaunchVerb verb);
[[nodiscard]] std::optional<LaunchVerb> launchVerbOf(std::string_view word);

/// What is asked of a control, as far as the one who trains does not know it yet. One thread.
class LaunchWishes {
public:
    /// `paused`: whether the one who trains has paused.
    explicit LaunchWishes(RunControl& control, bool paused = false) : m_control(control), m_paused(paused) {}

    /// To be said now, in this order. stop-now comes once more when it was insisted on.
    [[nodiscard]] std::vector<LaunchVerb> next();
    /// The one who trains has paused, or goes on. Where nobody here has asked for it, the control follows: true.
    bool heard(bool paused);

private:
    RunControl& m_control;
    bool m_paused;
    bool m_waits = false; ///< for word of what was asked
    RunControl::Request m_asked = RunControl::Request::None;
    bool m_insisted = false;
};

} // namespace accumulus
