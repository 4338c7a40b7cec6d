// SPDX-License-Identifier: GPL-3.0-or-later
// How much of a core the machine has for a thread of this process, and how fast that core is: what a bound on a time
// has to be multiplied with where others compute at the same time, or where the machine is slow.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <thread>

namespace accumulus::ui {

/// Milliseconds that this thread has computed.
[[nodiscard]] inline double computedMilliseconds() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
}

/// How many times the processor time of a usual machine a fixed work takes here and now, the worst of several tries; at
/// least 1. Waiting for others does not count, but caches that are shared with them do.
[[nodiscard]] inline double processorSlowness() {
    constexpr double usual = 15.0; // ms
    constexpr int steps = 10'000'000, tries = 5;
    double worst = usual;
    for (int attempt = 0; attempt < tries; ++attempt) {
        const double before = computedMilliseconds();
        volatile std::uint64_t value = 1; // as slow with any compiler's options
        for (int step = 0; step < steps; ++step)
            value = value * 6364136223846793005U + 1442695040888963407U;
        worst = std::max(worst, computedMilliseconds() - before);
    }
    return worst / usual;
}

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

    void run() {
        constexpr auto pause = std::chrono::milliseconds(100);
        constexpr double work = 5.0;
        while (!m_end) {
            const auto asleep = Clock::now();
            std::this_thread::sleep_for(pause);
            const auto awake = Clock::now();
            m_lateness = std::max<double>(m_lateness, milliseconds(awake - asleep - pause));
            const double before = computedMilliseconds();
            while (computedMilliseconds() - before < work) {
            }
            m_slowdown =
                std::max<double>(m_slowdown, milliseconds(Clock::now() - awake) / (computedMilliseconds() - before));
        }
    }

    std::atomic<bool> m_end = false;
    std::atomic<double> m_slowdown = 1.0, m_lateness = 0.0;
    std::thread m_thread;
};

} // namespace accumulus::ui
