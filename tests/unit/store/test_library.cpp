// SPDX-License-Identifier: GPL-3.0-or-later
// Opening: new files, known files, and everything that is no library of this version.
#include "core/store/connection.h"
#include "core/store/migrations.h"
#include "tests/unit/store/store_fixture.h"

namespace test_library {
using namespace accumulus;
using namespace accumulus::test;
namespace fs = std::filesystem;

namespace {

std::string journalMode(Library& library) {
    return library.connection().database.execAndGet("PRAGMA journal_mode").getString();
}

} // namespace

class TestLibrary : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void newLibraryIsMade() {
        const LibraryFolder folder;
        const auto file = folder.folder() / "new" / "folders" / "größe 100%?#.sqlite";
        {
            auto library = Library::open(file, Library::Mode::Write);
            REQUIRE(library);
            QVERIFY(library->path() == file);
            QVERIFY(library->notices().empty());
            QCOMPARE(journalMode(*library), std::string("wal"));
            auto& database = library->connection().database;
            QCOMPARE(database.execAndGet("PRAGMA user_version").getInt(), libraryVersion());
            QCOMPARE(database.execAndGet("PRAGMA application_id").getInt(), libraryApplicationId);
            QCOMPARE(database.execAndGet("PRAGMA foreign_keys").getInt(), 1);
            QCOMPARE(database.execAndGet("PRAGMA integrity_check").getString(), std::string("ok"));
            QVERIFY(library->runFolder("RUN") == fs::path(file.string() + ".files") / "RUN");
        }
        REQUIRE(Library::open(file, Library::Mode::Read));
    }

    void emptyFileBecomesALibrary() {
        const LibraryFolder folder;
        writeFile(folder.file(), "");
        QCOMPARE(codeOf(Library::open(folder.file(), Library::Mode::Read)), std::string("library.open"));
        QCOMPARE(fs::file_size(folder.file()), std::uintmax_t{0});
        REQUIRE(Library::open(folder.file(), Library::Mode::Write));
        REQUIRE(Library::open(folder.file(), Library::Mode::Read));
    }

    void openingAgainKeepsEverything() {
        const LibraryFolder folder;
        REQUIRE(folder.store().addRun(makeRun()));
        auto store = folder.store();
        QVERIFY(RunReader(Library::open(folder.file(), Library::Mode::Write).value()).run(uuid(1)).value() ==
                makeRun());
    }

    void bothPeaksComeBack() {
        const LibraryFolder folder;
        auto store = folder.store();
        RunRecord run = makeRun();
        run.datasetHash = "beef";
        run.modelFileHash = "cafe";
        run.initialWeightsHash = "f00d";
        run.summary.peakBytes = 3;
        run.summary.evaluationPeakBytes = 7;
        REQUIRE(store.addRun(run));
        QVERIFY(folder.reader().run(run.id).value() == run);
        // Of a run that was cut off they are known from its rows.
        WindowRecord window = makeWindow(1);
        window.peakBytes = 11;
        EvaluationRecord evaluation = makeEvaluation(1);
        evaluation.peakBytes = 13;
        REQUIRE(store.addWindows(run.id, 1, std::vector{window}));
        REQUIRE(store.addEvaluations(run.id, 1, std::vector{evaluation}));
        auto reader = folder.reader();
        QCOMPARE(reader.run(run.id)->summary.peakBytes, std::int64_t{11});
        QCOMPARE(reader.run(run.id)->summary.evaluationPeakBytes, std::int64_t{13});
        QCOMPARE(reader.evaluations(run.id)->front().peakBytes, std::int64_t{13});
        auto& database = store.library().connection().database;
        QCOMPARE(database.execAndGet("SELECT peak_bytes FROM runs").getInt(), 13); // as ever: the larger one
    }

    void theLoadOfTheMachineComesBack() {
        const LibraryFolder folder;
        auto store = folder.store();
        RunRecord run = makeRun();
        run.summary.othersShare = 0.43;
        REQUIRE(store.addRun(run));
        QVERIFY(folder.reader().run(run.id).value() == run);
        run.id = uuid(2);
        run.summary.othersShare.reset(); // not known
        REQUIRE(store.addRun(run));
        QVERIFY(!folder.reader().run(run.id)->summary.othersShare);
    }

    void otherFilesAreRefused() {
        const LibraryFolder folder;
        const auto text = folder.folder() / "notes.txt";
        writeFile(
            text,
            "This is a text that is longer than the hundred bytes of a header of SQLite, so that nobody takes it for "
            "an empty or a short database by mistake.");
        const auto foreign = folder.folder() / "foreign.sqlite";
        SQLite::Database(foreign.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE)
            .exec("CREATE TABLE runs (id TEXT)");
        const auto branded = folder.folder() / "branded.sqlite";
        SQLite::Database(branded.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE)
            .exec("PRAGMA application_id = 1196444487; PRAGMA user_version = 1; CREATE TABLE gpkg (a)");
        for (const auto& file : {text, foreign, branded}) {
            const std::string before = fileContent(file);
            QCOMPARE(codeOf(Library::open(file, Library::Mode::Write)), std::string("library.not-ours"));
            QCOMPARE(codeOf(Library::open(file, Library::Mode::Read)), std::string("library.not-ours"));
            QVERIFY(fileContent(file) == before);
            QVERIFY(!fs::exists(file.string() + "-wal"));
        }
    }

    void otherVersionsAreRefused() {
        const LibraryFolder folder;
        static_cast<void>(folder.store());
        const auto setVersion = [&](int version) {
            SQLite::Database(folder.file().string(), SQLite::OPEN_READWRITE)
                .exec("PRAGMA user_version = " + std::to_string(version));
        };
        setVersion(libraryVersion() + 1);
        for (const auto mode : {Library::Mode::Write, Library::Mode::Read}) {
            const auto opened = Library::open(folder.file(), mode);
            QCOMPARE(codeOf(opened), std::string("library.newer"));
            QCOMPARE(opened.error().argument("version"), std::to_string(libraryVersion() + 1));
        }
        setVersion(-1);
        QCOMPARE(codeOf(Library::open(folder.file(), Library::Mode::Write)), std::string("library.corrupt"));
    }

    void impossiblePathsAreRefused() {
        const LibraryFolder folder;
        writeFile(folder.folder() / "file", "x");
        const auto open = std::string("library.open");
        QCOMPARE(codeOf(Library::open(folder.folder(), Library::Mode::Write)), open);
        QCOMPARE(codeOf(Library::open(folder.folder(), Library::Mode::Read)), open);
        QCOMPARE(codeOf(Library::open(folder.folder() / "file" / "library.sqlite", Library::Mode::Write)), open);
        QCOMPARE(codeOf(Library::open(folder.file(), Library::Mode::Read)), open);
        QCOMPARE(codeOf(Library::open("", Library::Mode::Write)), open);
        QVERIFY(!fs::exists(folder.file()));
    }

    void readersCannotWrite() {
        const LibraryFolder folder;
        REQUIRE(folder.store().addRun(makeRun()));
        RunStore store(Library::open(folder.file(), Library::Mode::Read).value());
        QCOMPARE(codeOf(store.rename(uuid(1), "x")), std::string("library.refused"));
    }

    void networkStorageGoesWithoutWal() {
        const LibraryFolder folder;
        { // first made locally, in WAL mode
            auto store = folder.store();
            REQUIRE(store.addRun(makeRun()));
        }
        {
            auto library = Library::Connection::open(folder.file(), Library::Mode::Write, Storage::Network);
            REQUIRE(library);
            QCOMPARE(journalMode(*library), std::string("delete"));
            QVERIFY(!library->notices().empty());
            RunStore store(std::move(*library));
            REQUIRE(store.addWindows(uuid(1), 1, makeWindows(1, 5)));
            QVERIFY(folder.reader().windows(uuid(1)).value() == makeWindows(1, 5));
        }
        QCOMPARE(journalMode(folder.store().library()), std::string("wal"));
        QVERIFY(storageOf("/proc") == Storage::Local);
    }

    void readOnlyFolderIsRead() {
        const LibraryFolder folder;
        {
            auto store = folder.store();
            REQUIRE(store.addRun(makeRun()));
            REQUIRE(store.addWindows(uuid(1), 1, makeWindows(1, 50)));
        }
        const auto copy = folder.folder() / "read only #1?";
        fs::create_directory(copy);
        fs::copy_file(folder.file(), copy / "library.sqlite");
        fs::permissions(folder.folder(), fs::perms(0755));
        fs::permissions(copy / "library.sqlite", fs::perms(0444));
        fs::permissions(copy, fs::perms(0555));
        const int outcome = asNobody([&] {
            auto library = Library::open(copy / "library.sqlite", Library::Mode::Read);
            if (!library)
                return 1;
            if (library->notices().empty())
                return 2;
            RunReader reader(std::move(*library));
            const auto windows = reader.windows(uuid(1));
            if (!windows || *windows != makeWindows(1, 50))
                return 3;
            if (codeOf(Library::open(copy / "library.sqlite", Library::Mode::Write)) != "library.open")
                return 4;
            return codeOf(Library::open(copy / "new.sqlite", Library::Mode::Write)) == "library.open" ? 0 : 5;
        });
        fs::permissions(copy, fs::perms(0755));
        if (outcome == 99)
            QSKIP("cannot give up root's rights here");
        QCOMPARE(outcome, 0);
        QVERIFY(!fs::exists(copy / "library.sqlite-wal"));
    }

    void everybodyReadsTheColumns() {
        // What a person types into any SQLite tool.
        const LibraryFolder folder;
        auto store = folder.store();
        REQUIRE(store.addRun(makeRun()));
        REQUIRE(store.addWindows(uuid(1), 1, makeWindows(1, 4)));
        REQUIRE(store.supersede(uuid(1), 3, 3));
        auto& database = store.library().connection().database;
        QCOMPARE(database.execAndGet("SELECT count(*) FROM run_windows WHERE run_id = '" + uuid(1) + "'").getInt(), 3);
        QCOMPARE(database.execAndGet("SELECT model || ' ' || dataset || ' ' || optimizer || ' ' || precision FROM runs")
                     .getString(),
                 std::string("lenet5 mnist adamw fp64"));
        QCOMPARE(database.execAndGet("SELECT window FROM windows ORDER BY loss LIMIT 1").getInt(), 4);
    }

    void listingNeverReadsWindows() {
        const LibraryFolder folder;
        auto store = folder.store();
        REQUIRE(store.addStudy(makeStudy()));
        REQUIRE(store.addRun(makeRun(1, makeStudy().id)));
        auto& database = store.library().connection().database;
        database.exec("DROP VIEW run_windows; DROP TABLE windows");
        RunReader reader(Library::open(folder.file(), Library::Mode::Read).value());
        QCOMPARE(reader.runs().value().size(), std::size_t{1});
        QCOMPARE(reader.runs({.trashed = false, .study = makeStudy().id}).value().size(), std::size_t{1});
        QVERIFY(reader.run("a000").has_value());
        QVERIFY(!reader.windows(uuid(1)));
    }

    void defaultPathFollowsXdg() {
        const QByteArray data = qgetenv("XDG_DATA_HOME");
        const QByteArray home = qgetenv("HOME");
        qputenv("HOME", "/home/person");
        qputenv("XDG_DATA_HOME", "/data/home");
        QVERIFY(defaultLibraryPath() == fs::path("/data/home/accumulus/library.sqlite"));
        qputenv("XDG_DATA_HOME", "relative");
        QVERIFY(defaultLibraryPath() == fs::path("/home/person/.local/share/accumulus/library.sqlite"));
        qunsetenv("XDG_DATA_HOME");
        QVERIFY(defaultLibraryPath() == fs::path("/home/person/.local/share/accumulus/library.sqlite"));
        qputenv("XDG_DATA_HOME", data);
        qputenv("HOME", home);
    }

    void everyErrorHasWords() {
        for (const char* code :
             {"library.open", "library.newer", "library.older", "library.not-ours", "library.corrupt", "library.locked",
              "library.disk-full", "library.read", "library.write", "library.refused", "library.folder",
              "library.files", "library.no-run", "library.ambiguous-run", "library.run-active", "library.no-study"}) {
            QCOMPARE(std::string(errorWords(code).code), std::string(code));
            QCOMPARE(exitCode({code, {}}), 5);
        }
    }
};

QTEST_APPLESS_MAIN(TestLibrary)
} // namespace test_library
#include "test_library.moc"
