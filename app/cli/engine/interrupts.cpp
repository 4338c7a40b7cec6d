// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/engine/interrupts.h"

#include "app/cli/stop_signals.h"

#include <cstdlib>

namespace accumulus::cli {

Interrupts::Interrupts(RunControl& control, Console& console, Who who)
    : m_control(control), m_console(console), m_who(who) {
    m_signals = stopSignals();
    sigaddset(&m_signals, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &m_signals, &m_before);
    m_thread = std::thread([this] { wait(); });
}

Interrupts::~Interrupts() {
    m_done = true;
    pthread_kill(m_thread.native_handle(), SIGTERM);
    m_thread.join();
    // A further Ctrl+C that is still pending must not kill the program now that it is about to say how to go on.
    const timespec now{};
    while (sigtimedwait(&m_signals, nullptr, &now) > 0) {
    }
    pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
}

void Interrupts::wait() {
    int signal = 0;
    while (sigwait(&m_signals, &signal) == 0 && !m_done) {
        if (signal == SIGUSR1) {
            m_control.stop();
            m_console.note("Stopping after this update and saving a checkpoint.");
            continue;
        }
        if (m_who == Who::Follows && signal != SIGINT) {
            m_control.leave();
            continue;
        }
        switch (m_who == Who::Rank&& m_count == 0 ? m_count = 2 : ++m_count) {
        case 1:
            m_control.stop();
            m_console.note("Stopping after this update and saving a checkpoint. Press Ctrl+C again to stop now.");
            break;
        case 2:
            m_control.stopNow();
            m_console.note(m_who == Who::Follows ? "Stopping now. Press Ctrl+C again to end the training process."
                                                 : "Stopping now. Press Ctrl+C again to quit immediately.");
            break;
        default:
            if (m_who == Who::Follows) {
                endElsewhere();
                continue;
            }
            // Everything committed so far is safe in the library; the run shows as interrupted and can be resumed.
            std::_Exit(static_cast<int>(ErrorKind::Interrupted));
        }
    }
}

void Interrupts::endElsewhere() {
    if (m_count > 3) {
        m_control.leave();
        return;
    }
    m_control.stopNow(); // insists
    m_console.note("Ending the training process. Press Ctrl+C again to leave it alone.");
}

} // namespace accumulus::cli
