// SPDX-License-Identifier: GPL-3.0-or-later
// How much memory this process may still take without swapping or being killed, and how full it is. Any thread.
#pragma once

#include <cstdint>

namespace accumulus {

/// Bytes: what the system calls available, or what is left of the control group's limit where that is less. 0 where
/// neither can be read.
[[nodiscard]] std::int64_t availableMemory();

/// Of the computer, or of the control group where that allows less. Both 0 where they cannot be read.
struct MemoryUse {
    std::int64_t used = 0, total = 0; ///< bytes
    bool operator==(const MemoryUse&) const = default;
};
[[nodiscard]] MemoryUse memoryUse();

} // namespace accumulus
