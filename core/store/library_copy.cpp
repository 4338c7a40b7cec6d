// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/library_copy.h"

#include "core/base/hash.h"

#include <SQLiteCpp/Backup.h>

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <limits>
#include <optional>
#include <sqlite3.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace accumulus {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
constexpr int pagesAtOnce = 2000;
constexpr int stepsBetweenQuestions = 10'000; // of SQLite's machine: a few milliseconds at most
constexpr std::string_view copySuffix = ".copy", lockSuffix = ".copy-lock";
constexpr std::size_t uuidLength = 36;

/// The descriptor, or -1: somebody has locked it, or it cannot be locked.
int lockFile(const fs::path& file) {
    const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    struct stat status {};
    // Who removes a copy removes its lock last: that one may be gone between the two calls.
    if (descriptor >= 0 && ::flock(descriptor, LOCK_EX | LOCK_NB) == 0 && ::fstat(descriptor, &status) == 0 &&
        status.st_nlink > 0)
        return descriptor;
    if (descriptor >= 0)
        ::close(descriptor);
    return -1;
}

void removeCopy(const fs::path& copy) {
    std::error_code ignored;
    for (const char* suffix : {"", "-wal", "-shm", "-journal", "-lock"})
        fs::remove(copy.string() + suffix, ignored);
}

/// Is it LIBRARY.UUID.copy-lock? A person's own copies have other names.
bool isLockOf(std::string_view library, std::string_view name) {
    if (!name.starts_with(library) || !name.ends_with(lockSuffix) ||
        name.size() != library.size() + 1 + uuidLength + lockSuffix.size())
        return false;
    name = name.substr(library.size(), 1 + uuidLength);
    return name.front() == '.' && name.find_first_not_of("0123456789abcdef-", 1) == std::string_view::npos;
}

bool isBusy(int result) { return (result & 0xFF) == SQLITE_BUSY || (result & 0xFF) == SQLITE_LOCKED; }

/// A database as it is now, for as long as this lives: a copy begins anew whenever another connection has committed.
/// Without a log this would keep the others from writing.
class Snapshot {
public:
    /// False: somebody has locked it.
    bool take(SQLite::Database& database) {
        if (m_taken)
            return true;
        try {
            if (hasLog(database)) {
                m_reading.emplace(database);
                static_cast<void>(database.execAndGet("SELECT count(*) FROM sqlite_schema"));
            }
            m_taken = true;
        } catch (const SQLite::Exception& exception) {
            m_reading.reset();
            if (!isBusy(exception.getErrorCode()))
                throw;
        }
        return m_taken;
    }

private:
    std::optional<SQLite::Transaction> m_reading;
    bool m_taken = false;
};

} // namespace

bool hasLog(SQLite::Database& database) { return database.execAndGet("PRAGMA journal_mode").getString() == "wal"; }

Status copyPages(SQLite::Database& to, SQLite::Database& from, const fs::path& file, const std::stop_token& stop,
                 std::chrono::milliseconds patience, const std::function<Status()>& held) {
    Snapshot snapshot;
    SQLite::Backup backup(to, from);
    auto deadline = std::chrono::steady_clock::now() + patience;
    int least = std::numeric_limits<int>::max(); // pages that were left at best
    bool locked = false;                         // `to`, by a first step without pages
    for (int result = SQLITE_OK; result != SQLITE_DONE;) {
        if (stop.stop_requested())
            return failure("library.cancelled");
        result = snapshot.take(from) ? backup.executeStep(locked ? pagesAtOnce : 0) : SQLITE_BUSY;
        if (!isBusy(result)) {
            if (!std::exchange(locked, true) && held)
                ACCUMULUS_TRY(held());
            if (const int left = backup.getRemainingPageCount(); std::exchange(least, std::min(least, left)) > left)
                deadline = std::chrono::steady_clock::now() + patience;
            continue;
        }
        if (std::chrono::steady_clock::now() > deadline)
            return failure("library.locked", {{"file", file.string()}});
        std::this_thread::sleep_for(20ms);
    }
    return {};
}

Status checkSchema(Library::Connection& connection, const fs::path& file) {
    // By the text, which is what SQLite acts on, and begins like this in every file that SQLite wrote.
    Query odd(connection,
              "SELECT name FROM sqlite_schema WHERE NOT coalesce((type = 'table' AND sql GLOB 'CREATE TABLE *') OR "
              "(type = 'index' AND coalesce(sql GLOB 'CREATE INDEX *' OR sql GLOB 'CREATE UNIQUE INDEX *', 1)) OR "
              "(type = 'view' AND name = 'run_windows' AND sql GLOB 'CREATE VIEW *'), 0)");
    if (!odd.step())
        return {};
    return failure("library.corrupt",
                   {{"file", file.string()}, {"reason", "reason.library-schema"}, {"name", odd.text()}});
}

StopsQueries::StopsQueries(Library::Connection& connection, std::stop_token stop)
    : m_connection(connection), m_stop(std::move(stop)) {
    const auto asked = [](void* token) { return static_cast<std::stop_token*>(token)->stop_requested() ? 1 : 0; };
    sqlite3_progress_handler(connection.database.getHandle(), stepsBetweenQuestions, asked, &m_stop);
}

StopsQueries::~StopsQueries() { sqlite3_progress_handler(m_connection.database.getHandle(), 0, nullptr, nullptr); }

LibraryCopy::LibraryCopy(const fs::path& library) {
    removeAbandonedCopies(library);
    constexpr int attempts = 3; // somebody may have taken a lock that is not locked yet for abandoned
    for (int i = 0; i < attempts && m_lock < 0; ++i) {
        const std::string name = library.string() + '.' + newUuid();
        m_file = name + std::string(copySuffix);
        m_lock = lockFile(name + std::string(lockSuffix));
    }
}

LibraryCopy::~LibraryCopy() {
    removeCopy(m_file);
    if (m_lock >= 0)
        ::close(m_lock);
}

void removeAbandonedCopies(const fs::path& library) {
    std::vector<fs::path> locks;
    std::error_code problem;
    for (fs::directory_iterator entry(library.parent_path(), problem), end; !problem && entry != end;
         entry.increment(problem))
        if (isLockOf(library.filename().string(), entry->path().filename().string()))
            locks.push_back(entry->path());
    for (const fs::path& file : locks)
        if (const int lock = lockFile(file); lock >= 0) {
            removeCopy(fs::path(file).replace_extension(copySuffix));
            ::close(lock);
        }
}

} // namespace accumulus
