// SPDX-License-Identifier: GPL-3.0-or-later
// How much of a core the machine has for a thread of this process: what a bound on a time has to be multiplied with
// where others compute at the same time.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <thread>

namespace accumulus::ui {

/// A thread that works for a few milliseconds ten times a second and looks how long that takes. From the start to the
/// end of its life.
class MachinePace {
public:
    MachinePace() : m_thread([this] { run(); }) {}
    ~MachinePace() {
        m_end = true;
        m_thread.join();
    }
    MachinePace(const MachinePace&) = delete;
    MachinePace& operator=(const MachinePace&) = delete;

    /// Worst so far of: time that passed over time computed. 1 on a machine that is otherwise idle.
    [[nodiscard]] double slowdown() const { return m_slowdown; }
    /// Worst so far, in milliseconds: how much later than it had asked for the thread was woken.
    [[nodiscard]] double lateness() const { return m_lateness; }

private:
    using Clock = std::chrono::steady_clock;
    static double milliseconds(Clock::duration duration) {
        return std::chrono::duration<double, std::milli>(duration).count();
    }
    static double computed() { // by this thread, in milliseconds
        timespec time{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
    }

    void run() {
        constexpr auto pause = std::chrono::milliseconds(100);
        constexpr double work = 5.0;
        while (!m_end) {
            const auto asleep = Clock::now();
            std::this_thread::sleep_for(pause);
            const auto awake = Clock::now();
            m_lateness = std::max<double>(m_lateness, milliseconds(awake - asleep - pause));
            const double before = computed();
            while (computed() - before < work) {
            }
            m_slowdown = std::max<double>(m_slowdown, milliseconds(Clock::now() - awake) / (computed() - before));
        }
    }

    std::atomic<bool> m_end = false;
    std::atomic<double> m_slowdown = 1.0, m_lateness = 0.0;
    std::thread m_thread;
};

} // namespace accumulus::ui
