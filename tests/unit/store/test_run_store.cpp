// SPDX-License-Identifier: GPL-3.0-or-later
// Studies and runs: what is written is what is read, how a run's life is recorded, and how runs are found again.
#include "core/store/study_names.h"
#include "tests/support/numeric.h"
#include "tests/unit/store/store_fixture.h"

namespace test_run_store {
using namespace accumulus;
using namespace accumulus::test;

class TestRunStore : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void coloursAndNotesOfTheLibraryAreKept() {
        const LibraryFolder library;
        auto store = library.store();
        const RunRecord run = makeRun();
        REQUIRE(store.addRun(run));
        REQUIRE(store.setColor(run.id, "#cc79a7"));
        QCOMPARE(library.reader().run(run.id)->color, std::string("#cc79a7"));
        REQUIRE(store.setColor(run.id, ""));
        QVERIFY(library.reader().run(run.id).value() == run);
        QCOMPARE(codeOf(store.setColor("none", "#000000")), std::string("library.no-run"));

        QCOMPARE(library.reader().note("baseline").value(), std::string());
        REQUIRE(store.putNote("baseline", "run:" + run.id));
        REQUIRE(store.putNote("baseline", "study:批"));
        QCOMPARE(library.reader().note("baseline").value(), std::string("study:批"));
        REQUIRE(store.putNote("baseline", ""));
        QCOMPARE(library.reader().note("baseline").value(), std::string());
    }

    void theSizeOfCheckpointsIsTheirSum() {
        const LibraryFolder library;
        auto store = library.store();
        for (int number = 1; number <= 2; ++number)
            REQUIRE(store.addRun(makeRun(number)));
        for (const char* file : {"a", "b"}) {
            CheckpointRecord checkpoint;
            checkpoint.weightsPath = (store.library().runFolder(uuid(1)) / file).string();
            checkpoint.bytes = 21;
            REQUIRE(store.addCheckpoint(uuid(1), checkpoint));
        }
        QCOMPARE(library.reader().run(uuid(1))->checkpointBytes, std::int64_t{42});
        const auto runs = library.reader().runs().value();
        QCOMPARE(runs.size(), std::size_t{2});
        for (const RunRecord& run : runs)
            QCOMPARE(run.checkpointBytes, std::int64_t{run.id == uuid(1) ? 42 : 0});
    }

    void aStudyIsRenamedWithTheRunsThatBearItsName() {
        const LibraryFolder library;
        auto store = library.store();
        const StudyRecord study = makeStudy(1);
        REQUIRE(store.addStudy(study));
        RunRecord named = makeRun(1), own = makeRun(2), other = makeRun(3);
        named.study = own.study = study.id;
        named.seed = 0;
        named.name = study.name + ", accumulated, seed 0";
        own.name = "golden run";
        other.study.clear();
        other.name = named.name;
        for (const RunRecord& run : {named, own, other})
            REQUIRE(store.addRun(run));
        REQUIRE(renameStudy(store, study.id, "50 %, “批”"));
        auto reader = library.reader();
        QCOMPARE(reader.study(study.id)->name, std::string("50 %, “批”"));
        QCOMPARE(reader.study(study.id)->config.name, std::string("50 %, “批”"));
        QCOMPARE(reader.run(named.id)->name, std::string("50 %, “批”, accumulated, seed 0"));
        QCOMPARE(reader.run(own.id)->name, own.name);
        QCOMPARE(reader.run(other.id)->name, other.name);
        REQUIRE(renameStudy(store, study.id, study.name));
        QCOMPARE(reader.run(named.id)->name, named.name);

        // There and back, also where a run's own name begins with one of the study's.
        RunRecord likely = makeRun(4);
        likely.study = study.id;
        likely.name = "final, golden";
        REQUIRE(store.addRun(likely));
        REQUIRE(renameStudy(store, study.id, "final"));
        REQUIRE(renameStudy(store, study.id, study.name));
        QCOMPARE(reader.run(likely.id)->name, likely.name);
        QCOMPARE(reader.run(named.id)->name, named.name);
        QCOMPARE(codeOf(renameStudy(store, "nothing", "x")), std::string("library.no-study"));
    }

    void studyComesBack() {
        const LibraryFolder library;
        auto store = library.store();
        REQUIRE(store.addStudy(makeStudy(1)));
        REQUIRE(store.addStudy(makeStudy(2)));
        auto reader = library.reader();
        const auto studies = reader.studies();
        REQUIRE(studies);
        QVERIFY(*studies == (std::vector{makeStudy(2), makeStudy(1)})); // newest first
        QVERIFY(reader.study(makeStudy(1).id).value() == makeStudy(1));
        QCOMPARE(codeOf(reader.study("nothing")), std::string("library.no-study"));
    }

    void runComesBack() {
        const LibraryFolder library;
        auto store = library.store();
        REQUIRE(store.addStudy(makeStudy()));
        RunRecord run = makeRun(1, makeStudy().id);
        run.tags = {"a tag", "b"};
        run.notes = "notes\nof two lines";
        run.startedAt = 1700000001.5;
        run.finishedAt = 1700000002.5;
        run.heartbeat = 1700000002.0;
        run.state = RunState::Failed;
        run.error = "why";
        run.attempt = 3;
        run.trashed = true;
        run.trashedAt = 1700000003.5;
        run.summary = {.updates = 1,
                       .microSteps = 2,
                       .samples = 3,
                       .finalTrainLoss = 0.1,
                       .testLoss = std::nullopt,
                       .testAccuracy = 0.0,
                       .bestTestAccuracy = 1.0 / 3.0,
                       .activeSeconds = 4.5,
                       .samplesPerSecond = 5.5,
                       .peakBytes = 6,
                       .weightsHash = "abc",
                       .checkpoint = (store.library().runFolder(run.id) / "last.safetensors").string()};
        REQUIRE(store.addRun(run));
        auto reader = library.reader();
        const auto back = reader.run(run.id);
        REQUIRE(back);
        QVERIFY(*back == run);
        QVERIFY(compareBits(back->config.optimizer.lr, run.config.optimizer.lr));
    }

    void startAndEndAreRecorded() {
        const LibraryFolder library;
        auto store = library.store();
        RunRecord run = makeRun();
        REQUIRE(store.addRun(run));
        run.lanes = 3;
        run.threads = 4;
        run.trainSamples = 1234;
        run.totalUpdates = 99;
        run.environment.device = "another device";
        run.attempt = 2;
        run.startedAt = 1700000005.0;
        run.owner = {.pid = 42, .started = 7, .host = "a third computer"};
        REQUIRE(store.updateStarted(run));
        REQUIRE(store.setState(run.id, RunState::Running));
        REQUIRE(store.heartbeat(run.id, 1700000006.0));
        run.state = RunState::Running;
        run.heartbeat = 1700000006.0;
        auto reader = library.reader();
        QVERIFY(reader.run(run.id).value() == run);

        RunSummary summary;
        summary.updates = 99;
        summary.samples = 25000;
        summary.testAccuracy = 0.98;
        summary.weightsHash = "cafe";
        summary.checkpoint = (store.library().runFolder(run.id) / "last.safetensors").string();
        REQUIRE(store.finishRun(run.id, RunState::Completed, summary, 1700000007.0, "no error really"));
        run.summary = summary;
        run.state = RunState::Completed;
        run.finishedAt = 1700000007.0;
        run.error = "no error really";
        run.owner = {}; // nobody answers for it any more
        QVERIFY(reader.run(run.id).value() == run);

        // A new attempt forgets how the last one ended.
        REQUIRE(store.setState(run.id, RunState::Starting));
        const auto again = reader.run(run.id).value();
        QVERIFY(again.state == RunState::Starting);
        QVERIFY(again.error.empty());
        QVERIFY(compareBits(again.finishedAt, 0.0));
        QVERIFY(again.heartbeat > 1700000007.0);
    }

    void everyStateHasAName() {
        for (int value = 0; value <= int(RunState::Interrupted); ++value)
            QVERIFY(runStateFromName(runStateName(RunState(value))) == RunState(value));
        QVERIFY(!runStateFromName("asleep"));
        QVERIFY(isActive(RunState::Paused) && !isActive(RunState::Queued) && !isActive(RunState::Interrupted));
        QVERIFY(isResumable(RunState::Interrupted) && !isResumable(RunState::Completed) &&
                !isResumable(RunState::Running));
    }

    void runsAreFoundByPrefix() {
        const LibraryFolder library;
        auto store = library.store();
        RunRecord first = makeRun(1);
        RunRecord second = makeRun(2);
        first.id = "abcd1111-0000-4000-8000-000000000000";
        second.id = "abcd2222-0000-4000-8000-000000000000";
        REQUIRE(store.addRun(first));
        REQUIRE(store.addRun(second));
        auto reader = library.reader();
        QVERIFY(reader.run("abcd1").value() == first);
        QVERIFY(reader.run("abcd2222-0000").value() == second);
        QVERIFY(reader.run(second.id).value() == second);
        const auto both = reader.run("abcd");
        QCOMPARE(codeOf(both), std::string("library.ambiguous-run"));
        QVERIFY(both.error().argument("candidates").find(first.id) != std::string::npos);
        for (const char* text : {"abc", "", "abcd3", "%", "abcd%", "zzzz", "abcd1111-0000-4000-8000-0000000000000"})
            QCOMPARE(codeOf(reader.run(text)), std::string("library.no-run"));
    }

    void listingFiltersAndSorts() {
        const LibraryFolder library;
        auto store = library.store();
        REQUIRE(store.addStudy(makeStudy(1)));
        REQUIRE(store.addStudy(makeStudy(2)));
        for (int number = 1; number <= 6; ++number) {
            RunRecord run = makeRun(number, makeStudy(1 + number % 2).id);
            run.state = RunState::Completed;
            run.createdAt = number < 5 ? 1700000000.0 : 1600000000.0 + number;
            run.tags = {fmt::format("tag {}", number), "all"};
            REQUIRE(store.addRun(run));
        }
        REQUIRE(store.moveToTrash(std::vector{uuid(3)}, 5.0));
        auto reader = library.reader();
        const auto idsOf = [](const std::vector<RunRecord>& runs) {
            std::vector<std::string> ids;
            std::ranges::transform(runs, std::back_inserter(ids), &RunRecord::id);
            return ids;
        };
        const auto runs = reader.runs().value();
        QCOMPARE(idsOf(runs), std::vector({uuid(4), uuid(2), uuid(1), uuid(6), uuid(5)}));
        QCOMPARE(runs.front().tags, std::vector<std::string>({"all", "tag 4"}));
        QCOMPARE(idsOf(reader.runs({.trashed = false, .study = makeStudy(2).id}).value()),
                 std::vector({uuid(1), uuid(5)}));
        QCOMPARE(idsOf(reader.runs({.trashed = true, .study = {}}).value()), std::vector({uuid(3)}));
        QCOMPARE(idsOf(reader.runs({.trashed = true, .study = makeStudy(1).id}).value()), std::vector<std::string>());
    }

    void peopleMayAnnotate() {
        const LibraryFolder library;
        auto store = library.store();
        const RunRecord run = makeRun();
        REQUIRE(store.addRun(run));
        REQUIRE(store.setTags(run.id, {"paper", "a", "paper"}));
        REQUIRE(store.setNotes(run.id, "notes'); DROP TABLE runs; --"));
        REQUIRE(store.rename(run.id, "new name"));
        auto reader = library.reader();
        auto back = reader.run(run.id).value();
        QCOMPARE(back.tags, std::vector<std::string>({"a", "paper"}));
        QCOMPARE(back.notes, std::string("notes'); DROP TABLE runs; --"));
        QCOMPARE(back.name, std::string("new name"));
        REQUIRE(store.setTags(run.id, {}));
        QVERIFY(reader.run(run.id).value().tags.empty());
    }

    void unknownRunsAreAnError() {
        const LibraryFolder library;
        auto store = library.store();
        const std::string none = uuid(9);
        const auto noRun = std::string("library.no-run");
        QCOMPARE(codeOf(store.updateStarted(makeRun(9))), noRun);
        QCOMPARE(codeOf(store.setState(none, RunState::Running)), noRun);
        QCOMPARE(codeOf(store.heartbeat(none, 1.0)), noRun);
        QCOMPARE(codeOf(store.finishRun(none, RunState::Failed, {}, 1.0)), noRun);
        QCOMPARE(codeOf(store.addWindows(none, 1, makeWindows(1, 1))), noRun);
        QCOMPARE(codeOf(store.addEvaluations(none, 1, {})), noRun);
        QCOMPARE(codeOf(store.addEvents(none, {})), noRun);
        QCOMPARE(codeOf(store.addCheckpoint(none, {})), noRun);
        QCOMPARE(codeOf(store.supersede(none, 0, 0)), noRun);
        QCOMPARE(codeOf(store.setTags(none, {})), noRun);
        QCOMPARE(codeOf(store.rename(none, "")), noRun);
        QCOMPARE(codeOf(store.moveToTrash(std::vector{none}, 1.0)), noRun);
        auto reader = library.reader();
        QCOMPARE(codeOf(reader.windows(none)), noRun);
        QCOMPARE(codeOf(reader.windowColumns(none)), noRun);
        QCOMPARE(codeOf(reader.checkpoints(none)), noRun);
    }

    void impossibleRowsAreRefused() {
        const LibraryFolder library;
        auto store = library.store();
        REQUIRE(store.addRun(makeRun()));
        const auto refused = std::string("library.refused");
        QCOMPARE(codeOf(store.addRun(makeRun())), refused);                   // the same id again
        QCOMPARE(codeOf(store.addRun(makeRun(2, "no such study"))), refused); // foreign key
        RunRecord climbing = makeRun(3);
        climbing.id = "../../home";
        QCOMPARE(codeOf(store.addRun(climbing)), refused);
        REQUIRE(store.addWindows(uuid(1), 1, makeWindows(1, 5)));
        QCOMPARE(codeOf(store.addWindows(uuid(1), 1, makeWindows(5, 9))), refused); // window 5 again
        auto reader = library.reader();
        QCOMPARE(reader.windowCount(uuid(1)).value(), 5); // and nothing of the failed call stays
        QCOMPARE(reader.runs().value().size(), std::size_t{1});
        QCOMPARE(reader.run(uuid(1)).value().summary.updates, 5);
    }

    void batchesAreAllOrNothing() {
        const LibraryFolder library;
        auto store = library.store();
        auto reader = library.reader();
        QCOMPARE(codeOf(store.commit()), std::string("library.write")); // none is open
        REQUIRE(store.begin());
        QCOMPARE(codeOf(store.begin()), std::string("library.write"));
        REQUIRE(store.addRun(makeRun()));
        REQUIRE(store.addWindows(uuid(1), 1, makeWindows(1, 5)));
        QVERIFY(reader.runs().value().empty()); // not before the commit
        // A call that fails in the middle leaves out only itself.
        QVERIFY(!store.addWindows(uuid(1), 1, makeWindows(4, 8)));
        REQUIRE(store.addWindows(uuid(1), 1, makeWindows(6, 7)));
        REQUIRE(store.commit());
        QCOMPARE(numbersOf(reader.windows(uuid(1)).value()), std::vector<std::int64_t>({1, 2, 3, 4, 5, 6, 7}));
        REQUIRE(store.begin());
        REQUIRE(store.addRun(makeRun(2)));
        store.rollback();
        QCOMPARE(reader.runs().value().size(), std::size_t{1});
        REQUIRE(store.addRun(makeRun(2)));
        QCOMPARE(reader.runs().value().size(), std::size_t{2});
    }

    void readersNoticeChanges() {
        const LibraryFolder library;
        auto store = library.store();
        auto reader = library.reader();
        const auto before = reader.dataVersion().value();
        QCOMPARE(reader.dataVersion().value(), before);
        REQUIRE(store.addRun(makeRun()));
        QVERIFY(reader.dataVersion().value() != before);
    }
};

QTEST_APPLESS_MAIN(TestRunStore)
} // namespace test_run_store
#include "test_run_store.moc"
