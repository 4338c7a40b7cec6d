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

std::optional<std::int64_t> availableOfSystem() {
    std::ifstream file("/proc/meminfo");
    std::string name, unit;
    std::int64_t kilobytes = 0;
    while (file >> name >> kilobytes) {
        if (name == "MemAvailable:")
            return kilobytes * 1024;
        std::getline(file, unit);
    }
    return std::nullopt;
}

/// Left of the limit of this process's control group (version 2).
std::optional<std::int64_t> availableOfGroup() {
    std::ifstream file("/proc/self/cgroup");
    std::string line;
    while (std::getline(file, line)) {
        if (!line.starts_with("0::"))
            continue;
        const std::string folder = "/sys/fs/cgroup" + line.substr(3);
        const auto limit = numberIn(folder + "/memory.max");
        const auto used = numberIn(folder + "/memory.current");
        if (limit && used)
            return std::max<std::int64_t>(0, *limit - *used);
    }
    return std::nullopt;
}

} // namespace

std::int64_t availableMemory() {
    const auto system = availableOfSystem();
    const auto group = availableOfGroup();
    if (system && group)
        return std::min(*system, *group);
    return system.value_or(group.value_or(0));
}

} // namespace accumulus
