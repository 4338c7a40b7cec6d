// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/device_room.h"

#include "core/engine/device_choice.h"

namespace accumulus {

DeviceRoom roomOn(const DeviceConfig& device) {
    const DeviceMemory computer = memoryForNextRun(DeviceChoice());
    const auto choice = chooseDevice(device.kind);
    if (choice && !choice->isGpu())
        return {false, computer.free, computer.total, computer.free};
    const DeviceMemory card = choice ? memoryForNextRun(*choice) : DeviceMemory{};
    return {true, card.free, card.total, computer.free};
}

std::optional<MemoryUse> gpuMemoryUse(const DeviceConfig& device) {
    const auto choice = chooseDevice(device.kind);
    if (!choice || !choice->isGpu())
        return std::nullopt;
    const DeviceMemory card = memoryByDriver(*choice);
    return card.total > 0 ? std::optional(MemoryUse{card.total - card.free, card.total}) : std::nullopt;
}

} // namespace accumulus
