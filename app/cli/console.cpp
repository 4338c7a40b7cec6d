// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/console.h"

#include "core/base/printable.h"
#include "core/base/readable_text.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace accumulus::cli {
namespace {

std::size_t terminalWidth() {
    winsize size{};
    const bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
    return known ? size.ws_col : 80;
}

constexpr auto betweenTries = std::chrono::seconds(1);

bool isFull(int problem) { return problem == ENOSPC || problem == EDQUOT; }

/// Standard output is a pipe that does not wait for its reader, as its owner wished.
bool mustWait(int problem) { return problem == EAGAIN; }

/// Until the reader has made room, or for a second.
void waitForReader() {
    pollfd output{STDOUT_FILENO, POLLOUT, 0};
    ::poll(&output, 1, static_cast<int>(std::chrono::milliseconds(betweenTries).count()));
}

} // namespace

Console::Console() : m_terminal(isatty(STDOUT_FILENO) == 1) {
    // A closed standard output would give its number to the next file that is opened, and lines would go there. With
    // the number taken by something that cannot be written, they fail.
    while (true) {
        const int file = ::open("/dev/null", O_RDONLY);
        if (file > STDERR_FILENO)
            ::close(file);
        if (file < 0 || file > STDERR_FILENO)
            break;
    }
}

// With the signal ignored, a closed pipe shows as a failed write.
void Console::outliveReader() { std::signal(SIGPIPE, SIG_IGN); }

void Console::line(std::string_view text) {
    const std::lock_guard lock(m_mutex);
    const std::string live = m_live;
    clearLive();
    write(printable(readableText(text)) + "\n");
    if (!live.empty()) {
        write(live);
        m_live = live;
    }
}

void Console::record(std::string_view text, const std::function<bool()>& givesUp) {
    const std::string line = printable(readableText(text)) + "\n";
    std::string_view left = line;
    for (bool told = false; !left.empty();) {
        int problem = 0;
        {
            const std::lock_guard lock(m_mutex);
            if (m_readerLeft || m_lost || m_muted)
                return;
            const ssize_t count = ::write(STDOUT_FILENO, left.data(), left.size());
            problem = count < 0 ? errno : 0;
            left.remove_prefix(count < 0 ? 0 : static_cast<std::size_t>(count));
            const bool mayPass = problem == EINTR || isFull(problem) || mustWait(problem);
            if (problem != 0 && (!mayPass || (problem != EINTR && givesUp())))
                return lose(problem);
        }
        if (mustWait(problem))
            waitForReader();
        if (!isFull(problem))
            continue;
        if (!std::exchange(told, true))
            note("accumulus-cli: standard output cannot be written: " + std::string(std::strerror(problem)) +
                 ". Trying again every second.");
        std::this_thread::sleep_for(betweenTries);
    }
}

void Console::live(std::string_view text) {
    if (!m_terminal || m_muted)
        return;
    const std::lock_guard lock(m_mutex);
    clearLive();
    // A line that wraps could not be redrawn in place.
    m_live = printable(readableText(text)).substr(0, terminalWidth() - 1);
    write(m_live);
}

void Console::note(std::string_view text) {
    const std::lock_guard lock(m_mutex);
    if (m_muted)
        return;
    clearLive();
    std::fprintf(stderr, "%s\n", printable(readableText(text)).c_str());
    std::fflush(stderr);
}

void Console::notes(const std::vector<Message>& messages) {
    for (const Message& message : messages)
        note("Note: " + messageText(message));
}

int Console::fail(const Error& error) {
    note("accumulus-cli: " + describe(error));
    return exitCode(error);
}

void Console::print(std::string_view text) {
    const std::lock_guard lock(m_mutex);
    clearLive();
    write(text);
}

int Console::finish(int code) {
    const std::lock_guard lock(m_mutex);
    write({}); // what the C library may still hold
    return m_lost && code == 0 ? static_cast<int>(ErrorKind::Internal) : code;
}

void Console::write(std::string_view text) {
    if (m_readerLeft || m_lost || m_muted)
        return;
    errno = 0;
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
        return lose(errno);
    while (!text.empty()) {
        const ssize_t count = ::write(STDOUT_FILENO, text.data(), text.size());
        if (count >= 0)
            text.remove_prefix(static_cast<std::size_t>(count));
        else if (mustWait(errno))
            waitForReader();
        else if (errno != EINTR)
            return lose(errno);
    }
}

void Console::lose(int number) {
    (number == EPIPE ? m_readerLeft : m_lost) = true;
    if (m_readerLeft)
        std::fputs("accumulus-cli: standard output was closed; continuing without it.\n", stderr);
    else
        std::fprintf(stderr, "accumulus-cli: standard output cannot be written: %s.\n", std::strerror(number));
}

void Console::clearLive() {
    if (!m_live.empty())
        write("\r\033[K");
    m_live.clear();
}

} // namespace accumulus::cli
