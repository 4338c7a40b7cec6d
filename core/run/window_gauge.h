// SPDX-License-Identifier: GPL-3.0-or-later
// How far the open window is, for whoever wants to look: the trainer overwrites it after every micro-step, others read
// it as often as they like. Neither waits for the other, and there is no queue that could fill (a small model makes
// thousands of micro-steps a second). One writer at a time; any number of readers, on any thread.
#pragma once

#include "core/base/training_records.h"

#include <atomic>
#include <cstdint>

namespace accumulus {

class WindowGauge {
public:
    void set(const WindowProgress& progress);
    /// Everything of one set().
    [[nodiscard]] WindowProgress read() const;

private:
    /// A seqlock: odd while it is written, so a reader that has seen two different or odd versions reads again. The
    /// values are stored with release and loaded with acquire instead of between fences, which ThreadSanitizer does not
    /// know.
    std::atomic<std::uint32_t> m_version{0};
    std::atomic<std::int64_t> m_window{0}, m_update{0}, m_samples{0}, m_microSteps{0}, m_committed{0};
    std::atomic<double> m_data{0.0}, m_forward{0.0}, m_backward{0.0}, m_commit{0.0};
    std::atomic<bool> m_closed{false};
};

} // namespace accumulus
