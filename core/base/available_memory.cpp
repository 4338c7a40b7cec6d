// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/available_memory.h"

#include <algorithm>
#include <fstream>
#include <optional>
#include <string>

namespace accumulus {
namespace {

/// The number in a file that holds nothing else; nothing for "max" or where there is no such file.
std::optional<std::int64_t> numberIn(const std::string& path) {
    std::ifstream file(path);
    std::int64_t number = 0;
    if (file >> number)
        return number;
    return std::nullopt;
}

struct Room {
    std::int64_t available = 0, total = 0;
};

std::optional<Room> roomOfSystem() {
    std::ifstream file("/proc/meminfo");
    std::string name, unit;
    std::int64_t kilobytes = 0;
    Room room;
    while (file >> name >> kilobytes) {
        if (name == "MemTotal:")
            room.total = kilobytes * 1024;
        if (name == "MemAvailable:") {
            room.available = kilobytes * 1024;
            return room;
        }
        std::getline(file, unit);
    }
    return std::nullopt;
}

/// Of the limit of this process's control group (version 2).
std::optional<Room> roomOfGroup() {
    std::ifstream file("/proc/self/cgroup");
    std::string line;
    while (std::getline(file, line)) {
        if (!line.starts_with("0::"))
            continue;
        const std::string folder = "/sys/fs/cgroup" + line.substr(3);
        const auto limit = numberIn(folder + "/memory.max");
        const auto used = numberIn(folder + "/memory.current");
        if (limit && used)
            return Room{std::max<std::int64_t>(0, *limit - *used), *limit};
    }
    return std::nullopt;
}

Room room() {
    const auto system = roomOfSystem();
    const auto group = roomOfGroup();
    if (system && group)
        return group->available < system->available ? *group : *system;
    return system.value_or(group.value_or(Room{}));
}

} // namespace

std::int64_t availableMemory() { return room().available; }

MemoryUse memoryUse() {
    const Room now = room();
    return {now.total - now.available, now.total};
}

} // namespace accumulus
