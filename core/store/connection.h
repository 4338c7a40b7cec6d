// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/store: the SQLite connection behind a Library, its prepared statements and transactions, and the one
// place where SQLite's errors become ours. Inside a `guarded` call SQLite's exceptions may fly; outside there are only
// values.
#pragma once

#include "core/base/message.h"
#include "core/store/library.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <SQLiteCpp/Savepoint.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

namespace accumulus {

/// WAL needs shared memory between all who use the file, which a network file system does not give.
enum class Storage { Local, Network };
[[nodiscard]] Storage storageOf(const std::filesystem::path& folder);

/// What a failing statement was doing; decides the code of an error that SQLite names only vaguely.
enum class Access { Open, Read, Write };

[[nodiscard]] Error sqliteError(const std::filesystem::path& file, const SQLite::Exception& exception, Access access);

struct Library::Connection {
    Connection(std::filesystem::path file, const std::string& sqliteName, int flags,
               std::chrono::milliseconds patience = usualPatience);

    /// Library::open with the storage given instead of asked for.
    [[nodiscard]] static Result<Library> open(const std::filesystem::path& file, Mode mode, Storage storage,
                                              std::chrono::milliseconds patience = usualPatience);

    /// The prepared statement of `sql`, kept for the next time.
    [[nodiscard]] SQLite::Statement& statement(std::string_view sql);
    [[nodiscard]] bool inTransaction();

    /// Paths below LIBRARY.files are stored relative to it, so that a library can be moved together with its folder.
    [[nodiscard]] std::filesystem::path filesFolder() const;
    [[nodiscard]] std::string storedPath(const std::string& path) const;
    /// The other way round. Nothing for a path that leaves LIBRARY.files: a library may come from anybody, and files
    /// named by it are written over and removed.
    [[nodiscard]] std::optional<std::string> fullPath(const std::string& stored) const;

    /// "library.corrupt" for contents that SQLite can read and we cannot. `reason`: a part of the catalogue.
    [[nodiscard]] Error corrupt(const Message& reason) const;

    /// Runs `work`, which returns a Result, and turns exceptions into its error.
    template <class Work>
    auto guarded(Access access, Work&& work) -> std::invoke_result_t<Work> {
        try {
            return work();
        } catch (const SQLite::Exception& exception) {
            return failure(sqliteError(path, exception, access));
        } catch (const std::exception& exception) {
            return failure("internal.exception", {{"place", "place.library"}, {"reason", exception.what()}});
        }
    }

    std::filesystem::path path; ///< absolute
    std::vector<Message> notices;
    SQLite::Database database;
    std::map<std::string, SQLite::Statement, std::less<>> statements; // after the database: finalized before it closes
};

/// A connection that only reads, of any version; SQLite's exceptions fly. A library in WAL mode on read-only storage
/// cannot be opened in the usual way, because its index cannot be made.
[[nodiscard]] std::unique_ptr<Library::Connection>
connectForReading(const std::filesystem::path& file, std::chrono::milliseconds patience = Library::usualPatience);

/// One execution of a cached statement. Binds from left to right, then reads each row's columns from left to right.
/// Resets the statement at the end, so that no lock outlives it.
class Query {
public:
    template <class... Values>
    Query(Library::Connection& connection, std::string_view sql, const Values&... values)
        : m_statement(connection.statement(sql)) {
        bind(values...);
    }
    ~Query();
    Query(const Query&) = delete;
    Query& operator=(const Query&) = delete;

    template <class... Values>
    Query& bind(const Values&... values) {
        (bindOne(values), ...);
        return *this;
    }

    bool step() {
        m_column = 0;
        return m_statement.executeStep();
    }
    /// For statements without rows; returns how many rows it changed. May be bound and run again.
    int run();

    [[nodiscard]] std::int64_t integer() { return m_statement.getColumn(m_column++).getInt64(); }
    /// NaN for null.
    [[nodiscard]] double real();
    [[nodiscard]] double realOrZero();
    [[nodiscard]] std::string text() { return m_statement.getColumn(m_column++).getString(); }
    [[nodiscard]] bool flag() { return integer() != 0; }
    [[nodiscard]] std::optional<std::int64_t> optionalInteger();
    [[nodiscard]] std::optional<double> optionalReal();

private:
    template <class Value>
    void bindOne(const Value& value) {
        if constexpr (std::is_integral_v<Value>)
            m_statement.bind(++m_parameter, static_cast<std::int64_t>(value));
        else
            m_statement.bind(++m_parameter, value);
    }
    template <class Value>
    void bindOne(const std::optional<Value>& value) {
        if (value)
            bindOne(*value);
        else
            m_statement.bind(++m_parameter);
    }

    SQLite::Statement& m_statement;
    int m_parameter = 0;
    int m_column = 0;
};

/// A write: a transaction of its own, or a part of the one that is open which can fail alone. Undone unless committed.
class WriteScope {
public:
    explicit WriteScope(Library::Connection& connection);
    void commit();

private:
    std::variant<std::monostate, SQLite::Transaction, SQLite::Savepoint> m_scope;
};

} // namespace accumulus
