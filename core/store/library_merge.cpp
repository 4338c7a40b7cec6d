// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/library_merge.h"

#include "core/config/config_fields.h"
#include "core/store/library_copy.h"
#include "core/store/run_reader.h"
#include "core/store/run_rows.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <set>
#include <sqlite3.h>

namespace accumulus {
namespace {

using Connection = Library::Connection;

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
    /// Where only runs of it were known (RunStore::takeStudy).
    void completeStudy(const std::string& study) {
        Query read(m_from, "SELECT name, config, created_at FROM studies WHERE id = ? AND created_at > 0", study);
        if (!read.step())
            return;
        const std::string name = read.text();
        const std::string config = read.text();
        Query(m_to, "UPDATE studies SET name = ?, config = ?, created_at = ? WHERE id = ? AND created_at <= 0", name,
              config, read.realOrZero(), study)
            .run();
    }
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

bool isOver(RunState state) { return state != RunState::Draft && state != RunState::Queued && !isActive(state); }

std::set<std::string> studiesOf(const std::vector<RunRecord>& runs) {
    std::set<std::string> studies;
    for (const RunRecord& run : runs)
        studies.insert(run.study);
    return studies;
}

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

} // namespace

/// Every run and audit is read, which checks them, too.
struct OtherLibrary::Impl {
    explicit Impl(const std::filesystem::path& beside) : copy(beside) {}

    std::filesystem::path file;
    LibraryCopy copy; // goes behind the connection
    std::optional<Library> rows;
    std::vector<RunRecord> runs;
    std::int64_t trashed = 0;
    std::vector<AuditRecord> audits;

    /// The error as one of the file that was copied; a disk is full where the copy lies.
    [[nodiscard]] Error named(Error error) const {
        if (error.code == "library.disk-full")
            return {error.code, {{"file", copy.file().string()}}};
        for (auto& [name, value] : error.arguments)
            if (name == "file")
                value = file.string();
        return error;
    }

    [[nodiscard]] Status takeCopy(const std::stop_token& stop) const {
        if (const auto opened = Library::open(file, Library::Mode::Read);
            !opened && opened.error().code != "library.older")
            return failure(opened.error());
        try {
            const auto source = connectForReading(std::filesystem::absolute(file));
            SQLite::Database target(copy.file().string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
            return copyPages(target, source->database, file, stop);
        } catch (const SQLite::Exception& exception) {
            return failure(sqliteError(file, exception, Access::Read));
        }
    }

    /// Before anything of it is run: a migration writes every row.
    [[nodiscard]] Status checkCopy(const std::stop_token& stop) const {
        try {
            const auto opened = connectForReading(copy.file());
            const StopsQueries stops(*opened, stop);
            ACCUMULUS_TRY(checkSchema(*opened, file));
            const std::string found = opened->database.execAndGet("PRAGMA quick_check(1)").getString();
            return found == "ok" ? Status() : failure("library.corrupt", {{"file", file.string()}, {"reason", found}});
        } catch (const SQLite::Exception& exception) {
            return failure(sqliteError(file, exception, Access::Read));
        }
    }

    [[nodiscard]] Status readRuns(const std::stop_token& stop) {
        ACCUMULUS_TRY(Library::open(copy.file(), Library::Mode::Write)); // brings it to this version
        ACCUMULUS_TRY_ASSIGN(auto opened, Library::open(copy.file(), Library::Mode::Read));
        RunReader reader(std::move(opened));
        const StopsQueries stops(reader.library().connection(), stop);
        ACCUMULUS_TRY_ASSIGN(runs, reader.runs());
        ACCUMULUS_TRY_ASSIGN(const auto inTrash, reader.runs({true, {}}));
        ACCUMULUS_TRY_ASSIGN(audits, reader.audits(false, true));
        trashed = static_cast<std::int64_t>(inTrash.size());
        ACCUMULUS_TRY_ASSIGN(rows, Library::open(copy.file(), Library::Mode::Read));
        return {};
    }

    [[nodiscard]] Status read(const std::stop_token& stop) {
        ACCUMULUS_TRY(takeCopy(stop));
        ACCUMULUS_TRY(checkCopy(stop));
        return readRuns(stop);
    }

    /// What of it is to be added to the store.
    [[nodiscard]] Result<MergedLibrary> choose(RunStore& store, std::vector<RunRecord>& chosen) const;
};

Result<MergedLibrary> OtherLibrary::Impl::choose(RunStore& store, std::vector<RunRecord>& chosen) const {
    MergedLibrary counts;
    counts.trashed = trashed;
    for (const RunRecord& run : runs) {
        ACCUMULUS_TRY_ASSIGN(const RunPlace place, placeOfRun(store, run.id));
        if (place != RunPlace::Nowhere) {
            ++counts.known;
            counts.knownInTrash += place == RunPlace::Trash ? 1 : 0;
        } else if (!isOver(run.state)) {
            ++counts.unfinished;
        } else {
            counts.added.push_back({run.id, run.tags});
            chosen.push_back(run);
        }
    }
    return counts;
}

OtherLibrary::OtherLibrary(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
OtherLibrary::OtherLibrary(OtherLibrary&&) noexcept = default;
OtherLibrary& OtherLibrary::operator=(OtherLibrary&&) noexcept = default;
OtherLibrary::~OtherLibrary() = default;

Result<OtherLibrary> OtherLibrary::read(const std::filesystem::path& other, const std::filesystem::path& library,
                                        const std::stop_token& stop) {
    auto impl = std::make_unique<Impl>(library);
    impl->file = other;
    if (const Status status = impl->read(stop); !status)
        return failure(stop.stop_requested() ? Error{"library.cancelled", {}} : impl->named(status.error()));
    return OtherLibrary(std::move(impl));
}

Result<RunPlace> placeOfRun(RunStore& store, const std::string& run) {
    Connection& connection = store.library().connection();
    return connection.guarded(Access::Read, [&]() -> Result<RunPlace> {
        Query found(connection, "SELECT trashed_at IS NOT NULL FROM runs WHERE id = ?", run);
        if (!found.step())
            return RunPlace::Nowhere;
        return found.integer() != 0 ? RunPlace::Trash : RunPlace::Listed;
    });
}

Result<MergedLibrary> mergeLibrary(RunStore& store, const OtherLibrary& other, const std::stop_token& stop) {
    OtherLibrary::Impl& impl = other.impl();
    std::vector<RunRecord> chosen;
    ACCUMULUS_TRY_ASSIGN(auto counts, impl.choose(store, chosen));
    Connection& from = impl.rows->connection();
    Connection& to = store.library().connection();
    auto merged = to.guarded(Access::Write, [&]() -> Result<MergedLibrary> {
        const StopsQueries stops(from, stop);
        WriteScope scope(to);
        Rows rows(from, to);
        for (const RunRecord& run : chosen) {
            if (!run.study.empty())
                rows.addStudy(run.study);
            rows.addRun(run.id);
        }
        for (const std::string& study : studiesOf(impl.runs))
            rows.completeStudy(study);
        for (const std::string& audit : auditsOf(impl.audits, chosen))
            rows.addAudit(audit);
        scope.commit();
        return std::move(counts);
    });
    if (!merged && stop.stop_requested())
        return failure("library.cancelled");
    return merged;
}

} // namespace accumulus
