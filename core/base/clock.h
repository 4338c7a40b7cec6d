// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <string>

namespace accumulus {

/// Seconds since 1970-01-01 UTC.
[[nodiscard]] double unixTime();
/// 2026-11-21T09:05:00Z
[[nodiscard]] std::string isoTime(double unixSeconds);

/// Monotonic stopwatch in seconds.
class Stopwatch {
public:
    [[nodiscard]] double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - m_start).count();
    }
    /// Seconds since construction or the last lap.
    double lap() {
        const auto now = std::chrono::steady_clock::now();
        const double passed = std::chrono::duration<double>(now - m_start).count();
        m_start = now;
        return passed;
    }

private:
    std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
};

} // namespace accumulus
