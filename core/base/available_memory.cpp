// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/available_memory.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <string>

namespace accumulus {
namespace {

namespace fs = std::filesystem;

/// The number in a file that holds nothing else; nothing for "max" or where there is no such file.
std::optional<std::int64_t> numberIn(const fs::path& path) {
    std::ifstream file(path);
    std::int64_t number = 0;
    if (file >> number)
        return number;
    return std::nullopt;
}

/// In a file of lines "NAME NUMBER", with or without a unit.
std::optional<std::int64_t> numberOf(const std::string& name, const fs::path& path) {
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        std::string word;
        if (std::int64_t number = 0; words >> word >> number && word == name)
            return number;
    }
    return std::nullopt;
}

struct Room {
    std::int64_t available = 0, total = 0;
};

std::optional<Room> roomOfSystem(const fs::path& root) {
    const fs::path file = root / "proc/meminfo";
    const auto available = numberOf("MemAvailable:", file);
    if (!available)
        return std::nullopt;
    return Room{*available * 1024, numberOf("MemTotal:", file).value_or(0) * 1024};
}

/// What a version of control groups calls its files.
struct GroupFiles {
    const char* folder; ///< below /sys/fs/cgroup
    const char* limit;
    const char* used;
    const char* reclaimed; ///< in memory.stat: contents of files that nobody used lately
};
constexpr GroupFiles version1{"memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"};
constexpr GroupFiles version2{"", "memory.max", "memory.current", "inactive_file"};

/// Of the group that leaves least: `group`, as the system names it, or one around it. In a container the outer ones may
/// be out of sight.
std::optional<Room> roomOfGroups(const fs::path& mounted, const fs::path& group, const GroupFiles& files) {
    constexpr std::int64_t noLimit = std::numeric_limits<std::int64_t>::max() / 2; // version 1 has a number for that
    std::optional<Room> least;
    for (fs::path inner = group.lexically_normal();; inner = inner.parent_path()) {
        const fs::path folder = mounted / inner.relative_path();
        const auto limit = numberIn(folder / files.limit);
        const auto used = numberIn(folder / files.used);
        if (limit && used && *limit < noLimit) {
            const std::int64_t kept = *used - numberOf(files.reclaimed, folder / "memory.stat").value_or(0);
            const Room room{std::clamp<std::int64_t>(*limit - kept, 0, *limit), *limit};
            if (!least || room.available < least->available)
                least = room;
        }
        if (!inner.has_relative_path())
            return least;
    }
}

/// Of this process's control groups: lines NUMBER:CONTROLLERS:GROUP, without controllers in version 2.
std::optional<Room> roomOfGroups(const fs::path& root) {
    std::ifstream file(root / "proc/self/cgroup");
    std::optional<Room> least;
    for (std::string line; std::getline(file, line);) {
        std::istringstream parts(line);
        std::string number, controllers, group;
        if (!std::getline(parts, number, ':') || !std::getline(parts, controllers, ':') || !std::getline(parts, group))
            continue;
        const bool controlsMemory = (',' + controllers + ',').find(",memory,") != std::string::npos;
        if (!controllers.empty() && !controlsMemory)
            continue;
        const GroupFiles& files = controlsMemory ? version1 : version2;
        const auto room = roomOfGroups(root / "sys/fs/cgroup" / files.folder, group, files);
        if (room && (!least || room->available < least->available))
            least = room;
    }
    return least;
}

Room roomIn(const fs::path& root) {
    const auto system = roomOfSystem(root);
    const auto groups = roomOfGroups(root);
    if (system && groups)
        return groups->available < system->available ? *groups : *system;
    return system.value_or(groups.value_or(Room{}));
}

} // namespace

std::int64_t availableMemory(const fs::path& root) { return roomIn(root).available; }

MemoryUse memoryUse(const fs::path& root) {
    const Room now = roomIn(root);
    return {now.total - now.available, now.total};
}

} // namespace accumulus
