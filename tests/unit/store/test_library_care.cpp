// SPDX-License-Identifier: GPL-3.0-or-later
// A library that is checked, copied while it is in use, and brought back from a copy: all of it, or nothing.
#include "core/store/connection.h"
#include "core/store/library_care.h"
#include "tests/unit/store/store_fixture.h"

using namespace accumulus;
using namespace accumulus::test;
namespace fs = std::filesystem;

class TestLibraryCare : public QObject {
    Q_OBJECT

private:
    static RunRecord addFilledRun(RunStore& store, int number) {
        RunRecord run = makeRun(number);
        run.tags = {"kept"};
        [&] {
            REQUIRE(store.addRun(run));
            REQUIRE(store.addWindows(run.id, 1, makeWindows(1, 9)));
            REQUIRE(store.addEvaluations(run.id, 1, std::vector{makeEvaluation(2)}));
        }();
        return run;
    }

private Q_SLOTS:
    void aSoundLibraryIsSaidToBe() {
        const LibraryFolder folder;
        auto store = folder.store();
        addFilledRun(store, 1);
        for (const char* name : {"there", "gone"}) {
            CheckpointRecord checkpoint;
            const auto file = store.library().runFolder(uuid(1)) / name;
            checkpoint.weightsPath = file.string();
            if (std::string(name) == "there") {
                fs::create_directories(file.parent_path());
                writeFile(file, "weights");
            }
            REQUIRE(store.addCheckpoint(uuid(1), checkpoint));
        }
        auto library = Library::open(folder.file(), Library::Mode::Read).value();
        const auto health = checkLibrary(library);
        REQUIRE(health);
        QVERIFY(health->problems.empty());
        QCOMPARE(health->runs, 1);
        QCOMPARE(health->checkpoints, 2);
        QCOMPARE(health->missing, std::vector{(store.library().runFolder(uuid(1)) / "gone").string()});
    }

    void damageIsFound() {
        const LibraryFolder folder;
        {
            auto store = folder.store();
            addFilledRun(store, 1);
            // A row that no run has.
            store.library().connection().database.exec(
                "PRAGMA foreign_keys = OFF; INSERT INTO tags (run, tag) VALUES (77, 'nobody''s')");
        }
        auto library = Library::open(folder.file(), Library::Mode::Read).value();
        const auto health = checkLibrary(library);
        REQUIRE(health);
        QCOMPARE(health->problems, std::vector<std::string>{"tags"});
    }

    void aCopyIsAWholeLibrary() {
        const LibraryFolder folder;
        auto store = folder.store();
        const RunRecord run = addFilledRun(store, 1);
        const fs::path copy = folder.folder() / "copy.sqlite";
        writeFile(copy, "an older copy");
        auto library = Library::open(folder.file(), Library::Mode::Read).value();
        std::stop_source stop;
        stop.request_stop();
        QCOMPARE(codeOf(backUpLibrary(library, copy, stop.get_token())), std::string("library.cancelled"));
        QCOMPARE(fs::file_size(copy), std::uintmax_t{13}); // what was there stays until the copy is complete
        REQUIRE(backUpLibrary(library, copy));
        QCOMPARE(codeOf(backUpLibrary(library, folder.file())), std::string("library.write"));
        RunReader reader(Library::open(copy, Library::Mode::Read).value());
        QVERIFY(reader.run(run.id).value() == folder.reader().run(run.id).value());
        QVERIFY(reader.windows(run.id).value() == makeWindows(1, 9));
        for (const auto& entry : fs::directory_iterator(folder.folder()))
            QVERIFY2(entry.path().extension() != ".part", entry.path().c_str());
    }

    void aCopyBringsEverythingBack() {
        const LibraryFolder folder;
        auto store = folder.store();
        const RunRecord run = addFilledRun(store, 1);
        const fs::path copy = folder.folder() / "copy.sqlite";
        REQUIRE(backUpLibrary(store.library(), copy));
        const RunRecord before = folder.reader().run(run.id).value();
        auto watching = folder.reader(); // as the window's
        const auto version = watching.dataVersion().value();
        addFilledRun(store, 2);
        REQUIRE(store.setNotes(run.id, "changed since"));
        REQUIRE(restoreLibrary(store.library(), copy));
        QVERIFY(watching.runs().value() == std::vector{before});
        QVERIFY(watching.windows(run.id).value() == makeWindows(1, 9));
        QVERIFY(watching.dataVersion().value() != version);
        REQUIRE(store.setNotes(run.id, "goes on")); // the same connection
        QCOMPARE(RunReader(Library::open(copy, Library::Mode::Read).value()).run(run.id)->notes, before.notes);
        QVERIFY(!fs::exists(folder.file().string() + ".restoring"));
    }

    void anOlderCopyIsBroughtToThisVersion() {
        const LibraryFolder folder;
        auto store = folder.store();
        addFilledRun(store, 2);
        const fs::path old = folder.folder() / "old.sqlite";
        const fs::path dump =
            fs::path(qEnvironmentVariable("ACCUMULUS_SOURCE").toStdString()) / "tests/unit/store/library_v8.sql";
        std::ifstream stream(dump);
        const std::string script((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
        QVERIFY2(!script.empty(), "ACCUMULUS_SOURCE must name the source folder");
        SQLite::Database(old.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE).exec(script);
        REQUIRE(restoreLibrary(store.library(), old));
        QCOMPARE(folder.reader().runs().value().size(), std::size_t{1});
        QVERIFY(folder.reader().run("a80936ee").value().lowestLoss);
        QCOMPARE(SQLite::Database(old.string()).execAndGet("PRAGMA user_version").getInt(), 8); // stays as it is
    }

    void whatIsNoLibraryChangesNothing() {
        const LibraryFolder folder;
        auto store = folder.store();
        const RunRecord run = addFilledRun(store, 1);
        const auto file = folder.folder() / "other";
        writeFile(file, "");
        QCOMPARE(codeOf(restoreLibrary(store.library(), file)), std::string("library.not-ours"));
        writeFile(file, std::string(5000, 'x'));
        QCOMPARE(codeOf(restoreLibrary(store.library(), file)), std::string("library.not-ours"));
        QCOMPARE(codeOf(restoreLibrary(store.library(), folder.folder() / "none")), std::string("library.open"));
        QCOMPARE(folder.reader().runs().value().size(), std::size_t{1});
    }
};

QTEST_APPLESS_MAIN(TestLibraryCare)
#include "test_library_care.moc"
