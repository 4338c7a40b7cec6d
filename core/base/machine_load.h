// SPDX-License-Identifier: GPL-3.0-or-later
// How busy other programs keep the processors: what all programs have used, less what this process has. Read from
// Linux's /proc, which counts in hundredths of a second; a look costs some ten microseconds. One thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace accumulus {

class MachineLoad {
public:
    /// Counts from now on.
    explicit MachineLoad(std::filesystem::path proc = "/proc");

    /// What has passed since the last call counts, or with skip() is of no account.
    void count();
    void skip();
    /// Of the time of all processors that was counted, the share that other programs used: 0 to 1. Nothing before a
    /// second of processor time was counted, or where there is no /proc.
    [[nodiscard]] std::optional<double> othersShare() const;

private:
    /// Processor time since the machine was started, in hundredths of a second.
    struct Ticks {
        std::int64_t all = 0;  ///< of all processors, idle or not
        std::int64_t used = 0; ///< of this, what programs and the system have used
        std::int64_t own = 0;  ///< by this process
    };
    [[nodiscard]] std::optional<Ticks> look() const;

    std::filesystem::path m_proc;
    std::optional<Ticks> m_last;
    std::int64_t m_all = 0, m_others = 0; ///< counted
};

} // namespace accumulus
