// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/run_owner.h"

#include "core/base/hash.h"

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <mutex>
#include <optional>
#include <set>
#include <sstream>
#include <unistd.h>

namespace accumulus {
namespace {

struct ProcessStatus {
    char state = '?';
    std::int64_t started = 0; ///< clock ticks since the boot
};

/// /proc/PID/stat as proc(5) describes it: the state is its field 3, the start time its field 22.
std::optional<ProcessStatus> statusOf(std::int64_t pid) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string text{std::istreambuf_iterator<char>(file), {}};
    // Field 2 is the program's name in brackets, in which anything may stand.
    const auto bracket = text.rfind(')');
    if (bracket == std::string::npos)
        return std::nullopt;
    std::istringstream fields(text.substr(bracket + 1));
    ProcessStatus status;
    fields >> status.state;
    constexpr int fieldsBetween = 18; // 4 to 21
    std::string skipped;
    for (int i = 0; i < fieldsBetween; ++i)
        fields >> skipped;
    fields >> status.started;
    return fields ? std::optional(status) : std::nullopt;
}

std::string readHost() {
    std::string boot;
    std::ifstream("/proc/sys/kernel/random/boot_id") >> boot;
    std::error_code unknown;
    const auto space = std::filesystem::read_symlink("/proc/self/ns/pid", unknown); // "pid:[4026531836]"
    if (!boot.empty() && !unknown)
        return "boot:" + boot + " " + space.string();
    char name[256] = {};
    if (gethostname(name, sizeof name - 1) != 0 || name[0] == '\0')
        return {};
    return std::string("name:") + name;
}

const std::string& thisHost() {
    static const std::string host = readHost();
    return host;
}

struct LiveClaims {
    std::mutex mutex;
    std::set<std::string> names;
};

LiveClaims& liveClaims() {
    static LiveClaims claims;
    return claims;
}

bool isLive(const std::string& claim) {
    LiveClaims& live = liveClaims();
    const std::lock_guard lock(live.mutex);
    return live.names.contains(claim);
}

} // namespace

LiveClaim::LiveClaim() : m_name(newUuid()) {
    LiveClaims& live = liveClaims();
    const std::lock_guard lock(live.mutex);
    live.names.insert(m_name);
}

LiveClaim::~LiveClaim() {
    LiveClaims& live = liveClaims();
    const std::lock_guard lock(live.mutex);
    live.names.erase(m_name);
}

RunOwner LiveClaim::owner() const {
    RunOwner owner = thisProcess();
    owner.claim = m_name;
    return owner;
}

RunOwner thisProcess() { return processOf(getpid()); }

RunOwner processOf(std::int64_t pid) {
    RunOwner owner;
    owner.pid = pid;
    if (const auto status = statusOf(owner.pid))
        owner.started = status->started;
    owner.host = thisHost();
    return owner;
}

OwnerLife lifeOf(const RunOwner& owner) {
    const bool possible = owner.pid > 0 && owner.pid <= std::numeric_limits<pid_t>::max();
    if (!possible || owner.host.empty() || owner.host != thisHost())
        return OwnerLife::Unknown;
    if (kill(static_cast<pid_t>(owner.pid), 0) != 0 && errno == ESRCH)
        return OwnerLife::Dead;
    const auto status = statusOf(owner.pid);
    if (!status) // no /proc, or it ended between the two questions: then the next look tells
        return OwnerLife::Alive;
    if (owner.pid == getpid() && owner.started == status->started && !owner.claim.empty())
        return isLive(owner.claim) ? OwnerLife::Alive : OwnerLife::Dead;
    const bool ended = status->state == 'Z' || status->state == 'X';
    const bool another = owner.started != 0 && status->started != owner.started;
    return ended || another ? OwnerLife::Dead : OwnerLife::Alive;
}

} // namespace accumulus
