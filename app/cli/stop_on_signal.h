// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/stop_signals.h"

#include <csignal>
#include <ctime>
#include <stop_token>
#include <thread>

namespace accumulus::cli {

/// Ctrl+C and its kin ask for a stop; no signal handler runs. Construct before any other thread starts.
class StopOnSignal {
public:
    StopOnSignal() {
        pthread_sigmask(SIG_BLOCK, &m_signals, &m_before);
        m_thread = std::jthread([this](const std::stop_token& over) {
            const timespec glance{0, 50'000'000};
            while (!over.stop_requested())
                if (sigtimedwait(&m_signals, nullptr, &glance) > 0)
                    m_stop.request_stop();
        });
    }
    ~StopOnSignal() {
        m_thread.request_stop();
        m_thread.join();
        pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
    }
    StopOnSignal(const StopOnSignal&) = delete;
    StopOnSignal& operator=(const StopOnSignal&) = delete;
    [[nodiscard]] std::stop_token token() const { return m_stop.get_token(); }

private:
    sigset_t m_signals = stopSignals();
    std::stop_source m_stop;
    sigset_t m_before{};
    std::jthread m_thread;
};

} // namespace accumulus::cli
