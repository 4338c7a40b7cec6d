// SPDX-License-Identifier: GPL-3.0-or-later
// A library that is checked, copied while it is in use, and brought back from a copy: all of it, or nothing.
#include "core/store/connection.h"
#include "core/store/library_care.h"
#include "core/store/run_owner.h"
#include "tests/unit/store/store_fixture.h"

#include <atomic>
#include <chrono>
#include <fcntl.h>
#include <sys/file.h>
#include <thread>
#include <unistd.h>

namespace test_library_care {
using namespace accumulus;
using namespace accumulus::test;
namespace fs = std::filesystem;

class TestLibraryCare : public QObject {
    Q_OBJECT

private:
    static RunRecord addFilledRun(RunStore& store, int number) {
        RunRecord run = makeRun(number);
        run.state = RunState::Completed;
        run.owner = {};
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
        REQUIRE(restoreLibrary(store, copy));
        QVERIFY(watching.runs().value() == std::vector{before});
        QVERIFY(watching.windows(run.id).value() == makeWindows(1, 9));
        QVERIFY(watching.dataVersion().value() != version);
        REQUIRE(store.setNotes(run.id, "goes on")); // the same connection
        QCOMPARE(RunReader(Library::open(copy, Library::Mode::Read).value()).run(run.id)->notes, before.notes);
        QVERIFY(!fs::exists(folder.file().string() + ".restoring"));
    }

    void aCopyIsFinishedWhileOthersCommit() {
        const LibraryFolder folder;
        auto store = folder.store();
        addFilledRun(store, 1);
        store.library().connection().database.exec(
            "CREATE TABLE ballast (bytes BLOB); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT "
            "1200) INSERT INTO ballast SELECT randomblob(65536) FROM n");
        std::atomic<bool> done = false;
        std::atomic<int> commits = 0;
        std::thread trainer([&] {
            auto other = folder.store();
            while (!done) {
                commits += other.setNotes(uuid(1), std::to_string(commits)) ? 1 : 0;
                std::this_thread::sleep_for(std::chrono::milliseconds(2));
            }
        });
        std::stop_source stop;
        std::thread watch([&] {
            for (int i = 0; i < 3000 && !done; ++i)
                std::this_thread::sleep_for(std::chrono::milliseconds(10));
            stop.request_stop();
        });
        while (commits < 3)
            std::this_thread::yield();
        auto library = Library::open(folder.file(), Library::Mode::Read).value();
        const int before = commits;
        const Status copied = backUpLibrary(library, folder.folder() / "copy.sqlite", stop.get_token());
        const int after = commits;
        done = true;
        trainer.join();
        watch.join();
        REQUIRE(copied);
        QVERIFY(after > before);
        auto copy = Library::open(folder.folder() / "copy.sqlite", Library::Mode::Read).value();
        QVERIFY(checkLibrary(copy)->problems.empty());
    }

    void aLibraryInUseIsNotOverwritten() {
        const LibraryFolder folder;
        auto store = folder.store();
        addFilledRun(store, 1);
        const fs::path to = folder.folder() / "other.sqlite";
        {
            RunStore other(Library::open(to, Library::Mode::Write).value());
            addFilledRun(other, 2);
            QCOMPARE(codeOf(backUpLibrary(store.library(), to)), std::string("library.write")); // its log holds rows
        }
        const std::string lock = to.string() + ".window";
        const int window = ::open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        QCOMPARE(::flock(window, LOCK_EX | LOCK_NB), 0);
        QCOMPARE(codeOf(backUpLibrary(store.library(), to)), std::string("library.write"));
        ::close(window);
        writeFile(to.string() + "-shm", "of another file");
        REQUIRE(backUpLibrary(store.library(), to));
        QVERIFY(!fs::exists(to.string() + "-shm"));
        RunReader reader(Library::open(to, Library::Mode::Read).value());
        QCOMPARE(reader.runs().value().size(), std::size_t{1});
        REQUIRE(reader.run(uuid(1)));
    }

    void aCheckEndsWhenItIsAskedTo() {
        const LibraryFolder folder;
        auto store = folder.store();
        addFilledRun(store, 1);
        std::stop_source stop;
        REQUIRE(checkLibrary(store.library(), stop.get_token()));
        stop.request_stop();
        QCOMPARE(codeOf(checkLibrary(store.library(), stop.get_token())), std::string("library.cancelled"));
        REQUIRE(checkLibrary(store.library()));
    }

    void nothingIsRestoredWhileARunTrains() {
        const LibraryFolder folder;
        auto store = folder.store();
        addFilledRun(store, 1);
        const fs::path copy = folder.folder() / "copy.sqlite", kept = folder.folder() / "kept.sqlite";
        REQUIRE(backUpLibrary(store.library(), copy));
        const LiveClaim claim;
        RunRecord training = makeRun(2);
        training.state = RunState::Running;
        training.owner = claim.owner();
        REQUIRE(store.addRun(training));
        for (const RunState state : {RunState::Queued, RunState::Running, RunState::Paused}) {
            REQUIRE(store.setState(training.id, state));
            QCOMPARE(codeOf(restoreLibrary(store, copy, kept)), std::string("library.run-active"));
            QCOMPARE(folder.reader().runs().value().size(), std::size_t{2});
            QVERIFY(!fs::exists(kept));
        }
        REQUIRE(store.setState(training.id, RunState::Stopped));
        REQUIRE(restoreLibrary(store, copy, kept));
        QCOMPARE(folder.reader().runs().value().size(), std::size_t{1});
        QCOMPARE(RunReader(Library::open(kept, Library::Mode::Read).value()).runs().value().size(), std::size_t{2});
    }

    void aRunWhoseProcessIsGoneHoldsUpNothing() {
        const LibraryFolder folder;
        auto store = folder.store();
        addFilledRun(store, 1);
        const fs::path copy = folder.folder() / "copy.sqlite";
        REQUIRE(backUpLibrary(store.library(), copy));
        RunRecord abandoned = makeRun(2);
        abandoned.state = RunState::Running;
        abandoned.owner = LiveClaim().owner();
        REQUIRE(store.addRun(abandoned));
        REQUIRE(restoreLibrary(store, copy));
    }

    void whatTrainedInACopyIsInterrupted() {
        const LibraryFolder folder;
        auto store = folder.store();
        const LiveClaim claim;
        RunRecord training = makeRun(1);
        training.state = RunState::Running;
        training.owner = claim.owner();
        REQUIRE(store.addRun(training));
        const fs::path copy = folder.folder() / "copy.sqlite";
        REQUIRE(backUpLibrary(store.library(), copy));
        REQUIRE(store.setState(training.id, RunState::Stopped));
        REQUIRE(restoreLibrary(store, copy));
        QCOMPARE(folder.reader().run(training.id)->state, RunState::Interrupted);
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
        REQUIRE(restoreLibrary(store, old));
        QCOMPARE(folder.reader().runs().value().size(), std::size_t{1});
        QVERIFY(folder.reader().run("08b11377").value().lowestLoss);
        QCOMPARE(SQLite::Database(old.string()).execAndGet("PRAGMA user_version").getInt(), 8); // stays as it is
    }

    void whatIsNoLibraryChangesNothing() {
        const LibraryFolder folder;
        auto store = folder.store();
        const RunRecord run = addFilledRun(store, 1);
        const auto file = folder.folder() / "other";
        const auto kept = folder.folder() / "kept.sqlite";
        writeFile(file, "");
        QCOMPARE(codeOf(restoreLibrary(store, file)), std::string("library.not-ours"));
        writeFile(file, std::string(5000, 'x'));
        QCOMPARE(codeOf(restoreLibrary(store, file, kept)), std::string("library.not-ours"));
        QCOMPARE(codeOf(restoreLibrary(store, folder.folder() / "none")), std::string("library.open"));
        QVERIFY(!fs::exists(kept));
        QCOMPARE(folder.reader().runs().value().size(), std::size_t{1});
    }
};

QTEST_APPLESS_MAIN(TestLibraryCare)
} // namespace test_library_care
#include "test_library_care.moc"
