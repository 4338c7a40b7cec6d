// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/store: copies of a library that are used and thrown away. Whoever works with one holds a lock on the
// file COPY-lock beside it; a copy that nobody has locked was left behind by a process that was killed.
#pragma once

#include "core/store/connection.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <stop_token>

namespace accumulus {

/// Where others read while one writes: WAL.
[[nodiscard]] bool hasLog(SQLite::Database& database);

inline constexpr std::chrono::seconds copyPatience{30};

/// All pages of `from` in place of those of `to`, a few at a time: others may write in between, and are left out where
/// `from` has a log. `held` is asked once nobody else can write to `to`; its error ends it. Errors "library.cancelled",
/// and "library.locked" with {file} once it has come no further for `patience`.
[[nodiscard]] Status copyPages(SQLite::Database& to, SQLite::Database& from, const std::filesystem::path& file,
                               const std::stop_token& stop, std::chrono::milliseconds patience = copyPatience,
                               const std::function<Status()>& held = {});

/// Does the file hold tables and indexes only, and the view that ours have? Anything else could compute for ever where
/// a table is read or written. Error "library.corrupt" with {file}.
[[nodiscard]] Status checkSchema(Library::Connection& connection, const std::filesystem::path& file);

/// While it lives, what the connection computes ends soon after `stop` asks for it, with an error.
class StopsQueries {
public:
    StopsQueries(Library::Connection& connection, std::stop_token stop);
    ~StopsQueries();
    StopsQueries(const StopsQueries&) = delete;
    StopsQueries& operator=(const StopsQueries&) = delete;

private:
    Library::Connection& m_connection;
    std::stop_token m_stop;
};

/// LIBRARY.UUID.copy beside a library: on a disk that has room for its rows anyway. Goes with its SQLite companions.
class LibraryCopy {
public:
    explicit LibraryCopy(const std::filesystem::path& library);
    ~LibraryCopy();
    LibraryCopy(const LibraryCopy&) = delete;
    LibraryCopy& operator=(const LibraryCopy&) = delete;

    [[nodiscard]] const std::filesystem::path& file() const { return m_file; }

private:
    std::filesystem::path m_file;
    int m_lock = -1;
};

/// Removes copies beside the library that nobody has locked.
void removeAbandonedCopies(const std::filesystem::path& library);

} // namespace accumulus
