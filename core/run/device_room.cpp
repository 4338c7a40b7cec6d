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

} // namespace accumulus
