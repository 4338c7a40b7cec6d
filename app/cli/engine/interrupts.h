// SPDX-License-Identifier: GPL-3.0-or-later
// Ctrl+C and its kin while a study trains: the first stops at the update boundary with a checkpoint, the second stops
// now, the third leaves at once. SIGTERM and SIGHUP count like Ctrl+C, but for a SIGHUP that is ignored. On several
// ranks the first stops now, because mpirun then gives a rank no more than a second; SIGUSR1, which mpirun hands on and
// batch systems send before a job's time is over, stops at the update boundary. Who follows what is trained elsewhere
// ends it with the third Ctrl+C and leaves it alone with the fourth, and on SIGTERM and SIGHUP. No signal handler runs:
// one thread waits for the signals.
#pragma once

#include "app/cli/console.h"
#include "core/run/run_control.h"

#include <atomic>
#include <csignal>
#include <thread>

namespace accumulus::cli {

class Interrupts {
public:
    enum class Who {
        Trains,
        Rank,
        Follows ///< what is trained elsewhere, and goes on there when the terminal closes
    };
    /// Construct before any other thread starts: threads inherit the mask that keeps the signals for this one.
    Interrupts(RunControl& control, Console& console, Who who = Who::Trains);
    ~Interrupts();
    Interrupts(const Interrupts&) = delete;
    Interrupts& operator=(const Interrupts&) = delete;

    [[nodiscard]] bool received() const { return m_count > 0; }

private:
    void wait();
    void endElsewhere();

    RunControl& m_control;
    Console& m_console;
    Who m_who;
    std::atomic<int> m_count = 0;
    std::atomic<bool> m_done = false;
    sigset_t m_signals{};
    sigset_t m_before{};
    std::thread m_thread;
};

} // namespace accumulus::cli
