// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/device_choice.h"

#include "core/base/available_memory.h"
#include "core/base/machine_features.h"
#include "core/cuda/device.h"
#include "core/cuda/driver_memory.h"
#include "core/engine/memory_counter.h"

#include <charconv>
#include <exception>
#include <string_view>
#include <vector>

namespace accumulus {
namespace {

/// The N of "cuda:N"; 0 for "cuda".
int indexIn(const std::string& kind) {
    int index = 0;
    const auto colon = kind.find(':');
    if (colon != std::string::npos)
        std::from_chars(kind.data() + colon + 1, kind.data() + kind.size(), index);
    return index;
}

/// An old card may stand beside one that can be used.
std::vector<int> usableOf(int count) {
    std::vector<int> usable;
    for (int index = 0; index < count; ++index)
        if (gpu::whyNot(index).empty())
            usable.push_back(index);
    return usable;
}

Result<DeviceChoice> chosen(int index) {
    const std::string device = "cuda:" + std::to_string(index);
    try {
        if (const std::string problem = gpu::whyNot(index); !problem.empty())
            return failure("device.too-old", {{"device", device}, {"reason", problem}});
        return DeviceChoice{device, gpu::nameOf(index), gpu::driver(), std::nullopt};
    } catch (const std::exception& problem) { // it was there when the GPUs were counted
        const std::string_view what = problem.what();
        return failure("device.gone", {{"device", device}, {"reason", std::string(what.substr(0, what.find('\n')))}});
    }
}

} // namespace

Result<DeviceChoice> chooseDevice(const std::string& kind, int localRank) {
    if (kind == "cpu")
        return DeviceChoice();
    const int count = gpu::count();
    if (kind == "auto") {
        const std::vector<int> usable = usableOf(count);
        if (!usable.empty())
            return chosen(usable[static_cast<std::size_t>(localRank) % usable.size()]);
        if (!machineFeatures().cuda)
            return DeviceChoice{.note = Message{"device.cpu-only", {}}};
        return DeviceChoice{.note = Message{"device.cpu", {{"reason", gpu::whyNone()}}}};
    }
    if (count == 0)
        return failure("device.unusable", {{"kind", kind}, {"reason", gpu::whyNone()}});
    const int index = indexIn(kind);
    if (index >= count)
        return failure(
            "device.missing",
            {{"kind", kind}, {"count", std::to_string(count)}, {"last", "cuda:" + std::to_string(count - 1)}});
    return chosen((index + localRank) % count);
}

DeviceMemory memoryForNextRun(const DeviceChoice& choice) {
    if (!choice.isGpu()) {
        const std::int64_t available = availableMemory();
        return {available > 0 ? available + MemoryCounter::current() : 0, memoryUse().total};
    }
    try {
        const gpu::Memory card = gpu::memoryForNextRun(indexIn(choice.device));
        return {card.free, card.total};
    } catch (const std::exception&) { // it was there when it was chosen
        return {};
    }
}

DeviceMemory memoryByDriver(const DeviceChoice& choice) {
    try {
        const auto card = gpu::memoryByDriver(gpu::identityOf(indexIn(choice.device)));
        return card ? DeviceMemory{card->free, card->total} : DeviceMemory{};
    } catch (const std::exception&) {
        return {};
    }
}

} // namespace accumulus
