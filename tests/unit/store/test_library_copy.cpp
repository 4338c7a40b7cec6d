// SPDX-License-Identifier: GPL-3.0-or-later
// Copies of other libraries: they wait for no lock for ever, do nothing that a schema asks for, can be cancelled, and
// go with whoever made them.
#include "core/store/library_care.h"
#include "core/store/library_copy.h"
#include "core/store/library_merge.h"
#include "tests/unit/store/store_fixture.h"

#include <algorithm>

namespace test_library_copy {
using namespace accumulus;
using namespace accumulus::test;
namespace fs = std::filesystem;

class TestLibraryCopy : public QObject {
    Q_OBJECT

private:
    static void addRunTo(const fs::path& file, const std::string& sql = {}) {
        RunStore store(Library::open(file, Library::Mode::Write).value());
        REQUIRE(store.addRun(makeRun(1)));
        if (!sql.empty())
            store.library().connection().database.exec(sql);
    }
    static auto copiesIn(const fs::path& folder) {
        return std::count_if(fs::directory_iterator(folder), fs::directory_iterator(), [](const auto& entry) {
            return entry.path().string().find(".copy") != std::string::npos;
        });
    }

private Q_SLOTS:
    void aLockedSourceIsSaidToBe() {
        const LibraryFolder folder;
        const fs::path file = folder.folder() / "other.sqlite";
        SQLite::Database writer(file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
        writer.exec("PRAGMA application_id = 1; BEGIN EXCLUSIVE");
        SQLite::Database source(file.string(), SQLite::OPEN_READONLY);
        SQLite::Database target((folder.folder() / "target").string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
        const Status copied = copyPages(target, source, file, {}, std::chrono::milliseconds(100));
        QCOMPARE(codeOf(copied), std::string("library.locked"));
        QCOMPARE(copied.error().argument("file"), file.string());
        writer.exec("COMMIT");
        REQUIRE(copyPages(target, source, file, {}, std::chrono::milliseconds(100)));
    }

    void whatIsNoTableOfOursIsRefused_data() {
        QTest::addColumn<QString>("sql");
        QTest::newRow("a view without end") << "PRAGMA foreign_keys = OFF; ALTER TABLE runs RENAME TO kept; CREATE "
                                               "VIEW runs AS WITH RECURSIVE n(id) AS "
                                               "(SELECT 1 UNION ALL SELECT id FROM n) SELECT kept.* FROM kept, n";
        QTest::newRow("a trigger") << "CREATE TRIGGER ours AFTER UPDATE ON runs BEGIN DELETE FROM runs; END";
        QTest::newRow("a virtual table") << "CREATE VIRTUAL TABLE words USING fts5(text)";
    }
    void whatIsNoTableOfOursIsRefused() {
        QFETCH(const QString, sql);
        const LibraryFolder folder;
        const fs::path other = folder.folder() / "other.sqlite";
        addRunTo(other, sql.toStdString());
        addRunTo(folder.file());
        const auto read = OtherLibrary::read(other, folder.file());
        QCOMPARE(codeOf(read), std::string("library.corrupt"));
        QCOMPARE(read.error().argument("file"), other.string());
        QVERIFY2(describe(read.error()).find("does not come from Accumulus") != std::string::npos,
                 describe(read.error()).c_str());
        RunStore store(Library::open(folder.file(), Library::Mode::Write).value());
        QCOMPARE(codeOf(restoreLibrary(store, other)), std::string("library.corrupt"));
    }

    void everyVersionOfOursIsTaken() {
        const LibraryFolder folder;
        addRunTo(folder.file());
        Library library = Library::open(folder.file(), Library::Mode::Write).value();
        REQUIRE(checkSchema(library.connection(), folder.file()));
        library.connection().database.exec("ANALYZE");
        REQUIRE(checkSchema(library.connection(), folder.file()));
    }

    void readingEndsWhenItIsAsked() {
        const LibraryFolder folder;
        addRunTo(folder.folder() / "other.sqlite");
        Library library = Library::open(folder.file(), Library::Mode::Write).value();
        std::stop_source stop;
        stop.request_stop();
        const auto read = OtherLibrary::read(folder.folder() / "other.sqlite", folder.file(), stop.get_token());
        QCOMPARE(codeOf(read), std::string("library.cancelled"));
        const StopsQueries stops(library.connection(), stop.get_token());
        const auto endless = library.connection().guarded(Access::Read, [&]() -> Status {
            library.connection().database.execAndGet(
                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n");
            return {};
        });
        QVERIFY(!endless.has_value());
    }

    void copiesGoWithTheirMaker() {
        const LibraryFolder folder;
        addRunTo(folder.folder() / "other.sqlite");
        addRunTo(folder.file());
        {
            const auto read = OtherLibrary::read(folder.folder() / "other.sqlite", folder.file());
            REQUIRE(read);
            QVERIFY(copiesIn(folder.folder()) >= 2);                          // and its lock
            std::ignore = Library::open(folder.file(), Library::Mode::Write); // leaves it where it is
            RunStore store(Library::open(folder.file(), Library::Mode::Write).value());
            QCOMPARE(mergeLibrary(store, *read)->known, std::int64_t{1});
        }
        QCOMPARE(copiesIn(folder.folder()), 0);
    }

    void whatAKilledProcessLeftIsRemoved() {
        const LibraryFolder folder;
        addRunTo(folder.file());
        const std::string left = folder.file().string() + ".01234567-89ab-4cde-8f01-23456789abcd.copy";
        for (const char* suffix : {"", "-wal", "-shm", "-lock"})
            writeFile(left + suffix, "left");
        const std::string own = folder.file().string() + ".mine.copy"; // a person's
        writeFile(own, "kept");
        writeFile(own + "-lock", "kept");
        std::ignore = Library::open(folder.file(), Library::Mode::Write);
        for (const char* suffix : {"", "-wal", "-shm", "-lock"})
            QVERIFY2(!fs::exists(left + suffix), suffix);
        QVERIFY(fs::exists(own) && fs::exists(own + "-lock"));
    }
};

QTEST_APPLESS_MAIN(TestLibraryCopy)
} // namespace test_library_copy
#include "test_library_copy.moc"
