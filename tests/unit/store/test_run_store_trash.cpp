// SPDX-License-Identifier: GPL-3.0-or-later
// Deleting is a move to the trash that can be undone; only emptying it is final, and it removes nothing but what was in
// it.
#include "core/store/connection.h"
#include "tests/unit/store/store_fixture.h"

namespace test_run_store_trash {
using namespace accumulus;
using namespace accumulus::test;
namespace fs = std::filesystem;

class TestRunStoreTrash : public QObject {
    Q_OBJECT

private:
    static RunRecord completedRun(int number, const std::string& study = {}) {
        RunRecord run = makeRun(number, study);
        run.state = RunState::Completed;
        return run;
    }
    static void makeFolder(const fs::path& folder) {
        fs::create_directories(folder / "deeper");
        writeFile(folder / "deeper" / "last.safetensors", "weights");
    }

private Q_SLOTS:
    void trashCanBeUndone() {
        const LibraryFolder library;
        auto store = library.store();
        RunRecord run = completedRun(1);
        run.tags = {"kept"};
        REQUIRE(store.addRun(run));
        REQUIRE(store.addWindows(run.id, 1, makeWindows(1, 9)));
        auto reader = library.reader();
        const RunRecord before = reader.run(run.id).value();
        REQUIRE(store.moveToTrash(std::vector{run.id}, 77.0));
        QVERIFY(reader.runs().value().empty());
        RunRecord trashed = before;
        trashed.trashed = true;
        trashed.trashedAt = 77.0;
        QVERIFY(reader.runs({.trashed = true, .study = {}}).value() == std::vector{trashed});
        REQUIRE(store.restoreFromTrash(std::vector{run.id}));
        QVERIFY(reader.runs().value() == std::vector{before});
        QVERIFY(reader.windows(run.id).value() == makeWindows(1, 9));
    }

    void emptyingRemovesWhatWasInIt() {
        const LibraryFolder library;
        auto store = library.store();
        REQUIRE(store.addStudy(makeStudy(1)));
        REQUIRE(store.addStudy(makeStudy(2)));
        REQUIRE(store.addStudy(makeStudy(3))); // without runs yet
        REQUIRE(store.addRun(completedRun(1, makeStudy(1).id)));
        REQUIRE(store.addRun(completedRun(2, makeStudy(2).id)));
        REQUIRE(store.addRun(completedRun(3, makeStudy(2).id)));
        for (int number = 1; number <= 3; ++number) {
            makeFolder(store.library().runFolder(uuid(number)));
            REQUIRE(store.addWindows(uuid(number), 1, makeWindows(1, 20)));
            REQUIRE(store.addWindows(uuid(number), 2, std::vector{onRanks(makeWindow(21), 2)}));
            REQUIRE(store.addEvaluations(uuid(number), 1, std::vector{makeEvaluation(5)}));
            REQUIRE(store.addEvents(uuid(number), std::vector<EventRecord>{{1.0, "info", "c", "t", 0}}));
            CheckpointRecord checkpoint;
            checkpoint.weightsPath = "w";
            REQUIRE(store.addCheckpoint(uuid(number), checkpoint));
            REQUIRE(store.setTags(uuid(number), {"t"}));
        }
        REQUIRE(store.moveToTrash(std::vector{uuid(1), uuid(2)}, 1.0));
        QCOMPARE(store.emptyTrash()->removed, 2);
        QVERIFY(!fs::exists(store.library().runFolder(uuid(1))));
        QVERIFY(!fs::exists(store.library().runFolder(uuid(2))));
        QVERIFY(fs::exists(store.library().runFolder(uuid(3)) / "deeper" / "last.safetensors"));
        auto reader = library.reader();
        QCOMPARE(reader.runs().value().size(), std::size_t{1});
        QVERIFY(reader.windows(uuid(3)).value() == makeWindows(1, 21));
        QCOMPARE(reader.rankTimes(uuid(3)).value().size(), std::size_t{2});
        QVERIFY(reader.studies().value() == (std::vector{makeStudy(3), makeStudy(2)}));
        // No row of the removed runs is left anywhere.
        for (const char* table : {"tags", "windows", "rank_windows", "evaluations", "events", "checkpoints"}) {
            auto& database = store.library().connection().database;
            QCOMPARE(database.execAndGet(std::string("SELECT count(*) FROM ") + table + " WHERE run <> 3").getInt(), 0);
        }
        QCOMPARE(store.emptyTrash()->removed, 0);
    }

    void protectedRunsStay() {
        const LibraryFolder library;
        auto store = library.store();
        REQUIRE(store.addRun(completedRun(1)));
        REQUIRE(store.addRun(completedRun(2)));
        REQUIRE(store.setProtected(uuid(2), true));
        QVERIFY(library.reader().run(uuid(2))->isProtected);
        const Status refused = store.moveToTrash(std::vector{uuid(1), uuid(2)}, 1.0);
        QCOMPARE(codeOf(refused), std::string("library.run-protected"));
        QCOMPARE(refused.error().argument("name"), completedRun(2).name);
        QVERIFY(!library.reader().run(uuid(1))->trashed); // all or none
        REQUIRE(store.setProtected(uuid(2), false));
        REQUIRE(store.moveToTrash(std::vector{uuid(1), uuid(2)}, 1.0));
    }

    void onlyNamedRunsAreRemoved() {
        const LibraryFolder library;
        auto store = library.store();
        for (int number = 1; number <= 3; ++number)
            REQUIRE(store.addRun(completedRun(number)));
        REQUIRE(store.moveToTrash(std::vector{uuid(1), uuid(2)}, 1.0));
        const std::vector confirmed{uuid(1), uuid(3)}; // the third is in no trash
        QCOMPARE(store.emptyTrash(std::span<const std::string>(confirmed))->removed, 1);
        QCOMPARE(codeOf(library.reader().run(uuid(1))), std::string("library.no-run"));
        QVERIFY(library.reader().run(uuid(2))->trashed);
        QVERIFY(!library.reader().run(uuid(3))->trashed);
        QCOMPARE(store.emptyTrash(std::span<const std::string>())->removed, 0);
    }

    void onlyWhatIsOldGoesByItself() {
        const LibraryFolder library;
        auto store = library.store();
        for (int number = 1; number <= 3; ++number)
            REQUIRE(store.addRun(completedRun(number)));
        REQUIRE(store.moveToTrash(std::vector{uuid(1)}, 100.0));
        REQUIRE(store.moveToTrash(std::vector{uuid(2)}, 200.0));
        QCOMPARE(store.emptyTrash(200.0)->removed, 1);
        QCOMPARE(codeOf(library.reader().run(uuid(1))), std::string("library.no-run"));
        QVERIFY(library.reader().run(uuid(2))->trashed);
        QVERIFY(!library.reader().run(uuid(3))->trashed);
        QCOMPARE(store.emptyTrash()->removed, 1);
    }

    void runningRunsStay() {
        const LibraryFolder library;
        auto store = library.store();
        REQUIRE(store.addRun(completedRun(1)));
        REQUIRE(store.addRun(completedRun(2)));
        REQUIRE(store.setState(uuid(2), RunState::Running));
        const auto refused = store.moveToTrash(std::vector{uuid(1), uuid(2)}, 1.0);
        QCOMPARE(codeOf(refused), std::string("library.run-active"));
        QCOMPARE(library.reader().runs().value().size(), std::size_t{2}); // the first was not moved either
        // A study in progress will begin its queued runs.
        REQUIRE(store.setState(uuid(2), RunState::Queued));
        QCOMPARE(codeOf(store.moveToTrash(std::vector{uuid(2)}, 1.0)), std::string("library.run-active"));
        // Resumed while in the trash: in use again.
        REQUIRE(store.setState(uuid(2), RunState::Stopped));
        REQUIRE(store.moveToTrash(std::vector{uuid(2)}, 1.0));
        REQUIRE(store.setState(uuid(2), RunState::Running));
        QCOMPARE(store.emptyTrash()->removed, 0);
    }

    void foldersOutsideAreOutOfReach() {
        const LibraryFolder library;
        const auto precious = library.folder() / "precious";
        fs::create_directories(precious);
        auto store = library.store();
        REQUIRE(store.addRun(completedRun(1)));
        REQUIRE(store.moveToTrash(std::vector{uuid(1)}, 1.0));
        // As a file from somebody else might have it.
        store.library().connection().database.exec("UPDATE runs SET id = '../precious'");
        QCOMPARE(codeOf(store.emptyTrash()), std::string("library.corrupt"));
        QVERIFY(fs::exists(precious));
        QCOMPARE(codeOf(library.reader().runs({.trashed = true, .study = {}})), std::string("library.corrupt"));

        // A link in place of the folder is removed, what it points to is not.
        store.library().connection().database.exec("UPDATE runs SET id = 'a-link'");
        writeFile(precious / "file", "kept");
        fs::create_directories(store.library().runFolder("a-link").parent_path());
        fs::create_directory_symlink(precious, store.library().runFolder("a-link"));
        QCOMPARE(store.emptyTrash()->removed, 1);
        QVERIFY(!fs::exists(fs::symlink_status(store.library().runFolder("a-link"))));
        QVERIFY(fs::exists(precious / "file"));
    }

    void nothingIsLostWhenAFolderStays() {
        const LibraryFolder library;
        auto store = library.store();
        REQUIRE(store.addRun(completedRun(1)));
        REQUIRE(store.moveToTrash(std::vector{uuid(1)}, 1.0));
        // LIBRARY.files is a file, so that no run folder can be reached; works for root too.
        writeFile(store.library().runFolder("x").parent_path(), "in the way");
        const auto outcome = store.emptyTrash();
        REQUIRE(outcome);
        if (outcome->problems.empty())
            QSKIP("this file system removes what lies below a file");
        QCOMPARE(outcome->problems.front().code, std::string("library.files"));
        QCOMPARE(outcome->removed, 0);
        QCOMPARE(library.reader().runs({.trashed = true, .study = {}}).value().size(), std::size_t{1});
    }

    // The files of the middle one of three cannot be removed: all runs go, and the next emptying removes what is left.
    void aFolderThatStaysHoldsUpNoOther() {
        const LibraryFolder library;
        {
            auto store = library.store();
            for (int number = 1; number <= 3; ++number) {
                REQUIRE(store.addRun(completedRun(number)));
                makeFolder(store.library().runFolder(uuid(number)));
            }
            REQUIRE(store.moveToTrash(std::vector{uuid(1), uuid(2), uuid(3)}, 1.0));
            const auto files = store.library().runFolder("x").parent_path();
            for (const auto& entry : fs::recursive_directory_iterator(library.folder()))
                fs::permissions(entry.path(), fs::perms(entry.is_directory() ? 0777 : 0666));
            fs::permissions(library.folder(), fs::perms(0777));
            fs::permissions(files / uuid(2) / "deeper", fs::perms(0555));
        }
        const int outcome = asNobody([&] {
            const auto emptied = library.store().emptyTrash();
            if (!emptied)
                return 1;
            if (emptied->removed != 3)
                return 2;
            return emptied->problems.size() == 1 && emptied->problems.front().code == "library.files" ? 0 : 3;
        });
        if (outcome == 99)
            QSKIP("cannot give up root's rights here");
        QCOMPARE(outcome, 0);
        QVERIFY(library.reader().runs({.trashed = true, .study = {}}).value().empty());
        auto store = library.store();
        const auto files = store.library().runFolder("x").parent_path();
        const auto left = files / (uuid(2) + ".removed");
        QVERIFY(fs::exists(left / "deeper" / "last.safetensors"));
        QCOMPARE(std::distance(fs::directory_iterator(files), fs::directory_iterator()), std::ptrdiff_t{1});
        fs::permissions(left / "deeper", fs::perms(0777));
        const auto emptied = store.emptyTrash();
        QVERIFY(emptied && emptied->removed == 0 && emptied->problems.empty());
        QVERIFY(fs::is_empty(files));
    }

    // A crash between moving the folder aside and the commit: the run is in the trash, and its files come back with it.
    void filesComeBackWithARunThatWasNotRemoved() {
        const LibraryFolder library;
        auto store = library.store();
        for (int number = 1; number <= 2; ++number) {
            REQUIRE(store.addRun(completedRun(number)));
            makeFolder(store.library().runFolder(uuid(number)));
        }
        REQUIRE(store.moveToTrash(std::vector{uuid(1), uuid(2)}, 1.0));
        for (int number = 1; number <= 2; ++number) {
            const auto folder = store.library().runFolder(uuid(number));
            fs::rename(folder, fs::path(folder) += ".removed");
        }
        REQUIRE(store.restoreFromTrash(std::vector{uuid(1)}));
        QVERIFY(fs::exists(store.library().runFolder(uuid(1)) / "deeper" / "last.safetensors"));
        QCOMPARE(store.emptyTrash()->removed, 1);
        QVERIFY(fs::exists(store.library().runFolder(uuid(1))));
        QVERIFY(!fs::exists(fs::path(store.library().runFolder(uuid(2))) += ".removed"));
    }
};

QTEST_APPLESS_MAIN(TestRunStoreTrash)
} // namespace test_run_store_trash
#include "test_run_store_trash.moc"
