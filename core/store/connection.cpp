// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/connection.h"

#include <algorithm>
#include <array>
#include <limits>
#include <sqlite3.h>
#include <sys/vfs.h>

namespace accumulus {
namespace {

// statfs(2) and linux/magic.h; not all of these are in the headers of every distribution.
constexpr std::array<std::uint32_t, 12> networkFileSystems{
    0x6969,     // NFS
    0x517B,     // SMB
    0xFE534D42, // SMB2
    0xFF534D42, // CIFS
    0x65735546, // FUSE: sshfs and the like; local ones too, which then only lose speed
    0x01021997, // 9P: shared folders of virtual machines
    0x786F4256, // VirtualBox shared folders
    0x5346414F, // AFS
    0x73757245, // Coda
    0x00C36400, // Ceph
    0x0BD00BD0, // Lustre
    0x47504653, // GPFS
};

/// Trouble with disk, memory or locks; anything else (a constraint, a read-only file, a missing table) stays as it is.
bool mayPass(int code) {
    return code == SQLITE_IOERR || code == SQLITE_NOMEM || code == SQLITE_PROTOCOL || code == SQLITE_INTERRUPT;
}

} // namespace

Storage storageOf(const std::filesystem::path& folder) {
    struct statfs information {};
    if (statfs(folder.c_str(), &information) != 0)
        return Storage::Local;
    const auto type = static_cast<std::uint32_t>(information.f_type);
    return std::ranges::find(networkFileSystems, type) == networkFileSystems.end() ? Storage::Local : Storage::Network;
}

Error sqliteError(const std::filesystem::path& file, const SQLite::Exception& exception, Access access) {
    std::vector<std::pair<std::string, std::string>> arguments{{"file", file.string()}, {"reason", exception.what()}};
    // SQLite calls a full disk by this name where it grows the WAL's index.
    if (exception.getExtendedErrorCode() == SQLITE_IOERR_SHMSIZE)
        return {"library.disk-full", std::move(arguments)};
    switch (exception.getErrorCode() & 0xFF) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return {"library.locked", std::move(arguments)};
    case SQLITE_FULL:
        return {"library.disk-full", std::move(arguments)};
    case SQLITE_NOTADB:
        return {"library.not-ours", std::move(arguments)};
    case SQLITE_CORRUPT:
        return {"library.corrupt", std::move(arguments)};
    case SQLITE_CANTOPEN:
        return {"library.open", std::move(arguments)};
    default:
        break;
    }
    switch (access) {
    case Access::Open:
        return {"library.open", std::move(arguments)};
    case Access::Read:
        return {"library.read", std::move(arguments)};
    case Access::Write:
        break;
    }
    return {mayPass(exception.getErrorCode() & 0xFF) ? "library.write" : "library.refused", std::move(arguments)};
}

Library::Connection::Connection(std::filesystem::path file, const std::string& sqliteName, int flags,
                                std::chrono::milliseconds patience)
    : path(std::move(file)), database(sqliteName, flags | SQLITE_OPEN_NOMUTEX, static_cast<int>(patience.count())) {
    // A library may come from anybody: nothing in its schema may run, and no value may ask for absurd memory.
    sqlite3* handle = database.getHandle();
    sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, 64 << 20);
    database.exec("PRAGMA cell_size_check = ON; PRAGMA foreign_keys = ON; PRAGMA cache_size = -16000");
}

SQLite::Statement& Library::Connection::statement(std::string_view sql) {
    auto found = statements.find(sql);
    if (found == statements.end()) {
        std::string text(sql);
        SQLite::Statement prepared(database, text);
        found = statements.emplace(std::move(text), std::move(prepared)).first;
    }
    return found->second;
}

bool Library::Connection::inTransaction() { return sqlite3_get_autocommit(database.getHandle()) == 0; }

std::filesystem::path Library::Connection::filesFolder() const {
    std::filesystem::path folder = path;
    folder += ".files";
    return folder;
}

std::string Library::Connection::storedPath(const std::string& full) const {
    const auto relative = std::filesystem::path(full).lexically_relative(filesFolder());
    return relative.empty() || *relative.begin() == ".." ? full : relative.string();
}

std::optional<std::string> Library::Connection::fullPath(const std::string& stored) const {
    if (stored.empty())
        return stored;
    const std::filesystem::path given(stored);
    if (given.is_absolute() || std::ranges::find(given, "..") != given.end())
        return std::nullopt;
    return (filesFolder() / given).string();
}

Error Library::Connection::corrupt(const Message& reason) const {
    Error error{"library.corrupt", {{"file", path.string()}, {"reason", reason.code}}};
    error.arguments.insert(error.arguments.end(), reason.arguments.begin(), reason.arguments.end());
    return error;
}

Query::~Query() {
    m_statement.tryReset();
    try {
        m_statement.clearBindings();
    } catch (const SQLite::Exception&) { // nothing depends on it: every parameter is bound before each use
    }
}

int Query::run() {
    m_parameter = 0;
    const int changed = m_statement.exec();
    m_statement.reset();
    return changed;
}

double Query::real() {
    const auto column = m_statement.getColumn(m_column++);
    const double value = column.getDouble();
    // Null reads as 0, so only a 0 needs the second look: this runs a million times for a plot.
    return value == 0.0 && column.isNull() ? std::numeric_limits<double>::quiet_NaN() : value;
}

double Query::realOrZero() { return m_statement.getColumn(m_column++).getDouble(); }

std::optional<std::int64_t> Query::optionalInteger() {
    const auto column = m_statement.getColumn(m_column++);
    return column.isNull() ? std::nullopt : std::optional(column.getInt64());
}

std::optional<double> Query::optionalReal() {
    const auto column = m_statement.getColumn(m_column++);
    return column.isNull() ? std::nullopt : std::optional(column.getDouble());
}

WriteScope::WriteScope(Library::Connection& connection) {
    // Immediate: two writers wait for each other at the start instead of failing in the middle.
    if (connection.inTransaction())
        m_scope.emplace<SQLite::Savepoint>(connection.database, "part");
    else
        m_scope.emplace<SQLite::Transaction>(connection.database, SQLite::TransactionBehavior::IMMEDIATE);
}

void WriteScope::commit() {
    if (auto* transaction = std::get_if<SQLite::Transaction>(&m_scope))
        transaction->commit();
    else if (auto* part = std::get_if<SQLite::Savepoint>(&m_scope))
        part->release();
}

} // namespace accumulus
