// SPDX-License-Identifier: GPL-3.0-or-later
// What the command line prints: results on standard output, errors and notes on standard error, and one live line that
// is redrawn in place. Any thread; each call is whole. A reader who leaves (a closed pipe) ends the printing, never the
// work. What is printed is printable: a name in the library cannot steer the terminal or feign a line.
// Bytes that are not UTF-8 are shown as \xE9.
#pragma once

#include "core/base/error.h"
#include "core/base/message.h"

#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace accumulus::cli {

class Console {
public:
    Console();

    /// From now on a reader who leaves (a closed pipe) ends the printing, but not the work, and standard error says so.
    /// For work that is worth finishing; anything else ends quietly with its reader, as programs on a pipe do.
    void outliveReader();

    /// From now on nothing is printed: another rank speaks.
    void mute() { m_muted = true; }

    /// One line on standard output.
    void line(std::string_view text);
    /// One line on standard output that others will read from a file: where there is no room for it (a full disk) this
    /// waits until there is, asking `givesUp` every second; once that says so nothing more is printed. One thread at a
    /// time; others may note meanwhile.
    void record(std::string_view text, const std::function<bool()>& givesUp);
    /// Replaces the live line. Only where standard output is a terminal; elsewhere nothing is printed.
    void live(std::string_view text);
    /// Text of one or more lines, as it is.
    void print(std::string_view text);
    /// One line on standard error.
    void note(std::string_view text);
    /// What is worth knowing of an experiment before work on it begins, likewise.
    void notes(const std::vector<Message>& messages);
    /// The error in words on standard error. Returns its exit code.
    int fail(const Error& error);

    /// `code`, or 1 in place of 0 where standard output could not be written (a full disk; a reader who left is no
    /// failure). Standard error has said so. Call once, at the end.
    [[nodiscard]] int finish(int code);

    [[nodiscard]] bool isTerminal() const { return m_terminal; }

private:
    void write(std::string_view text);
    void lose(int problem);
    void clearLive();

    std::mutex m_mutex;
    bool m_terminal = false;
    bool m_muted = false;
    bool m_readerLeft = false;
    bool m_lost = false; ///< something was not written, and the reader is not the reason
    std::string m_live;
};

} // namespace accumulus::cli
