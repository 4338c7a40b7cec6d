// SPDX-License-Identifier: GPL-3.0-or-later
// Lanes: workers that compute micro-batches at the same time. The calling thread is lane 0; the others are threads of
// this pool.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

namespace accumulus {

class Lanes {
public:
    /// `setUp(lane)` runs once in each lane's own thread (thread counts, flush-denormal), in the calling thread for
    /// lane 0.
    Lanes(int count, const std::function<void(int lane)>& setUp);
    ~Lanes();
    Lanes(const Lanes&) = delete;
    Lanes& operator=(const Lanes&) = delete;

    [[nodiscard]] int count() const { return m_count; }

    /// Runs `work(lane)` once in every lane and returns when all have finished. An exception of a lane is rethrown here
    /// (that of the lowest lane).
    void run(const std::function<void(int lane)>& work);

private:
    void loop(int lane);
    void stop();

    int m_count;
    std::vector<std::thread> m_threads;
    std::function<void(int)> m_setUp;
    const std::function<void(int)>* m_work = nullptr;
    std::vector<std::exception_ptr> m_errors;
    std::atomic<std::uint32_t> m_round{0};
    std::atomic<std::uint32_t> m_running{0};
    std::atomic<bool> m_quit{false};
};

/// Passes turns 0, 1, 2, ... among lanes: commits happen in micro-batch order whatever lane finished first.
class Turnstile {
public:
    void reset();
    /// Blocks until it is `turn`'s turn. Returns false once the turnstile was broken.
    [[nodiscard]] bool wait(std::uint32_t turn);
    void next();     ///< the current turn is over
    void breakOff(); ///< releases everybody: the window is abandoned

private:
    static constexpr std::uint32_t broken = ~std::uint32_t{0};
    std::atomic<std::uint32_t> m_turn{0};
};

} // namespace accumulus
