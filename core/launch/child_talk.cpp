// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/child_talk.h"

#include "core/base/program_folder.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace accumulus {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr int glanceMilliseconds = 50;
constexpr auto lastWords = std::chrono::milliseconds(500); // of a child that has ended, where others hold its pipes
constexpr auto patience = std::chrono::seconds(3);         // for a child that is told to end
constexpr std::size_t longestOutput = std::size_t{1} << 20;

} // namespace

void ChildTalk::Lines::add(std::string_view piece, const Take& take) {
    const auto keep = [this](std::string_view text) {
        open += text.substr(0, longest - std::min(longest, open.size()));
    };
    for (std::size_t end = piece.find('\n'); end != std::string_view::npos; end = piece.find('\n')) {
        keep(piece.substr(0, end));
        take(open);
        open.clear();
        piece.remove_prefix(end + 1);
    }
    keep(piece);
}

void ChildTalk::Lines::finish(const Take& take) {
    if (!open.empty())
        take(open);
    open.clear();
}

bool ChildTalk::exchange(const Take& said, const Take& remarked) {
    const bool writes = !m_toWrite.empty() && m_child.in().isOpen();
    std::array<pollfd, 3> files{pollfd{m_child.out().number(), POLLIN, 0}, pollfd{m_child.err().number(), POLLIN, 0},
                                pollfd{writes ? m_child.in().number() : -1, POLLOUT, 0}};
    if (poll(files.data(), files.size(), glanceMilliseconds) <= 0)
        return false;
    bool heard = false;
    if (files[0].revents != 0)
        heard = read(m_child.out(), m_said, said);
    if (files[1].revents != 0)
        heard = read(m_child.err(), m_remarked, remarked) || heard;
    if (files[2].revents != 0)
        write();
    return heard;
}

void ChildTalk::finish(const Take& said, const Take& remarked) {
    m_said.finish(said);
    m_remarked.finish(remarked);
}

bool ChildTalk::read(Descriptor& from, Lines& lines, const Take& take) {
    std::array<char, 65536> buffer;
    const ssize_t count = ::read(from.number(), buffer.data(), buffer.size());
    if (count > 0)
        lines.add({buffer.data(), static_cast<std::size_t>(count)}, take);
    else if (count == 0 || (errno != EAGAIN && errno != EINTR))
        from.close();
    return count > 0;
}

void ChildTalk::write() {
    const ssize_t count = send(m_child.in().number(), m_toWrite.data(), m_toWrite.size(), MSG_NOSIGNAL);
    if (count > 0)
        m_toWrite.erase(0, static_cast<std::size_t>(count));
    else if (errno != EAGAIN && errno != EINTR)
        m_child.in().close(); // it reads no more
}

void LastRemark::hear(std::string_view line) {
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ' || line.back() == '.'))
        line.remove_suffix(1);
    if (line.find_first_not_of("-= \t") != std::string_view::npos) // mpirun frames what it says in lines of dashes
        m_text = line;
}

Result<Ran> runToEnd(const LaunchCommand& command, const std::stop_token& stop) {
    ACCUMULUS_TRY_ASSIGN(auto child, ChildProcess::start(command));
    ChildTalk talk(std::move(child));
    talk.child().in().close();
    Ran ran;
    LastRemark remark;
    const ChildTalk::Take said = [&](std::string_view line) {
        if (ran.output.size() < longestOutput)
            ran.output += std::string(line) + "\n";
    };
    const ChildTalk::Take remarked = [&](std::string_view line) { remark.hear(line); };
    std::optional<Clock::time_point> ended, killAt;
    while (talk.isOpen()) {
        if (stop.stop_requested() && (!killAt || Clock::now() > *killAt)) {
            talk.child().signal(killAt ? SIGKILL : SIGTERM);
            killAt = Clock::now() + patience;
        }
        const bool heard = talk.exchange(said, remarked);
        if (!ended && talk.child().ended())
            ended = Clock::now();
        if (ended && !heard && Clock::now() - *ended > lastWords)
            break;
    }
    talk.finish(said, remarked);
    ran.status = talk.child().ended(true).value_or(-1);
    ran.remark = remark.text();
    return ran;
}

std::string findProgram(const std::string& name) {
    const char* path = std::getenv("PATH");
    std::string_view folders = path ? path : "/usr/bin:/bin";
    while (!folders.empty()) {
        const std::size_t end = std::min(folders.find(':'), folders.size());
        const fs::path file = fs::path(folders.substr(0, end)) / name;
        std::error_code ignored;
        if (file.is_absolute() && fs::is_regular_file(file, ignored) && access(file.c_str(), X_OK) == 0)
            return file.string();
        folders.remove_prefix(std::min(end + 1, folders.size()));
    }
    return {};
}

std::string findCli() {
    const fs::path folder = programFolder();
    for (const char* place : {".", "../bin"}) {
        const fs::path file = folder / place / "accumulus-cli";
        if (access(file.c_str(), X_OK) == 0)
            return file.lexically_normal().string();
    }
    return {};
}

} // namespace accumulus
