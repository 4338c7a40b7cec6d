// SPDX-License-Identifier: GPL-3.0-or-later
// How much memory this process may still take without swapping or being killed, and how full it is. Read from Linux's
// /proc and /sys, below `root`. Any thread.
#pragma once

#include <cstdint>
#include <filesystem>

namespace accumulus {

/// Bytes: what the system calls available, or what is left of the limit of a control group where that is less: this
/// process's own (version 1 or 2), or one around it, as those of Slurm's jobs are. 0 where neither can be read.
[[nodiscard]] std::int64_t availableMemory(const std::filesystem::path& root = "/");

/// Of the computer, or of the control group that allows less. Both 0 where they cannot be read.
struct MemoryUse {
    std::int64_t used = 0, total = 0; ///< bytes
    bool operator==(const MemoryUse&) const = default;
};
[[nodiscard]] MemoryUse memoryUse(const std::filesystem::path& root = "/");

} // namespace accumulus
