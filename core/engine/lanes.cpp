// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/lanes.h"

namespace accumulus {
namespace {

/// Micro-steps of small models take about a millisecond, waking a sleeping thread about a twentieth of that: spin
/// shortly, then sleep.
template <class Ready>
void spinThenWait(const std::atomic<std::uint32_t>& value, Ready ready) {
    for (int spin = 0; spin < 2000; ++spin) {
        if (ready(value.load(std::memory_order_acquire)))
            return;
#if defined(__x86_64__)
        __builtin_ia32_pause();
#endif
    }
    for (std::uint32_t seen = value.load(std::memory_order_acquire); !ready(seen);
         seen = value.load(std::memory_order_acquire))
        value.wait(seen, std::memory_order_acquire);
}

} // namespace

Lanes::Lanes(int count, const std::function<void(int)>& setUp)
    : m_count(count), m_setUp(setUp), m_errors(static_cast<std::size_t>(count)) {
    m_setUp(0);
    try {
        for (int lane = 1; lane < count; ++lane)
            m_threads.emplace_back([this, lane] { loop(lane); });
    } catch (...) { // std::system_error: the system gives no more threads
        stop();
        throw;
    }
}

Lanes::~Lanes() { stop(); }

void Lanes::stop() {
    m_quit = true;
    m_round.fetch_add(1, std::memory_order_release);
    m_round.notify_all();
    for (std::thread& thread : m_threads)
        thread.join();
}

void Lanes::run(const std::function<void(int)>& work) {
    m_work = &work;
    m_running.store(static_cast<std::uint32_t>(m_count - 1), std::memory_order_relaxed);
    if (m_count > 1) {
        m_round.fetch_add(1, std::memory_order_release);
        m_round.notify_all();
    }
    try {
        work(0);
    } catch (...) {
        m_errors[0] = std::current_exception();
    }
    spinThenWait(m_running, [](std::uint32_t running) { return running == 0; });
    for (std::exception_ptr& error : m_errors)
        if (error) {
            const std::exception_ptr first = error;
            for (std::exception_ptr& other : m_errors)
                other = nullptr;
            std::rethrow_exception(first);
        }
}

void Lanes::loop(int lane) {
    m_setUp(lane);
    for (std::uint32_t round = 0;;) {
        spinThenWait(m_round, [round](std::uint32_t now) { return now != round; });
        ++round;
        if (m_quit)
            return;
        try {
            (*m_work)(lane);
        } catch (...) {
            m_errors[static_cast<std::size_t>(lane)] = std::current_exception();
        }
        if (m_running.fetch_sub(1, std::memory_order_acq_rel) == 1)
            m_running.notify_all();
    }
}

void Turnstile::reset() { m_turn.store(0, std::memory_order_relaxed); }

bool Turnstile::wait(std::uint32_t turn) {
    spinThenWait(m_turn, [turn](std::uint32_t now) { return now == turn || now == broken; });
    return m_turn.load(std::memory_order_acquire) != broken;
}

void Turnstile::next() {
    std::uint32_t now = m_turn.load(std::memory_order_relaxed);
    while (now != broken && !m_turn.compare_exchange_weak(now, now + 1, std::memory_order_acq_rel)) {
    }
    m_turn.notify_all();
}

void Turnstile::breakOff() {
    m_turn.store(broken, std::memory_order_release);
    m_turn.notify_all();
}

} // namespace accumulus
