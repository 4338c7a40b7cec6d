// SPDX-License-Identifier: GPL-3.0-or-later
// What passes between this process and a child: lines both ways, none of which blocks. One thread.
#pragma once

#include "core/launch/child_process.h"

#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

namespace accumulus {

class ChildTalk {
public:
    using Take = std::function<void(std::string_view line)>;

    explicit ChildTalk(ChildProcess child) : m_child(std::move(child)) {}

    [[nodiscard]] ChildProcess& child() { return m_child; }
    /// May the child still say something?
    [[nodiscard]] bool isOpen() { return m_child.out().isOpen() || m_child.err().isOpen(); }
    /// For its standard input.
    void say(std::string_view text) { m_toWrite += text; }
    /// Has all of it been written, or is there nobody left to read it?
    [[nodiscard]] bool isSaid() { return m_toWrite.empty() || !m_child.in().isOpen(); }
    /// One wait of 50 ms at most for whatever comes. True: something was read. `said` and `remarked` get the whole
    /// lines of standard output and standard error.
    bool exchange(const Take& said, const Take& remarked);
    /// Lines without an end, once nothing more comes.
    void finish(const Take& said, const Take& remarked);

private:
    /// Lines out of what is read piece by piece. One that is too long is cut.
    struct Lines {
        std::size_t longest = 0;
        std::string open{};
        void add(std::string_view piece, const Take& take);
        void finish(const Take& take);
    };
    bool read(Descriptor& from, Lines& lines, const Take& take);
    void write();

    ChildProcess m_child;
    std::string m_toWrite;
    Lines m_said{std::size_t{64} << 20};    // an event of a study with very many runs
    Lines m_remarked{std::size_t{1} << 16}; // anything else
};

/// What a child said last on standard error, as a part of a sentence. Lines that only frame others say nothing.
class LastRemark {
public:
    void hear(std::string_view line);
    [[nodiscard]] const std::string& text() const { return m_text; }

private:
    std::string m_text;
};

/// Runs a command to its end, without input. Error "launch.start". Once `stop` is asked it is ended with all that it
/// has started: SIGTERM, and SIGKILL after 3 s.
struct Ran {
    int status = 0;     ///< as waitpid() says it
    std::string output; ///< standard output, up to 1 MiB
    std::string remark; ///< LastRemark
    [[nodiscard]] bool isGood() const { return status == 0; }
};
[[nodiscard]] Result<Ran> runToEnd(const LaunchCommand& command, const std::stop_token& stop = {});

/// A program as a shell finds it; empty where there is none.
[[nodiscard]] std::string findProgram(const std::string& name);
/// accumulus-cli beside the running program, in the build tree or installed; empty where there is none.
[[nodiscard]] std::string findCli();

} // namespace accumulus
