// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/window_gauge.h"

namespace accumulus {

void WindowGauge::set(const WindowProgress& progress) {
    constexpr auto after = std::memory_order_release;
    const std::uint32_t version = m_version.load(std::memory_order_relaxed);
    m_version.store(version + 1, std::memory_order_relaxed);
    m_window.store(progress.window, after);
    m_update.store(progress.update, after);
    m_samples.store(progress.samples, after);
    m_microSteps.store(progress.microSteps, after);
    m_committed.store(progress.committed, after);
    m_data.store(progress.dataSeconds, after);
    m_forward.store(progress.forwardSeconds, after);
    m_backward.store(progress.backwardSeconds, after);
    m_commit.store(progress.commitSeconds, after);
    m_closed.store(progress.closed, after);
    m_version.store(version + 2, after);
}

WindowProgress WindowGauge::read() const {
    constexpr auto before = std::memory_order_acquire;
    for (;;) {
        const std::uint32_t version = m_version.load(before);
        const WindowProgress progress{m_window.load(before),     m_update.load(before),    m_samples.load(before),
                                      m_microSteps.load(before), m_committed.load(before), m_data.load(before),
                                      m_forward.load(before),    m_backward.load(before),  m_commit.load(before),
                                      m_closed.load(before)};
        if (version % 2 == 0 && m_version.load(std::memory_order_relaxed) == version)
            return progress;
    }
}

} // namespace accumulus
