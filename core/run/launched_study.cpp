// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/launched_study.h"

#include "core/config/experiment_file.h"
#include "core/ranks/launch.h"
#include "core/run/child_process.h"
#include "core/run/event_stream.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <type_traits>
#include <unistd.h>
#include <variant>

namespace accumulus {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr auto glance = std::chrono::milliseconds(50);      // at what is asked of the control
constexpr auto lastWords = std::chrono::milliseconds(500);  // of a child that has ended, where others hold its pipes
constexpr std::size_t longestLine = std::size_t{64} << 20;  // an event of a study with very many runs
constexpr std::size_t longestRemark = std::size_t{1} << 16; // anything else
constexpr int insistenceShare = 6;

/// Lines out of what is read piece by piece.
class Lines {
public:
    explicit Lines(std::size_t longest) : m_longest(longest) {}

    /// Calls `take` with each line that is whole now. One that is too long is cut.
    template <class Take>
    void add(std::string_view piece, Take take) {
        for (std::size_t end = piece.find('\n'); end != std::string_view::npos; end = piece.find('\n')) {
            keep(piece.substr(0, end));
            take(std::string_view(m_open));
            m_open.clear();
            piece.remove_prefix(end + 1);
        }
        keep(piece);
    }
    template <class Take>
    void finish(Take take) {
        if (!m_open.empty())
            take(std::string_view(m_open));
        m_open.clear();
    }

private:
    void keep(std::string_view piece) { m_open += piece.substr(0, m_longest - std::min(m_longest, m_open.size())); }

    std::size_t m_longest;
    std::string m_open;
};

/// One launch, from the first line to the last.
class Follower {
public:
    Follower(ChildProcess child, RunControl& control, const RunEventReceiver& receive, std::chrono::milliseconds grace)
        : m_child(std::move(child)), m_control(control), m_receive(receive), m_grace(grace) {}

    Result<StudyOutcome> follow(const ExperimentConfig& experiment) {
        m_toWrite = experimentToml(experiment, true) + std::string(experimentEnd) + "\n";
        std::optional<Clock::time_point> endSeen;
        while (m_child.out().isOpen() || m_child.err().isOpen()) {
            ask();
            const bool heard = exchange();
            if (!endSeen && m_child.ended())
                endSeen = Clock::now();
            if (endSeen && !heard && Clock::now() - *endSeen > lastWords)
                break;
        }
        m_events.finish([this](std::string_view line) { line.starts_with('{') ? void() : remember(line); }); // cut off
        m_remarks.finish([this](std::string_view line) { remember(line); });
        publish();
        while (!m_child.ended()) { // it has closed its channels; a stop-now still reaches it by signals
            ask();
            poll(nullptr, 0, static_cast<int>(glance.count()));
        }
        return outcome();
    }

private:
    /// What the control says and the child does not know yet.
    void ask() {
        const auto say = [this](LaunchVerb verb) { m_toWrite += std::string(launchVerbName(verb)) + "\n"; };
        const RunControl::Request request = m_control.request();
        if (request == RunControl::Request::None && m_control.paused() != m_paused) {
            m_paused = !m_paused;
            say(m_paused ? LaunchVerb::Pause : LaunchVerb::Resume);
        }
        if (request == RunControl::Request::Stop && m_asked == RunControl::Request::None)
            say(LaunchVerb::Stop);
        const bool insisted = m_control.insisted();
        if (request == RunControl::Request::StopNow && (m_asked != request || insisted != m_insisted)) {
            say(LaunchVerb::StopNow);
            m_terminateAt = Clock::now() + (insisted ? m_grace / insistenceShare : m_grace);
            m_killAt = m_terminateAt + m_grace;
        }
        m_asked = request;
        m_insisted = insisted;
        if (m_asked != RunControl::Request::StopNow)
            return;
        if (Clock::now() > m_killAt)
            m_child.signal(SIGKILL);
        else if (Clock::now() > m_terminateAt && !std::exchange(m_terminated, true))
            m_child.signal(SIGTERM);
    }

    /// One wait for whatever comes. True: something was read.
    bool exchange() {
        const short writes = m_toWrite.empty() ? short{0} : short{POLLOUT};
        std::array<pollfd, 3> files{pollfd{m_child.out().number(), POLLIN, 0},
                                    pollfd{m_child.err().number(), POLLIN, 0},
                                    pollfd{writes != 0 ? m_child.in().number() : -1, writes, 0}};
        if (poll(files.data(), files.size(), static_cast<int>(glance.count())) <= 0)
            return false;
        bool heard = false;
        if (files[0].revents != 0)
            heard = read(m_child.out(), m_events, [this](std::string_view line) { takeLine(line); });
        publish();
        if (files[1].revents != 0)
            heard = read(m_child.err(), m_remarks, [this](std::string_view line) { remember(line); }) || heard;
        if (files[2].revents != 0)
            write();
        return heard;
    }

    template <class Take>
    bool read(Descriptor& from, Lines& lines, Take take) {
        std::array<char, 65536> buffer;
        const ssize_t count = ::read(from.number(), buffer.data(), buffer.size());
        if (count > 0)
            lines.add({buffer.data(), static_cast<std::size_t>(count)}, take);
        else if (count == 0 || (errno != EAGAIN && errno != EINTR))
            from.close();
        return count > 0;
    }

    void write() {
        const ssize_t count = send(m_child.in().number(), m_toWrite.data(), m_toWrite.size(), MSG_NOSIGNAL);
        if (count > 0)
            m_toWrite.erase(0, static_cast<std::size_t>(count));
        else if (errno != EAGAIN && errno != EINTR)
            m_child.in().close(); // it reads no more
    }

    void takeLine(std::string_view line) {
        if (!line.starts_with('{')) // some library that prints
            return remember(line);
        auto event = eventOfLine(line);
        if (!event) {
            if (!m_problem)
                m_problem = event.error();
            return;
        }
        note(*event);
        m_waiting.push_back(std::move(*event));
    }
    void note(const RunEvent& event) {
        if (const auto* started = std::get_if<StudyStarted>(&event)) {
            m_outcome.study = started->study;
        } else if (const auto* run = std::get_if<RunFinished>(&event)) {
            m_outcome.runs.push_back(*run);
        } else if (const auto* end = std::get_if<StudyFinished>(&event)) {
            m_outcome.stopped = end->stopped;
            m_outcome.error = end->error;
            m_failed = end->error && end->study.empty(); // not a run, but the study as a whole
            m_finished = true;
        }
    }
    void publish() {
        if (!m_waiting.empty())
            m_receive(m_waiting);
        m_waiting.clear();
    }

    /// mpirun frames what it says in lines of dashes. It becomes a part of a sentence.
    void remember(std::string_view line) {
        while (!line.empty() && (line.back() == '\r' || line.back() == ' ' || line.back() == '.'))
            line.remove_suffix(1);
        if (line.find_first_not_of("-= \t") != std::string_view::npos)
            m_lastRemark = line;
    }

    Result<StudyOutcome> outcome() {
        if (m_finished && m_failed)
            return failure(*m_outcome.error);
        if (m_finished) {
            if (m_problem && !m_outcome.error)
                m_outcome.error = m_problem;
            return m_outcome;
        }
        if (m_problem)
            return failure(*m_problem);
        Error error{"launch.ended", {}};
        const int status = m_child.ended().value_or(0);
        if (WIFSIGNALED(status)) {
            const char* name = sigabbrev_np(WTERMSIG(status));
            error.arguments = {{"how", "phrase.ended-signal"},
                               {"signal", name ? std::string("SIG") + name : std::to_string(WTERMSIG(status))}};
        } else {
            error.arguments = {{"how", "phrase.ended-code"}, {"code", std::to_string(WEXITSTATUS(status))}};
        }
        error.arguments.emplace_back("reason", m_lastRemark.empty() ? "reason.no-words" : "reason.last-words");
        error.arguments.emplace_back("line", m_lastRemark);
        return failure(std::move(error));
    }

    ChildProcess m_child;
    RunControl& m_control;
    const RunEventReceiver& m_receive;
    std::chrono::milliseconds m_grace;

    std::string m_toWrite;
    Lines m_events{longestLine};
    Lines m_remarks{longestRemark};
    std::vector<RunEvent> m_waiting; ///< read, not yet handed on
    std::string m_lastRemark;
    std::optional<Error> m_problem;
    StudyOutcome m_outcome;
    bool m_finished = false;
    bool m_failed = false;

    bool m_paused = false; ///< what the child was told
    RunControl::Request m_asked = RunControl::Request::None;
    bool m_insisted = false;
    bool m_terminated = false;
    Clock::time_point m_terminateAt;
    Clock::time_point m_killAt;
};

/// A program as a shell finds it.
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

/// accumulus-cli beside the running program, in the build tree or installed.
std::string findCli() {
    std::error_code ignored;
    const fs::path folder = fs::read_symlink("/proc/self/exe", ignored).parent_path();
    for (const char* place : {".", "../bin"}) {
        const fs::path file = folder / place / "accumulus-cli";
        if (access(file.c_str(), X_OK) == 0)
            return file.lexically_normal().string();
    }
    return {};
}

struct Programs {
    std::string mpirun;
    std::string cli;
};
Result<Programs> findPrograms(std::int64_t ranks) {
    Programs found{findProgram("mpirun"), findCli()};
    if (found.mpirun.empty())
        return failure("launch.no-mpirun", {{"ranks", std::to_string(ranks)}});
    if (found.cli.empty())
        return failure("launch.no-cli", {{"ranks", std::to_string(ranks)}});
    if (mpiModule().empty())
        return failure("launch.no-module", {{"ranks", std::to_string(ranks)}});
    return found;
}

} // namespace

std::string_view launchVerbName(LaunchVerb verb) {
    static constexpr std::array<std::string_view, 4> names{"pause", "resume", "stop", "stop-now"};
    return names[static_cast<std::size_t>(verb)];
}

Result<StudyOutcome> launchStudy(const ExperimentConfig& experiment, const LaunchCommand& command, RunControl& control,
                                 const RunEventReceiver& receive) {
    ACCUMULUS_TRY_ASSIGN(auto child, ChildProcess::start(command));
    return Follower(std::move(child), control, receive, command.grace).follow(experiment);
}

Result<LaunchCommand> mpirunCommand(std::int64_t ranks, const fs::path& library) {
    ACCUMULUS_TRY_ASSIGN(const auto found, findPrograms(ranks));
    LaunchCommand command;
    command.arguments = {found.mpirun, "-n",       std::to_string(ranks), found.cli,       "run",
                         "-",          "--events", "--library",           library.string()};
    // By variables, which another MPI does not mind. Ranks share the cores out themselves, and there may be more of
    // them than cores. Open MPI 4, then 5.
    command.environment = {{"OMPI_MCA_rmaps_base_oversubscribe", "1"},
                           {"OMPI_MCA_hwloc_base_binding_policy", "none"},
                           {"PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe"},
                           {"PRTE_MCA_hwloc_default_binding_policy", "none"}};
    if (geteuid() == 0) // as in a container
        for (const char* name : {"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"})
            command.environment.emplace_back(name, "1");
    return command;
}

Result<LaunchCommand> localRanksCommand(std::int64_t ranks, const fs::path& library) {
    ACCUMULUS_TRY_ASSIGN(const auto found, findPrograms(ranks));
    LaunchCommand command;
    command.arguments = {found.cli,   "run",           "-", "--ranks", std::to_string(ranks), "--events",
                         "--library", library.string()};
    command.grace = 3 * command.grace; // it has a child with a grace of its own
    return command;
}

MachineFeatures launchingFeatures() {
    MachineFeatures machine = machineFeatures();
    machine.launchesRanks = findPrograms(2).has_value();
    return machine;
}

} // namespace accumulus
