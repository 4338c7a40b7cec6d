// SPDX-License-Identifier: GPL-3.0-or-later
// A process in a group of its own, with a channel to its standard input and from its outputs, none of which blocks. For
// child_talk.cpp. One thread.
#pragma once

#include "core/base/result.h"
#include "core/launch/launch_command.h"

#include <array>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <optional>
#include <sys/types.h>
#include <utility>

namespace accumulus {

/// A file descriptor that is closed when it goes.
class Descriptor {
public:
    Descriptor() = default;
    explicit Descriptor(int number) : m_number(number) {}
    Descriptor(Descriptor&& other) noexcept : m_number(std::exchange(other.m_number, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(m_number, other.m_number);
        return *this;
    }
    ~Descriptor() { close(); }
    void close();
    [[nodiscard]] int number() const { return m_number; }
    [[nodiscard]] bool isOpen() const { return m_number >= 0; }

private:
    int m_number = -1;
};

class ChildProcess {
public:
    /// Error "launch.start".
    [[nodiscard]] static Result<ChildProcess> start(const LaunchCommand& command);
    ChildProcess(ChildProcess&&) = default;
    ChildProcess& operator=(ChildProcess&&) = delete;

    [[nodiscard]] Descriptor& in() { return m_in; } ///< a socket: writing to it can be kept from raising SIGPIPE
    [[nodiscard]] Descriptor& out() { return m_out; }
    [[nodiscard]] Descriptor& err() { return m_err; }

    /// With all that it has started.
    void signal(int number) const {
        if (!m_status)
            ::kill(-m_pid, number);
    }
    /// Its status as waitpid() says it, once it has ended.
    [[nodiscard]] std::optional<int> ended(bool wait = false);

private:
    ChildProcess() = default;
    int spawn(const LaunchCommand& command, const std::array<int, 3>& ends);

    pid_t m_pid = 0;
    Descriptor m_in, m_out, m_err;
    std::optional<int> m_status;
};

/// A process in a session of its own without input and output, which outlives this one. Its number, which is also that
/// of its session and its group. Error "launch.start".
[[nodiscard]] Result<std::int64_t> startDetached(std::vector<std::string> arguments);
/// Ends one that this process has started, with its group: SIGTERM, and SIGKILL after `grace`. Blocks until then.
void endDetached(std::int64_t process, std::chrono::milliseconds grace);

} // namespace accumulus
