// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/library.h"

#include "core/base/shell_word.h"
#include "core/store/connection.h"
#include "core/store/library_copy.h"
#include "core/store/migrations.h"

#include <cctype>
#include <chrono>
#include <cstdlib>
#include <pwd.h>
#include <sqlite3.h>
#include <thread>
#include <unistd.h>

namespace accumulus {
namespace {

using Connection = Library::Connection;

Error openError(const std::filesystem::path& file, const std::string& reason, const std::string& problem = {}) {
    return {"library.open", {{"file", file.string()}, {"reason", reason}, {"problem", problem}}};
}

enum class Identity { Empty, Library };

/// Is this a library of ours, and of a version that we know?
Result<Identity> identify(Connection& connection, int& version) {
    const auto number = [&](const char* sql) { return connection.database.execAndGet(sql).getInt(); };
    const int application = number("PRAGMA application_id");
    version = number("PRAGMA user_version");
    if (application == 0 && version == 0 && number("SELECT count(*) FROM sqlite_schema") == 0)
        return Identity::Empty;
    const std::string file = connection.path.string();
    if (application != libraryApplicationId)
        return failure("library.not-ours", {{"file", file}, {"reason", "reason.foreign-library"}});
    if (version < 1)
        return failure(connection.corrupt({"reason.no-version", {}}));
    if (version > libraryVersion())
        return failure(
            "library.newer",
            {{"file", file}, {"version", std::to_string(version)}, {"known", std::to_string(libraryVersion())}});
    return Identity::Library;
}

/// All missing versions in one transaction: a file is never between two versions.
Status migrate(Connection& connection) {
    WriteScope scope(connection);
    int version = 0; // asked again: another process may have been faster
    if (const auto identity = identify(connection, version); !identity)
        return failure(identity.error());
    for (const char* script : migrations().subspan(static_cast<std::size_t>(version)))
        connection.database.exec(script);
    connection.database.exec("PRAGMA application_id = " + std::to_string(libraryApplicationId));
    connection.database.exec("PRAGMA user_version = " + std::to_string(libraryVersion()));
    scope.commit();
    return {};
}

/// Returns the mode that is in force. Changing it needs the file alone, and SQLite does not wait for that by itself.
std::string setJournalMode(Connection& connection, const std::string& wanted, std::chrono::milliseconds patience) {
    if (std::string mode = connection.database.execAndGet("PRAGMA journal_mode").getString(); mode == wanted)
        return mode;
    const auto deadline = std::chrono::steady_clock::now() + patience;
    for (;;) {
        try {
            return connection.database.execAndGet("PRAGMA journal_mode = " + wanted).getString();
        } catch (const SQLite::Exception& exception) {
            if (exception.getErrorCode() != SQLITE_BUSY || std::chrono::steady_clock::now() > deadline)
                throw;
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
    }
}

Status prepareForWriting(Connection& connection, Storage storage, std::chrono::milliseconds patience) {
    if (sqlite3_db_readonly(connection.database.getHandle(), "main") != 0)
        return failure(openError(connection.path, "reason.read-only"));
    int version = 0;
    // Before anything is changed: another program's file stays as it is.
    if (const auto identity = identify(connection, version); !identity)
        return failure(identity.error());
    const std::string mode = setJournalMode(connection, storage == Storage::Network ? "delete" : "wal", patience);
    if (storage == Storage::Network)
        connection.notices.push_back({"library.note-network", {}});
    else if (mode != "wal")
        connection.notices.push_back({"library.note-no-wal", {}});
    // A commit is on the disk when it returns: files that it makes superfluous are removed right behind it. In WAL mode
    // NORMAL would sync it some commits later, and a power failure take back the commit but not the removals.
    connection.database.exec("PRAGMA synchronous = FULL");
    if (mode == "wal")
        connection.database.exec("PRAGMA journal_size_limit = 67108864");
    if (version < libraryVersion())
        return migrate(connection);
    return {};
}

std::string immutableUri(const std::filesystem::path& file) {
    constexpr const char* digits = "0123456789ABCDEF";
    std::string uri = "file:";
    for (const char character : file.string()) {
        const auto byte = static_cast<unsigned char>(character);
        if (std::isalnum(byte) != 0 || byte == '/' || byte == '.' || byte == '-' || byte == '_') {
            uri += character;
        } else {
            uri += '%';
            uri += digits[byte >> 4];
            uri += digits[byte & 15];
        }
    }
    return uri + "?mode=ro&immutable=1";
}

Status checkForReading(Connection& connection) {
    int version = 0;
    ACCUMULUS_TRY_ASSIGN(const auto identity, identify(connection, version));
    if (identity == Identity::Empty)
        return failure(openError(connection.path, "reason.file-empty"));
    if (version < libraryVersion())
        return failure("library.older", {{"file", connection.path.string()},
                                         {"version", std::to_string(version)},
                                         {"known", std::to_string(libraryVersion())}});
    return {};
}

} // namespace

std::unique_ptr<Connection> connectForReading(const std::filesystem::path& file, std::chrono::milliseconds patience) {
    try {
        auto connection = std::make_unique<Connection>(file, file.string(), SQLITE_OPEN_READONLY, patience);
        static_cast<void>(connection->database.execAndGet("PRAGMA user_version"));
        return connection;
    } catch (const SQLite::Exception& exception) {
        if (const int code = exception.getErrorCode() & 0xFF; code != SQLITE_CANTOPEN && code != SQLITE_READONLY)
            throw;
    }
    auto connection = std::make_unique<Connection>(file, immutableUri(file), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
    connection->notices.push_back({"library.note-read-only", {}});
    std::filesystem::path log = file;
    log += "-wal";
    std::error_code unknown;
    if (const auto size = std::filesystem::file_size(log, unknown); !unknown && size > 0)
        connection->notices.push_back({"library.note-log", {{"file", log.filename().string()}}});
    return connection;
}

Result<Library> Library::Connection::open(const std::filesystem::path& given, Mode mode, Storage storage,
                                          std::chrono::milliseconds patience) {
    std::error_code code;
    const auto file = std::filesystem::absolute(given, code).lexically_normal();
    if (code || given.empty())
        return failure(openError(given, "reason.no-valid-path"));
    if (mode == Mode::Write)
        std::filesystem::create_directories(file.parent_path(), code);
    if (code)
        return failure(openError(file, "reason.folder-not-created", code.message()));
    if (std::filesystem::is_directory(file, code))
        return failure(openError(file, "reason.is-folder"));
    if (mode != Mode::Write && !std::filesystem::exists(file, code))
        return failure(openError(file, code ? code.message() : "reason.no-such-file"));
    try {
        const int mayMake = mode == Mode::Write ? SQLITE_OPEN_CREATE : 0;
        auto connection = mode == Mode::Read ? connectForReading(file, patience)
                                             : std::make_unique<Connection>(file, file.string(),
                                                                            SQLITE_OPEN_READWRITE | mayMake, patience);
        ACCUMULUS_TRY(connection->guarded(Access::Open, [&] {
            return mode == Mode::Read ? checkForReading(*connection)
                                      : prepareForWriting(*connection, storage, patience);
        }));
        if (mode != Mode::Read)
            removeAbandonedCopies(file);
        Library library(std::move(connection));
        library.setLockTimeout(usualPatience);
        return library;
    } catch (const SQLite::Exception& exception) {
        return failure(sqliteError(file, exception, Access::Open)); // thrown while connecting
    }
}

Result<Library> Library::open(const std::filesystem::path& file, Mode mode, std::chrono::milliseconds patience) {
    std::error_code ignored;
    auto folder = std::filesystem::absolute(file, ignored).parent_path();
    while (!folder.empty() && folder != folder.root_path() && !std::filesystem::exists(folder, ignored))
        folder = folder.parent_path();
    return Connection::open(file, mode, storageOf(folder), patience);
}

Library::Library(std::unique_ptr<Connection> connection) : m_connection(std::move(connection)) {}
Library::Library(Library&&) noexcept = default;
Library& Library::operator=(Library&&) noexcept = default;
Library::~Library() = default;

const std::filesystem::path& Library::path() const { return m_connection->path; }

std::filesystem::path Library::runFolder(const std::string& run) const { return m_connection->filesFolder() / run; }

const std::vector<Message>& Library::notices() const { return m_connection->notices; }

void Library::setLockTimeout(std::chrono::milliseconds timeout) {
    sqlite3_busy_timeout(m_connection->database.getHandle(), static_cast<int>(timeout.count()));
}

Library::Connection& Library::connection() { return *m_connection; }

std::filesystem::path defaultLibraryPath() {
    std::filesystem::path data;
    // The XDG specification: a relative path is to be ignored.
    if (const char* given = std::getenv("XDG_DATA_HOME");
        given != nullptr && std::filesystem::path(given).is_absolute()) {
        data = given;
    } else if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0') {
        data = std::filesystem::path(home) / ".local" / "share";
    } else if (const passwd* user = getpwuid(geteuid()); user != nullptr) {
        data = std::filesystem::path(user->pw_dir) / ".local" / "share";
    }
    return data / "accumulus" / "library.sqlite";
}

std::string libraryArgument(const std::filesystem::path& library) {
    if (library.empty())
        return {};
    std::error_code ignored;
    const auto file = std::filesystem::absolute(library, ignored).lexically_normal();
    return file == std::filesystem::absolute(defaultLibraryPath(), ignored).lexically_normal()
               ? std::string()
               : " --library " + shellWord(file.native());
}

int libraryVersion() { return static_cast<int>(migrations().size()); }

} // namespace accumulus
