// SPDX-License-Identifier: GPL-3.0-or-later
// The journal of a study that goes on without the one who started it: a folder beside the library of the machine that
// trains, with the experiment, every event in the order in which it was recorded, and what was asked of the trainer.
// One process writes events; any number may follow them and ask. Every part is a plain file, so it works on a file
// system that several machines share.
#pragma once

#include "core/base/result.h"
#include "core/store/run_owner.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace accumulus {

class Journal {
public:
    /// LIBRARY.journals/ID. Nothing is touched yet. Error "journal.name": the id is no name of a folder.
    [[nodiscard]] static Result<Journal> of(const std::filesystem::path& library, const std::string& id);

    [[nodiscard]] const std::filesystem::path& folder() const { return m_folder; }
    [[nodiscard]] std::filesystem::path experiment() const { return m_folder / "experiment.toml"; }
    [[nodiscard]] std::filesystem::path script() const { return m_folder / "start.sh"; }   ///< what trains
    [[nodiscard]] std::filesystem::path events() const { return m_folder / "events"; }     ///< a line of JSON each
    [[nodiscard]] std::filesystem::path commands() const { return m_folder / "commands"; } ///< a LaunchVerb a line
    [[nodiscard]] std::filesystem::path log() const { return m_folder / "log"; } ///< standard error of what trains

    /// Whoever holds it may begin the study.
    class Lock {
    public:
        explicit Lock(int file) : m_file(file) {}
        Lock(Lock&& other) noexcept;
        Lock& operator=(Lock&&) = delete;
        ~Lock();

    private:
        int m_file;
    };
    /// Makes the folder, and waits for whoever holds the lock. Error "file.write".
    [[nodiscard]] Result<Lock> lock() const;

    /// What trains: a process, or a job of a batch system.
    struct Trainer {
        RunOwner process;    ///< the leader of its session
        std::string machine; ///< of the process, whatever boot it is in; empty: not known
        std::string job;     ///< else
    };
    /// Nothing before the study has begun.
    [[nodiscard]] std::optional<Trainer> trainer() const;
    [[nodiscard]] Status setTrainer(const Trainer& trainer) const;
    /// A process of this machine.
    [[nodiscard]] static Trainer trainerHere(std::int64_t pid);
    /// Its process is certainly gone.
    [[nodiscard]] static bool isGone(const Trainer& trainer);
    /// Of the script, once it has ended: a shell's exit code.
    [[nodiscard]] std::optional<int> exitCode() const;
    /// The last line of the log that says something.
    [[nodiscard]] std::string lastRemark() const;

    /// For what trains. Error "file.write".
    [[nodiscard]] Status ask(std::string_view verb) const;
    /// The study is over and everybody knows all of it. Waits up to 3 s for the script to write its end.
    void remove() const;
    /// Removes journals beside this one whose study ended a week ago and which nobody came for.
    void removeAbandoned() const;

private:
    explicit Journal(std::filesystem::path folder) : m_folder(std::move(folder)) {}

    std::filesystem::path m_folder;
};

/// Lines that another process appends to a file, as they come. One thread.
class TailedFile {
public:
    /// The file need not be there yet. Starts `offset` bytes behind its beginning.
    explicit TailedFile(std::filesystem::path file, std::int64_t offset = 0);
    ~TailedFile();
    TailedFile(const TailedFile&) = delete;
    TailedFile& operator=(const TailedFile&) = delete;

    /// Whole lines with their ends, of 1 MiB or a single longer line at most; empty when nothing new is there.
    [[nodiscard]] std::string_view read();
    /// Opens the file anew: on a network file system an open file may be seen as it was.
    void reopen();

private:
    std::filesystem::path m_path;
    std::int64_t m_offset;
    int m_file = -1;
    std::string m_text;
    std::size_t m_given = 0; ///< of m_text, to be forgotten
};

} // namespace accumulus
