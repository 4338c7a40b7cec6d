// SPDX-License-Identifier: GPL-3.0-or-later
// Time of each ATen operator and autograd node without that of those it calls, summed over all threads.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace accumulus {

class OperatorTimes {
public:
    /// Watches every thread of the process while it lives. One at a time.
    explicit OperatorTimes(bool watch);
    ~OperatorTimes();
    OperatorTimes(const OperatorTimes&) = delete;
    OperatorTimes& operator=(const OperatorTimes&) = delete;

    /// Looks away from here on.
    void stop();
    /// Longest first.
    [[nodiscard]] std::vector<std::pair<std::string, double>> selfSeconds() const;

private:
    std::uint64_t m_handle = 0;
    bool m_watching;
};

} // namespace accumulus
