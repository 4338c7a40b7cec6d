// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/library_care.h"

#include "core/base/clock.h"
#include "core/store/library_copy.h"
#include "core/store/migrations.h"

#include <cerrno>
#include <fcntl.h>
#include <limits>
#include <sqlite3.h>
#include <sys/file.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace accumulus {
namespace {

using Connection = Library::Connection;

Error writeError(const std::filesystem::path& file, const std::string& reason) {
    return {"library.write", {{"file", file.string()}, {"reason", reason}}};
}

void removeWithCompanions(const std::filesystem::path& file) {
    std::error_code ignored;
    for (const char* ending : {"", "-wal", "-shm", "-journal"})
        std::filesystem::remove(file.string() + ending, ignored);
}

/// A file that goes with its SQLite companions, unless it was kept.
class Draft {
public:
    explicit Draft(std::filesystem::path file) : m_file(std::move(file)) { removeWithCompanions(m_file); }
    ~Draft() { removeWithCompanions(m_file); }
    Draft(const Draft&) = delete;
    Draft& operator=(const Draft&) = delete;
    [[nodiscard]] const std::filesystem::path& file() const { return m_file; }

private:
    std::filesystem::path m_file;
};

Status copyToFile(SQLite::Database& from, const std::filesystem::path& library, const std::filesystem::path& file,
                  const std::stop_token& stop) {
    SQLite::Database copy(file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    return copyPages(copy, from, library, stop);
}

/// A window has it open, or a log beside it holds what SQLite would play into any file of that name.
bool isInUse(const std::filesystem::path& file) {
    std::error_code none;
    for (const char* ending : {"-wal", "-journal"})
        if (const auto size = std::filesystem::file_size(file.string() + ending, none); !none && size > 0)
            return true;
    const int lock = ::open((file.string() + ".window").c_str(), O_RDONLY | O_CLOEXEC);
    if (lock < 0)
        return false;
    const bool held = ::flock(lock, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    ::close(lock);
    return held;
}

constexpr const char* activeRun = "SELECT id, name FROM runs WHERE state IN ('queued', 'starting', 'running', "
                                  "'paused', 'stopping') ORDER BY number LIMIT 1";

Status refuseWhileTraining(Connection& connection) {
    Query active(connection, activeRun);
    if (!active.step())
        return {};
    const std::string run = active.text();
    return failure("library.run-active", {{"run", run}, {"name", active.text()}});
}

/// The same through a connection of its own.
Status refuseWhileTraining(const std::filesystem::path& file) {
    ACCUMULUS_TRY_ASSIGN(auto library, Library::open(file, Library::Mode::Read));
    return library.connection().guarded(Access::Read, [&] { return refuseWhileTraining(library.connection()); });
}

/// Nobody trains the runs of a copy, whoever owned them when it was made.
Status interruptAll(Library copy) {
    ACCUMULUS_TRY(copy.connection().guarded(Access::Write, [&]() -> Status {
        copy.connection().database.exec("UPDATE runs SET owner_pid = NULL, owner_host = NULL "
                                        "WHERE state IN ('queued', 'starting', 'running', 'paused', 'stopping')");
        return {};
    }));
    RunStore store(std::move(copy));
    ACCUMULUS_TRY(store.markInterrupted(std::numeric_limits<double>::infinity()));
    return {};
}

/// A copy of `from` as `draft`: checked, of this version, and with runs that can be resumed.
Status makeDraft(Connection& connection, const std::filesystem::path& from, const std::filesystem::path& draft) {
    ACCUMULUS_TRY(connection.guarded(Access::Read, [&]() -> Status {
        SQLite::Database source(from.string(), SQLite::OPEN_READONLY, 5000);
        if (source.execAndGet("PRAGMA application_id").getInt() != libraryApplicationId)
            return failure("library.not-ours", {{"file", from.string()}, {"reason", "reason.foreign-library"}});
        const Status copied = copyToFile(source, from, draft, {});
        return copied ? checkSchema(*connectForReading(draft), from) : copied;
    }));
    ACCUMULUS_TRY_ASSIGN(auto copy, Library::open(draft, Library::Mode::Write));
    ACCUMULUS_TRY_ASSIGN(const auto health, checkLibrary(copy));
    if (!health.problems.empty())
        return failure("library.corrupt", {{"file", from.string()}, {"reason", health.problems.front()}});
    return interruptAll(std::move(copy));
}

/// The contents of `draft` in place of the library's, unless a run has begun meanwhile.
Status putInPlace(Connection& connection, const std::filesystem::path& draft) {
    return connection.guarded(Access::Write, [&]() -> Status {
        SQLite::Database copy(draft.string(), SQLite::OPEN_READWRITE);
        const auto ask = [&] { return refuseWhileTraining(connection.path); };
        if (hasLog(connection.database)) // which lets others read while nobody can begin a run
            return copyPages(connection.database, copy, connection.path, {}, copyPatience, ask);
        ACCUMULUS_TRY(ask());
        return copyPages(connection.database, copy, connection.path, {});
    });
}

} // namespace

Result<LibraryHealth> checkLibrary(Library& library, const std::stop_token& stop) {
    Connection& connection = library.connection();
    const std::stop_callback interrupt(stop, [&] { sqlite3_interrupt(connection.database.getHandle()); });
    auto checked = connection.guarded(Access::Read, [&]() -> Result<LibraryHealth> {
        LibraryHealth health;
        for (const char* pragma : {"PRAGMA integrity_check", "PRAGMA foreign_key_check"}) {
            if (stop.stop_requested())
                break;
            Query rows(connection, pragma);
            while (rows.step())
                if (std::string text = rows.text(); text != "ok")
                    health.problems.push_back(std::move(text));
        }
        Query runs(connection, "SELECT count(*) FROM runs");
        health.runs = runs.step() ? runs.integer() : 0;
        Query files(connection, "SELECT weights_path, bundle_path FROM checkpoints");
        while (!stop.stop_requested() && files.step()) {
            ++health.checkpoints;
            for (int column = 0; column < 2; ++column) {
                const auto path = connection.fullPath(files.text());
                std::error_code unknown;
                if (path && !path->empty() && !std::filesystem::exists(*path, unknown))
                    health.missing.push_back(*path);
            }
        }
        return health;
    });
    if (stop.stop_requested())
        return failure("library.cancelled", {});
    return checked;
}

Status backUpLibrary(Library& library, const std::filesystem::path& to, const std::stop_token& stop) {
    Connection& connection = library.connection();
    std::error_code code;
    if (std::filesystem::equivalent(to, connection.path, code))
        return failure(writeError(to, "reason.same-file"));
    if (isInUse(to))
        return failure(writeError(to, "reason.library-in-use"));
    const Draft draft(to.string() + ".part");
    ACCUMULUS_TRY(connection.guarded(
        Access::Write, [&] { return copyToFile(connection.database, connection.path, draft.file(), stop); }));
    for (const char* ending : {"-wal", "-shm", "-journal"}) // of what was there
        std::filesystem::remove(to.string() + ending, code);
    std::filesystem::rename(draft.file(), to, code);
    return code ? Status(failure(writeError(to, code.message()))) : Status();
}

Status restoreLibrary(RunStore& store, const std::filesystem::path& from, const std::filesystem::path& kept) {
    Connection& connection = store.library().connection();
    ACCUMULUS_TRY(store.markInterrupted(unixTime())); // whose process is gone
    ACCUMULUS_TRY(connection.guarded(Access::Read, [&] { return refuseWhileTraining(connection); }));
    const Draft draft(connection.path.string() + ".restoring");
    ACCUMULUS_TRY(makeDraft(connection, from, draft.file()));
    if (!kept.empty())
        ACCUMULUS_TRY(backUpLibrary(store.library(), kept));
    Status restored = putInPlace(connection, draft.file());
    if (!restored && !kept.empty())
        removeWithCompanions(kept); // the library is as it was
    return restored;
}

} // namespace accumulus
