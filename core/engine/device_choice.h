// SPDX-License-Identifier: GPL-3.0-or-later
// Where a run computes: the text of device.kind and what this machine has. Free of torch.
#pragma once

#include "core/base/message.h"
#include "core/base/result.h"

#include <cstdint>
#include <optional>
#include <string>

namespace accumulus {

struct DeviceChoice {
    std::string device = "cpu";  ///< "cpu" or "cuda:N"
    std::string name{};          ///< of the GPU: "NVIDIA H200, 150 GB"
    std::string driver = "none"; ///< of the GPU: "NVIDIA 580.65.06, CUDA 13.0"
    std::optional<Message> note; ///< why auto took the CPU; nothing where there is a GPU or none was wanted
    [[nodiscard]] bool isGpu() const { return device != "cpu"; }
};

/// `kind`: device.kind. "auto" takes the first GPU, else the CPU, and says why. `localRank`: of several ranks, how many
/// before this one run on the same machine; each takes a GPU of its own, from the first or from "cuda:N" on, and the
/// first again where there are fewer. Errors "device.unusable" (a GPU was
/// asked for and none can be used), "device.missing" (there are fewer GPUs), "device.gone" (it does not answer).
[[nodiscard]] Result<DeviceChoice> chooseDevice(const std::string& kind, int localRank = 0);

/// Bytes; 0: not known.
struct DeviceMemory {
    std::int64_t free = 0, total = 0;
    bool operator==(const DeviceMemory&) const = default;
};
/// What the next run of this process has to compute in on this device: the card's, or the computer's
/// (core/base/available_memory.h). What the run that trains now holds is free by then. Takes nothing of it; a driver
/// may take its time.
[[nodiscard]] DeviceMemory memoryForNextRun(const DeviceChoice& choice);
/// What the driver says of a GPU: free is what no program holds now. Takes nothing of it either.
[[nodiscard]] DeviceMemory memoryByDriver(const DeviceChoice& choice);

} // namespace accumulus
