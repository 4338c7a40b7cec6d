// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/engine/standard_input.h"

#include "core/launch/journal.h"
#include "core/launch/launch_verbs.h"
#include "core/launch/launched_study.h"

#include <array>
#include <cerrno>
#include <cstdint>
#include <optional>
#include <poll.h>
#include <sys/eventfd.h>
#include <system_error>
#include <unistd.h>

namespace accumulus::cli {
namespace {

constexpr std::size_t largestExperiment = std::size_t{1} << 20;
constexpr int glanceMilliseconds = 200; // at a file of commands

/// The first line, taken out of the text.
std::optional<std::string> takeLine(std::string& text) {
    const std::size_t end = text.find('\n');
    if (end == std::string::npos)
        return std::nullopt;
    std::string line = text.substr(0, end);
    text.erase(0, end + 1);
    if (line.ends_with('\r'))
        line.pop_back();
    return line;
}

} // namespace

bool StandardInput::readMore() {
    std::array<char, 4096> buffer;
    const ssize_t count = ::read(STDIN_FILENO, buffer.data(), buffer.size());
    if (count > 0)
        m_text.append(buffer.data(), static_cast<std::size_t>(count));
    else if (count == 0 || (errno != EINTR && errno != EAGAIN))
        m_ended = true;
    return !m_ended;
}

Result<std::string> StandardInput::experiment() {
    std::string experiment;
    for (;;) {
        while (auto line = takeLine(m_text)) {
            if (*line == experimentEnd)
                return experiment;
            experiment += *line + "\n";
        }
        if (experiment.size() + m_text.size() > largestExperiment)
            return failure("config.file", {{"file", "standard input"}, {"reason", "reason.experiment-large"}});
        if (m_ended)
            return experiment + std::exchange(m_text, {});
        (void)readMore();
    }
}

std::optional<std::vector<std::string>> StandardInput::lines(int milliseconds) {
    std::vector<std::string> lines;
    pollfd file{STDIN_FILENO, POLLIN, 0};
    if (!m_ended && m_text.find('\n') == std::string::npos && poll(&file, 1, milliseconds) > 0)
        (void)readMore();
    while (auto line = takeLine(m_text))
        lines.push_back(std::move(*line));
    if (lines.empty() && (m_ended || m_text.size() > largestExperiment))
        return std::nullopt;
    return lines;
}

InputCommands::InputCommands(StandardInput& input, RunControl& control, Console& console)
    : m_control(control), m_console(console), m_wake(eventfd(0, EFD_CLOEXEC)) {
    m_thread = std::thread([this, &input] { listen(input); });
}

InputCommands::InputCommands(const std::filesystem::path& file, std::int64_t after, RunControl& control,
                             Console& console)
    : m_control(control), m_console(console), m_wake(eventfd(0, EFD_CLOEXEC)) {
    m_thread = std::thread([this, file, after] { watch(file, after); });
}

InputCommands::~InputCommands() {
    const std::uint64_t one = 1;
    (void)!::write(m_wake, &one, sizeof one);
    m_thread.join();
    ::close(m_wake);
}

void InputCommands::listen(StandardInput& input) {
    while (!input.m_ended) {
        while (const auto line = takeLine(input.m_text))
            obey(*line);
        std::array<pollfd, 2> files{pollfd{STDIN_FILENO, POLLIN, 0}, pollfd{m_wake, POLLIN, 0}};
        if (poll(files.data(), files.size(), -1) < 0 && errno != EINTR)
            return;
        if (files[1].revents != 0)
            return;
        if (files[0].revents != 0 && input.m_text.size() < largestExperiment)
            (void)input.readMore();
        else if (files[0].revents != 0)
            return; // an endless line is no command
    }
    while (const auto line = takeLine(input.m_text))
        obey(*line);
    m_control.resume();
}

void InputCommands::watch(const std::filesystem::path& file, std::int64_t after) {
    TailedFile asked(file, after);
    while (!isOver(glanceMilliseconds)) {
        std::string lines(asked.read());
        while (const auto line = takeLine(lines))
            obey(*line);
    }
}

bool InputCommands::isOver(int milliseconds) const {
    pollfd wake{m_wake, POLLIN, 0};
    return poll(&wake, 1, milliseconds) > 0;
}

void InputCommands::obey(const std::string& line) {
    switch (launchVerbOf(line).value_or(LaunchVerb::Done)) {
    case LaunchVerb::Pause:
        return m_control.pause();
    case LaunchVerb::Resume:
        return m_control.resume();
    case LaunchVerb::Stop:
        return m_control.stop();
    case LaunchVerb::StopNow:
        return m_control.stopNow();
    default:
        if (!line.empty())
            m_console.note("Ignored: " + line);
    }
}

CommandSource::CommandSource(const TrainingOptions& options, StandardInput& input, bool afterExperiment)
    : m_input(input), m_isInput(options.commands == "-" || (options.commands.empty() && afterExperiment)),
      m_file(m_isInput ? std::string() : options.commands) {
    std::error_code unknown;
    const auto size = std::filesystem::file_size(m_file, unknown);
    if (!unknown && !options.commandsSoFar)
        m_after = static_cast<std::int64_t>(size);
}

std::unique_ptr<InputCommands> CommandSource::obey(RunControl& control, Console& console) const {
    if (m_isInput)
        return std::make_unique<InputCommands>(m_input, control, console);
    if (m_file.empty())
        return nullptr;
    return std::make_unique<InputCommands>(m_file, m_after, control, console);
}

} // namespace accumulus::cli
