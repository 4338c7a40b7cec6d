// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/library_merge.h"

#include "core/base/hash.h"
#include "core/config/config_fields.h"
#include "core/store/connection.h"
#include "core/store/run_reader.h"
#include "core/store/run_rows.h"

#include <SQLiteCpp/Backup.h>

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <set>
#include <sqlite3.h>

namespace accumulus {
namespace {

using Connection = Library::Connection;

/// A copy of a library as it is now, brought to this version, beside the one that takes it up: on a disk that has room
/// for its rows anyway.
class LibraryCopy {
public:
    explicit LibraryCopy(const std::filesystem::path& beside) : m_file(beside) { m_file += "." + newUuid() + ".copy"; }
    ~LibraryCopy() {
        for (const char* suffix : {"", "-wal", "-shm", "-journal"}) {
            std::filesystem::path file = m_file;
            file += suffix;
            std::error_code ignored;
            std::filesystem::remove(file, ignored);
        }
    }
    LibraryCopy(const LibraryCopy&) = delete;
    LibraryCopy& operator=(const LibraryCopy&) = delete;

    [[nodiscard]] const std::filesystem::path& file() const { return m_file; }

    [[nodiscard]] Status take(const std::filesystem::path& other) const {
        if (const auto opened = Library::open(other, Library::Mode::Read);
            !opened && opened.error().code != "library.older")
            return failure(opened.error());
        try {
            const auto source = connectForReading(std::filesystem::absolute(other));
            SQLite::Database copy(m_file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
            SQLite::Backup backup(copy, source->database);
            backup.executeStep(-1);
        } catch (const SQLite::Exception& exception) {
            return failure(sqliteError(other, exception, Access::Read));
        }
        const auto migrated = Library::open(m_file, Library::Mode::Write);
        return migrated ? Status() : failure(named(migrated.error(), other));
    }

    /// The error as one of the file that was copied.
    [[nodiscard]] Error named(Error error, const std::filesystem::path& other) const {
        for (auto& [name, value] : error.arguments)
            if (name == "file")
                value = other.string();
        return error;
    }

private:
    std::filesystem::path m_file;
};

/// Tables whose rows belong to a run. Checkpoints are files, and stay where they are.
std::vector<std::string> tablesOfRuns(Connection& connection) {
    std::vector<std::string> tables;
    SQLite::Statement each(connection.database,
                           "SELECT DISTINCT t.name FROM sqlite_schema t, pragma_foreign_key_list(t.name) f WHERE "
                           "t.type = 'table' AND f.\"table\" = 'runs' AND t.name <> 'checkpoints'");
    while (each.executeStep())
        tables.push_back(each.getColumn(0).getString());
    return tables;
}

void bindColumn(SQLite::Statement& statement, int parameter, const SQLite::Column& value) {
    switch (value.getType()) {
    case SQLITE_INTEGER:
        statement.bind(parameter, value.getInt64());
        break;
    case SQLITE_FLOAT:
        statement.bind(parameter, value.getDouble());
        break;
    case SQLITE_NULL:
        statement.bind(parameter);
        break;
    default:
        statement.bind(parameter, value.getString());
    }
}

/// Rows from one library to another of the same version.
class Rows {
public:
    Rows(Connection& from, Connection& to) : m_from(from), m_to(to), m_tables(tablesOfRuns(to)) {}

    void addStudy(const std::string& study) { copy("studies", study); }
    void addAudit(const std::string& audit) { copy("audits", audit); }

    /// With everything that it measured, but without checkpoints and without an owner.
    void addRun(const std::string& run) {
        std::vector<std::string> columns = columnsOf("runs");
        std::erase_if(columns, [](const std::string& name) {
            return name == "number" || name == "checkpoint" || name == "claim" || name.starts_with("owner_");
        });
        std::vector<std::string> written = columns;
        written.emplace_back("checkpoint"); // NOT NULL
        const auto from = numberOf(m_from, run);
        SQLite::Statement read(m_from.database,
                               fmt::format("SELECT {}, '' FROM runs WHERE number = ?", fmt::join(columns, ", ")));
        read.bind(1, from);
        insert(read, "runs", written, std::nullopt);
        const auto to = m_to.database.getLastInsertRowid();
        for (const std::string& table : m_tables)
            addRows(table, from, to);
    }

private:
    const std::vector<std::string>& columnsOf(const std::string& table) {
        std::vector<std::string>& columns = m_columns[table];
        if (columns.empty()) {
            SQLite::Statement each(m_to.database, "SELECT name FROM pragma_table_info(?)");
            each.bind(1, table);
            while (each.executeStep())
                columns.push_back(each.getColumn(0).getString());
        }
        return columns;
    }

    static std::int64_t numberOf(Connection& connection, const std::string& run) {
        Query query(connection, "SELECT number FROM runs WHERE id = ?", run);
        return query.step() ? query.integer() : 0;
    }

    void addRows(const std::string& table, std::int64_t from, std::int64_t to) {
        std::vector<std::string> columns = columnsOf(table);
        std::erase_if(columns, [](const std::string& name) { return name == "run" || name == "number"; });
        SQLite::Statement read(m_from.database,
                               fmt::format("SELECT {} FROM {} WHERE run = ?", fmt::join(columns, ", "), table));
        read.bind(1, from);
        columns.emplace_back("run");
        insert(read, table, columns, to);
    }

    /// Unless it is here already.
    void copy(const std::string& table, const std::string& id) {
        const std::vector<std::string> columns = columnsOf(table);
        SQLite::Statement read(m_from.database,
                               fmt::format("SELECT {} FROM {} WHERE id = ?", fmt::join(columns, ", "), table));
        read.bind(1, id);
        insert(read, table, columns, std::nullopt, "INSERT OR IGNORE");
    }

    /// Every row of `read`, and `last` in the last column where it is given.
    void insert(SQLite::Statement& read, const std::string& table, const std::vector<std::string>& columns,
                std::optional<std::int64_t> last, const char* verb = "INSERT") {
        std::string places = "?";
        for (std::size_t i = 1; i < columns.size(); ++i)
            places += ", ?";
        SQLite::Statement write(
            m_to.database, fmt::format("{} INTO {} ({}) VALUES ({})", verb, table, fmt::join(columns, ", "), places));
        while (read.executeStep()) {
            for (int i = 0; i < read.getColumnCount(); ++i)
                bindColumn(write, i + 1, read.getColumn(i));
            if (last)
                write.bind(static_cast<int>(columns.size()), *last);
            write.exec();
            write.reset();
        }
    }

    Connection& m_from;
    Connection& m_to;
    std::vector<std::string> m_tables;
    std::map<std::string, std::vector<std::string>> m_columns;
};

Result<bool> finds(RunStore& store, std::string_view sql, const std::string& id) {
    Connection& connection = store.library().connection();
    return connection.guarded(Access::Read, [&]() -> Result<bool> { return Query(connection, sql, id).step(); });
}

bool isOver(RunState state) { return state != RunState::Draft && state != RunState::Queued && !isActive(state); }

/// Audits of the runs, and of the set-ups of their configurations.
std::vector<std::string> auditsOf(const std::vector<AuditRecord>& audits, const std::vector<RunRecord>& runs) {
    std::set<std::string> ids, configurations;
    for (const RunRecord& run : runs) {
        ids.insert(run.id);
        configurations.insert(configHash(run.config, 0));
    }
    std::vector<std::string> found;
    for (const AuditRecord& audit : audits)
        if (audit.run.empty() ? configurations.contains(audit.configuration) : ids.contains(audit.run))
            found.push_back(audit.id);
    return found;
}

/// What is to be added, out of all that the copy holds. Reading every run and audit checks them, too.
struct Chosen {
    MergedLibrary counts;
    std::vector<RunRecord> runs;
    std::vector<std::string> audits;
};

Result<Chosen> choose(RunStore& store, Library copy) {
    RunReader reader(std::move(copy));
    Chosen chosen;
    ACCUMULUS_TRY_ASSIGN(auto runs, reader.runs());
    ACCUMULUS_TRY_ASSIGN(const auto trashed, reader.runs({true, {}}));
    ACCUMULUS_TRY_ASSIGN(const auto audits, reader.audits(false, true));
    chosen.counts.trashed = static_cast<std::int64_t>(trashed.size());
    for (RunRecord& run : runs) {
        ACCUMULUS_TRY_ASSIGN(const bool known, hasRun(store, run.id));
        if (known) {
            ++chosen.counts.known;
        } else if (!isOver(run.state)) {
            ++chosen.counts.unfinished;
        } else {
            chosen.counts.added.push_back({run.id, run.tags});
            chosen.runs.push_back(std::move(run));
        }
    }
    chosen.audits = auditsOf(audits, chosen.runs);
    return chosen;
}

} // namespace

Result<bool> hasRun(RunStore& store, const std::string& run) {
    return finds(store, "SELECT 1 FROM runs WHERE id = ?", run);
}

Result<bool> hasStudy(RunStore& store, const std::string& study) {
    return finds(store, "SELECT 1 FROM studies WHERE id = ?", study);
}

Result<MergedLibrary> mergeLibrary(RunStore& store, const std::filesystem::path& other) {
    const LibraryCopy copy(store.library().path());
    ACCUMULUS_TRY(copy.take(other));
    auto opened = Library::open(copy.file(), Library::Mode::Read);
    auto source = Library::open(copy.file(), Library::Mode::Read);
    if (!opened || !source)
        return failure(copy.named(opened ? source.error() : opened.error(), other));
    Connection& from = source->connection();
    const auto damage = from.guarded(Access::Read, [&]() -> Status {
        const std::string found = from.database.execAndGet("PRAGMA quick_check(1)").getString();
        return found == "ok" ? Status() : failure("library.corrupt", {{"file", other.string()}, {"reason", found}});
    });
    if (!damage)
        return failure(copy.named(damage.error(), other));
    const auto chosen = choose(store, std::move(*opened));
    if (!chosen)
        return failure(copy.named(chosen.error(), other));
    Connection& to = store.library().connection();
    return to.guarded(Access::Write, [&]() -> Result<MergedLibrary> {
        WriteScope scope(to);
        Rows rows(from, to);
        for (const RunRecord& run : chosen->runs) {
            if (!run.study.empty())
                rows.addStudy(run.study);
            rows.addRun(run.id);
        }
        for (const std::string& audit : chosen->audits)
            rows.addAudit(audit);
        scope.commit();
        return chosen->counts;
    });
}

} // namespace accumulus
