// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/child_process.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace accumulus {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto glance = std::chrono::milliseconds(50);

/// What a shell's child would find: this process's environment with some variables set anew.
std::vector<std::string> environmentWith(const std::vector<std::pair<std::string, std::string>>& more) {
    std::vector<std::string> all;
    for (char** variable = environ; *variable != nullptr; ++variable) {
        const std::string_view text = *variable;
        const auto isSet = [&](const auto& one) { return text.substr(0, text.find('=')) == one.first; };
        if (std::ranges::none_of(more, isSet))
            all.emplace_back(text);
    }
    for (const auto& [name, value] : more)
        all.push_back(name + "=" + value);
    return all;
}

std::vector<char*> pointersTo(std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    for (std::string& text : texts)
        pointers.push_back(text.data());
    pointers.push_back(nullptr);
    return pointers;
}

/// Signals as a shell would give them.
void setPlainSignals(posix_spawnattr_t& attributes, int moreFlags) {
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes,
                             static_cast<short>(moreFlags | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF));
}

} // namespace

void Descriptor::close() {
    if (m_number >= 0)
        ::close(m_number);
    m_number = -1;
}

Result<ChildProcess> ChildProcess::start(const LaunchCommand& command) {
    const auto refuse = [&](int problem) {
        return failure("launch.start", {{"program", command.arguments.empty() ? "" : command.arguments.front()},
                                        {"reason", std::strerror(problem)}});
    };
    ChildProcess child;
    std::array<int, 2> in{}, out{}, err{};
    // A socket, because writing to one whose reader has gone can be kept from raising SIGPIPE.
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in.data()) != 0)
        return refuse(errno);
    child.m_in = Descriptor(in[0]);
    const Descriptor inEnd(in[1]);
    if (pipe2(out.data(), O_CLOEXEC) != 0)
        return refuse(errno);
    child.m_out = Descriptor(out[0]);
    const Descriptor outEnd(out[1]);
    if (pipe2(err.data(), O_CLOEXEC) != 0)
        return refuse(errno);
    child.m_err = Descriptor(err[0]);
    const Descriptor errEnd(err[1]);
    for (const Descriptor* ours : {&child.m_in, &child.m_out, &child.m_err})
        fcntl(ours->number(), F_SETFL, fcntl(ours->number(), F_GETFL) | O_NONBLOCK);
    const int problem = child.spawn(command, {inEnd.number(), outEnd.number(), errEnd.number()});
    if (problem != 0)
        return refuse(problem);
    return child;
}

std::optional<int> ChildProcess::ended(bool wait) {
    int status = 0;
    while (!m_status) {
        const pid_t said = waitpid(m_pid, &status, wait ? 0 : WNOHANG);
        if (said == m_pid)
            m_status = status;
        else if (said == 0 || errno != EINTR)
            break;
    }
    return m_status;
}

int ChildProcess::spawn(const LaunchCommand& command, const std::array<int, 3>& ends) {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    for (int target = 0; target < 3; ++target)
        posix_spawn_file_actions_adddup2(&files, ends[static_cast<std::size_t>(target)], target);
    posix_spawn_file_actions_addclosefrom_np(&files, 3); // a library may have opened a file without the flag
    posix_spawnattr_setpgroup(&attributes, 0);           // a group of its own: Ctrl+C in the terminal is the launcher's
    setPlainSignals(attributes, POSIX_SPAWN_SETPGROUP);
    std::vector<std::string> arguments = command.arguments;
    std::vector<std::string> environment = environmentWith(command.environment);
    const int problem = arguments.empty() ? ENOENT
                                          : posix_spawn(&m_pid, arguments.front().c_str(), &files, &attributes,
                                                        pointersTo(arguments).data(), pointersTo(environment).data());
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return problem;
}

Result<std::int64_t> startDetached(std::vector<std::string> arguments) {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    for (int target = 0; target < 3; ++target)
        posix_spawn_file_actions_addopen(&files, target, "/dev/null", O_RDWR, 0);
    posix_spawn_file_actions_addclosefrom_np(&files, 3);
    setPlainSignals(attributes, POSIX_SPAWN_SETSID);
    pid_t pid = 0;
    const int problem =
        posix_spawn(&pid, arguments.front().c_str(), &files, &attributes, pointersTo(arguments).data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    if (problem != 0)
        return failure("launch.start", {{"program", arguments.front()}, {"reason", std::strerror(problem)}});
    return pid;
}

void endDetached(std::int64_t process, std::chrono::milliseconds grace) {
    const auto pid = static_cast<pid_t>(process);
    ::kill(-pid, SIGTERM);
    for (const auto until = Clock::now() + grace; Clock::now() < until; std::this_thread::sleep_for(glance)) {
        const pid_t ended = waitpid(pid, nullptr, WNOHANG);
        if (ended == pid || (ended < 0 && errno != EINTR))
            break;
    }
    ::kill(-pid, SIGKILL); // what has outlived its leader, too
    (void)waitpid(pid, nullptr, 0);
}

} // namespace accumulus
