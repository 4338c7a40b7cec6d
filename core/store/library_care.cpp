// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/library_care.h"

#include "core/store/library_copy.h"
#include "core/store/migrations.h"

#include <system_error>
#include <utility>

namespace accumulus {
namespace {

using Connection = Library::Connection;

Error writeError(const std::filesystem::path& file, const std::string& reason) {
    return {"library.write", {{"file", file.string()}, {"reason", reason}}};
}

/// A file that goes with its SQLite companions, unless it was kept.
class Draft {
public:
    explicit Draft(std::filesystem::path file) : m_file(std::move(file)) { remove(); }
    ~Draft() { remove(); }
    Draft(const Draft&) = delete;
    Draft& operator=(const Draft&) = delete;
    [[nodiscard]] const std::filesystem::path& file() const { return m_file; }

private:
    void remove() const {
        std::error_code ignored;
        for (const char* ending : {"", "-wal", "-shm", "-journal"})
            std::filesystem::remove(m_file.string() + ending, ignored);
    }
    std::filesystem::path m_file;
};

Status copyToFile(SQLite::Database& from, const std::filesystem::path& library, const std::filesystem::path& file,
                  const std::stop_token& stop) {
    SQLite::Database copy(file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    return copyPages(copy, from, library, stop);
}

} // namespace

Result<LibraryHealth> checkLibrary(Library& library) {
    Connection& connection = library.connection();
    return connection.guarded(Access::Read, [&]() -> Result<LibraryHealth> {
        LibraryHealth health;
        for (const char* pragma : {"PRAGMA integrity_check", "PRAGMA foreign_key_check"}) {
            Query rows(connection, pragma);
            while (rows.step())
                if (std::string text = rows.text(); text != "ok")
                    health.problems.push_back(std::move(text));
        }
        Query runs(connection, "SELECT count(*) FROM runs");
        health.runs = runs.step() ? runs.integer() : 0;
        Query files(connection, "SELECT weights_path, bundle_path FROM checkpoints");
        while (files.step()) {
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
}

Status backUpLibrary(Library& library, const std::filesystem::path& to, const std::stop_token& stop) {
    Connection& connection = library.connection();
    std::error_code code;
    if (std::filesystem::equivalent(to, connection.path, code))
        return failure(writeError(to, "reason.same-file"));
    const Draft draft(to.string() + ".part");
    ACCUMULUS_TRY(connection.guarded(
        Access::Write, [&] { return copyToFile(connection.database, connection.path, draft.file(), stop); }));
    std::filesystem::rename(draft.file(), to, code);
    return code ? Status(failure(writeError(to, code.message()))) : Status();
}

Status restoreLibrary(Library& library, const std::filesystem::path& from) {
    Connection& connection = library.connection();
    // A copy of it, beside the library, is checked and brought to this version before anything is changed.
    const Draft draft(connection.path.string() + ".restoring");
    ACCUMULUS_TRY(connection.guarded(Access::Read, [&]() -> Status {
        SQLite::Database source(from.string(), SQLite::OPEN_READONLY);
        if (source.execAndGet("PRAGMA application_id").getInt() != libraryApplicationId)
            return failure("library.not-ours", {{"file", from.string()}, {"reason", "reason.foreign-library"}});
        const Status copied = copyToFile(source, from, draft.file(), {});
        return copied ? checkSchema(*connectForReading(draft.file()), from) : copied;
    }));
    ACCUMULUS_TRY_ASSIGN(auto copy, Library::open(draft.file(), Library::Mode::Write));
    ACCUMULUS_TRY_ASSIGN(const auto health, checkLibrary(copy));
    if (!health.problems.empty())
        return failure("library.corrupt", {{"file", from.string()}, {"reason", health.problems.front()}});
    return connection.guarded(Access::Write,
                              [&] { return copyPages(connection.database, copy.connection().database, from, {}); });
}

} // namespace accumulus
