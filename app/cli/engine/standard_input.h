// SPDX-License-Identifier: GPL-3.0-or-later
// `run -`: the experiment on standard input up to a line of three dashes, then commands, one a line.
#pragma once

#include "app/cli/console.h"
#include "app/cli/training_options.h"
#include "core/base/result.h"
#include "core/run/run_control.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace accumulus::cli {

/// What was read from standard input and not used yet. The main thread, then that of InputCommands.
class StandardInput {
public:
    /// The text of the experiment, up to the line or the end. Error "config.file" where it is larger than an
    /// experiment may be.
    [[nodiscard]] Result<std::string> experiment();
    /// The lines that have come; waits `milliseconds` at most for one. Nothing at the end.
    [[nodiscard]] std::optional<std::vector<std::string>> lines(int milliseconds);

private:
    friend class InputCommands;
    [[nodiscard]] bool readMore(); ///< false at the end

    std::string m_text;
    bool m_ended = false;
};

/// Obeys pause, resume, stop and stop-now, on a thread of its own: from standard input or from a file that others
/// append to. At the end of standard input who trains goes on without the one who started it; a pause ends, for nobody
/// is left who could end it.
class InputCommands {
public:
    InputCommands(StandardInput& input, RunControl& control, Console& console);
    /// Without the first `after` bytes of the file.
    InputCommands(const std::filesystem::path& file, std::int64_t after, RunControl& control, Console& console);
    ~InputCommands(); ///< does not wait for input
    InputCommands(const InputCommands&) = delete;
    InputCommands& operator=(const InputCommands&) = delete;

private:
    void listen(StandardInput& input);
    void watch(const std::filesystem::path& file, std::int64_t after);
    [[nodiscard]] bool isOver(int milliseconds) const; ///< waits so long for the end
    void obey(const std::string& line);

    RunControl& m_control;
    Console& m_console;
    int m_wake = -1; ///< readable once it is time to end
    std::thread m_thread;
};

/// Where commands come from, as the options say: standard input, what a file gets from this object's beginning on, or
/// nowhere.
class CommandSource {
public:
    /// `afterExperiment`: without --commands they follow the experiment on standard input.
    CommandSource(const TrainingOptions& options, StandardInput& input, bool afterExperiment);
    /// For as long as what is returned lives; null where nothing is asked.
    [[nodiscard]] std::unique_ptr<InputCommands> obey(RunControl& control, Console& console) const;

private:
    StandardInput& m_input;
    bool m_isInput;
    std::filesystem::path m_file;
    std::int64_t m_after = 0; ///< bytes of the file that are not obeyed
};

} // namespace accumulus::cli
