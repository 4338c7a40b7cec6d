// SPDX-License-Identifier: GPL-3.0-or-later
// How much memory the device of a configuration has for the next run of this process: what the one that trains now
// holds counts as free. Any thread; drivers are waited for.
#pragma once

#include "core/base/available_memory.h"
#include "core/config/experiment_config.h"

#include <cstdint>
#include <optional>

namespace accumulus {

/// Bytes; 0: not known.
struct DeviceRoom {
    bool gpu = false;                 ///< the run gets a GPU, or asks for one
    std::int64_t free = 0, total = 0; ///< of the card, or of the computer
    std::int64_t freeOnCpu = 0;       ///< what the computer has for a run on the CPU
    bool operator==(const DeviceRoom&) const = default;
};

[[nodiscard]] DeviceRoom roomOn(const DeviceConfig& device);

/// What all programs hold now of the GPU that a run on `device` computes on. Nothing for a run on the CPU, or where the
/// driver does not tell.
[[nodiscard]] std::optional<MemoryUse> gpuMemoryUse(const DeviceConfig& device);

} // namespace accumulus
