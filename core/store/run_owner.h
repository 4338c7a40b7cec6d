// SPDX-License-Identifier: GPL-3.0-or-later
// The process that answers for a queued or active run, so that a run whose process was killed is known as such at once.
#pragma once

#include <cstdint>
#include <string>

namespace accumulus {

struct RunOwner {
    std::int64_t pid = 0; ///< process id; 0: nobody
    std::int64_t started =
        0;               ///< clock ticks from the boot to the process's start, which tells a reused pid; 0: unknown
    std::string host{};  ///< within which pids mean anything: this boot of this machine, and the namespace of pids
    std::string claim{}; ///< what the process claimed the run with (LiveClaim); empty: it was made before version 4
    bool operator==(const RunOwner&) const = default;
};

[[nodiscard]] RunOwner thisProcess();
/// A process of this machine, without a claim.
[[nodiscard]] RunOwner processOf(std::int64_t pid);

/// A name for the right to write certain runs, which lasts as long as this object. A process that gives up a run, but
/// lives on, no longer owns it. Any thread.
class LiveClaim {
public:
    LiveClaim();
    ~LiveClaim();
    LiveClaim(const LiveClaim&) = delete;
    LiveClaim& operator=(const LiveClaim&) = delete;

    /// This process with this claim.
    [[nodiscard]] RunOwner owner() const;

private:
    std::string m_name;
};

enum class OwnerLife {
    Alive,
    Dead,
    Unknown ///< nobody is named, or it lives on another host: only its heartbeat can tell
};
/// Asks the operating system. A process that has ended and waits for its parent is dead, one that was suspended alive.
/// Of this process a claim that it no longer holds is dead.
[[nodiscard]] OwnerLife lifeOf(const RunOwner& owner);

} // namespace accumulus
