// SPDX-License-Identifier: GPL-3.0-or-later
// The library: one SQLite file. Library opens it and brings it to the newest version; RunStore writes, RunReader reads.
// One connection each, one thread each. No SQLite type appears in these headers.
#pragma once

#include "core/base/message.h"
#include "core/base/result.h"

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace accumulus {

/// An open connection. Move-only; used by one thread at a time.
class Library {
public:
    enum class Mode {
        Write,  ///< creates and migrates; WAL, foreign keys, busy timeout
        Change, ///< as Write, but the file must exist: for what is about something in it
        Read,   ///< read-only; the file must exist and be of this version
    };

    static constexpr std::chrono::milliseconds usualPatience{5000};

    /// Errors "library.open", "library.newer" (made by a newer program), "library.older" (reading only: open it for
    /// writing once), "library.not-ours", "library.corrupt", "library.locked", "library.disk-full". `patience`: how
    /// long each of its steps waits for a lock of somebody else; what is done with the library then has the usual one.
    [[nodiscard]] static Result<Library> open(const std::filesystem::path& file, Mode mode,
                                              std::chrono::milliseconds patience = usualPatience);

    Library(Library&&) noexcept;
    Library& operator=(Library&&) noexcept;
    ~Library();

    [[nodiscard]] const std::filesystem::path& path() const; ///< absolute
    /// LIBRARY.files beside the file: checkpoints live in runFolder(run).
    [[nodiscard]] std::filesystem::path runFolder(const std::string& run) const;
    /// What a person should know of its storage: "library.note-network", "library.note-no-wal",
    /// "library.note-read-only", "library.note-log".
    [[nodiscard]] const std::vector<Message>& notices() const;

    /// How long a call waits for another writer before it gives up with "library.locked". usualPatience at first.
    void setLockTimeout(std::chrono::milliseconds timeout);

    struct Connection; ///< of this folder only
    [[nodiscard]] Connection& connection();

private:
    explicit Library(std::unique_ptr<Connection> connection);
    std::unique_ptr<Connection> m_connection;
};

/// Where the library lies when nobody says otherwise: $XDG_DATA_HOME/accumulus/library.sqlite (or ~/.local/share/...).
[[nodiscard]] std::filesystem::path defaultLibraryPath();
/// " --library FILE", as a person types it, so that a command finds this library; nothing for the default one, or none.
[[nodiscard]] std::string libraryArgument(const std::filesystem::path& library);

/// Version that this program writes (PRAGMA user_version).
[[nodiscard]] int libraryVersion();

} // namespace accumulus
