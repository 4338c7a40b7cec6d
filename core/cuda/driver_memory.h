// SPDX-License-Identifier: GPL-3.0-or-later
// A card's memory as NVML, the library of NVIDIA's driver, counts it. Asking takes nothing of the card, while CUDA
// first makes a context there, some hundred MB that stay until the process ends. Any thread.
#pragma once

#include "core/cuda/device.h"

#include <optional>
#include <string>

namespace accumulus::gpu {

/// "GPU-00010203-0405-0607-0809-0a0b0c0d0e0f": how NVML names the card of this identity (identityOf(), 16 bytes).
/// `kind`: "GPU", or "MIG" for a part of one.
[[nodiscard]] std::string driverNameOf(const std::string& identity, const std::string& kind);

/// Nothing where NVML is not there, or does not answer.
[[nodiscard]] std::optional<Memory> memoryByDriver(const std::string& identity);

} // namespace accumulus::gpu
