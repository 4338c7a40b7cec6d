// SPDX-License-Identifier: GPL-3.0-or-later
// Studies and runs: what is written is what is read, how a run's life is recorded, and how runs are found again.
#include "tests/support/numeric.h"
#include "tests/unit/store/store_fixture.h"

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

    void auditsAndPlansComeBack() {
        const LibraryFolder folder;
        auto store = folder.store();
        AuditRecord first{uuid(1), 100.0, "feed", "", "", "equivalent", "", 3e-7, 1e-5, "{}"};
        AuditRecord lesson = first;
        lesson.id = uuid(2);
        lesson.createdAt = 200.0;
        lesson.fault = lesson.pattern = "factor-k";
        lesson.verdict = "not-equivalent";
        AuditRecord ofRun = first;
        ofRun.id = uuid(3);
        ofRun.createdAt = 300.0;
        ofRun.run = uuid(7);
        ofRun.result = R"({"größer": true})";
        for (const AuditRecord& audit : {first, lesson, ofRun})
            REQUIRE(store.addAudit(audit));
        auto reader = folder.reader();
        QVERIFY(reader.audits().value() == (std::vector{ofRun, first}));
        QVERIFY(reader.audits(true, true).value() == (std::vector{ofRun, lesson, first}));
        QVERIFY(reader.audits(false).value().front().result.empty());

        QVERIFY(!reader.plan("key").value());
        PlanRecord plan{"key", 100.0, "{}"};
        REQUIRE(store.putPlan(plan));
        plan.createdAt = 200.0;
        REQUIRE(store.putPlan(plan)); // in its place
        QVERIFY(reader.plan("key").value() == plan);
        QVERIFY(!reader.plan("other").value());
    }

    void launchesComeBack() {
        const LibraryFolder folder;
        auto store = folder.store();
        LaunchRecord old;
        old.id = uuid(1);
        old.name = "night shift";
        old.createdAt = 100.0;
        LaunchRecord launch;
        launch.id = uuid(2);
        launch.name = "größer";
        launch.resumes = uuid(7);
        launch.place = {"user@far", "/opt/bin/accumulus-cli", "/data/l.sqlite", "--partition=long --time=1:00:00"};
        launch.createdAt = 200.0;
        REQUIRE(store.addLaunch(old));
        REQUIRE(store.addLaunch(launch));
        auto reader = folder.reader();
        QVERIFY(reader.launches().value() == (std::vector{launch, old}));
        RunRecord run = makeRun(7);
        run.study = uuid(3);
        RunRecord other = makeRun(8);
        other.study = uuid(3);
        QVERIFY(reader.launchOf(run).value() == launch); // that is to go on there
        QVERIFY(!reader.launchOf(other).value());
        launch.study = uuid(3);
        launch.files = "/data/l.sqlite.files";
        launch.readBytes = std::int64_t{1} << 40;
        launch.endedAt = 300.0;
        REQUIRE(store.updateLaunch(launch));
        QVERIFY(reader.launches().value() == (std::vector{launch, old}));
        QVERIFY(!reader.launchOf(other).value());
        old.study = uuid(3);
        old.follower = processOf(getpid());
        REQUIRE(store.updateLaunch(old));
        QVERIFY(reader.launchOf(other).value() == old);
        // It came back to this machine.
        LaunchRecord back = launch;
        back.id = uuid(5);
        back.place.program.clear();
        back.createdAt = 300.0;
        REQUIRE(store.addLaunch(back));
        QVERIFY(!reader.launchOf(run).value());
        // Only one follows.
        QCOMPARE(codeOf(store.claimLaunch(old.id, processOf(1))), std::string("launch.busy"));
        REQUIRE(store.claimLaunch(launch.id, processOf(getpid())));
        old.place.slurm = ""; // a batch system without options is none the less one
        old.id = uuid(4);
        REQUIRE(store.addLaunch(old));
        QCOMPARE(std::ranges::count(reader.launches().value(), old), 1);
        QCOMPARE(codeOf(store.addLaunch(old)), std::string("library.refused"));
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

    void staleRunsAreMarkedInterrupted() {
        const LibraryFolder library;
        auto store = library.store();
        const std::vector states{RunState::Starting, RunState::Running, RunState::Paused, RunState::Stopping,
                                 RunState::Queued,   RunState::Stopped, RunState::Running};
        for (int number = 1; number <= int(states.size()); ++number) {
            RunRecord begun = makeRun(number);
            begun.startedAt = states[std::size_t(number) - 1] == RunState::Queued ? 0.0 : 70.0;
            REQUIRE(store.addRun(begun));
            REQUIRE(store.setState(uuid(number), states[std::size_t(number) - 1]));
            REQUIRE(store.heartbeat(uuid(number), number == 7 ? 95.0 : 80.0));
        }
        const auto marked = store.markInterrupted(100.0, 10.0);
        REQUIRE(marked);
        QCOMPARE(*marked, std::vector({uuid(1), uuid(2), uuid(3), uuid(4), uuid(5)}));
        auto reader = library.reader();
        const auto run = reader.run(uuid(2)).value();
        QVERIFY(run.state == RunState::Interrupted);
        QVERIFY(run.owner == RunOwner{});
        QVERIFY(compareBits(run.finishedAt, 80.0));
        QVERIFY(compareBits(reader.run(uuid(5)).value().finishedAt, 0.0)); // it never began
        QVERIFY(reader.run(uuid(7)).value().state == RunState::Running);
        QVERIFY(store.markInterrupted(100.0, 10.0).value().empty());
    }

    /// On this computer the process itself is asked, whatever the heartbeat says.
    void aDeadProcessIsNoticedAtOnce() {
        const LibraryFolder library;
        auto store = library.store();
        RunOwner dead = thisProcess();
        dead.started -= 1; // the pid was given to another process
        for (int number = 1; number <= 4; ++number) {
            RunRecord run = makeRun(number);
            run.state = number <= 2 ? RunState::Running : RunState::Queued;
            run.owner = number % 2 == 1 ? dead : thisProcess();
            run.heartbeat = number % 2 == 1 ? 1000.0 : 10.0;
            REQUIRE(store.addRun(run));
        }
        QCOMPARE(store.markInterrupted(1000.5).value(), std::vector({uuid(1), uuid(3)}));
        auto reader = library.reader();
        QVERIFY(reader.run(uuid(2)).value().state == RunState::Running);
        QVERIFY(reader.run(uuid(4)).value().state == RunState::Queued);
    }

    // Two processes that want to go on with a run: one gets it, with everything as it was.
    void aRunIsClaimedOnce() {
        const LibraryFolder library;
        auto first = library.store();
        auto second = library.store();
        REQUIRE(first.addRun(makeRun()));
        REQUIRE(first.setState(uuid(1), RunState::Running));
        RunSummary summary;
        summary.testAccuracy = 0.75;
        REQUIRE(first.finishRun(uuid(1), RunState::Failed, summary, 5.0, "why"));
        const LiveClaim one;
        const LiveClaim other;
        QVERIFY(first.claim(uuid(1), one.owner(), 100.0).value() == RunState::Failed);
        QCOMPARE(codeOf(second.claim(uuid(1), other.owner(), 100.0)), std::string("run.busy"));
        QCOMPARE(codeOf(second.claim(uuid(1), other.owner(), 100.0, true)), std::string("run.busy")); // it can be ended
        auto reader = library.reader();
        auto run = reader.run(uuid(1)).value();
        QVERIFY(run.state == RunState::Starting && run.owner == one.owner());
        QVERIFY(run.summary == summary);
        QCOMPARE(run.error, std::string("why"));
        REQUIRE(first.giveBack(uuid(1), one.owner(), RunState::Failed));
        run = reader.run(uuid(1)).value();
        QVERIFY(run.state == RunState::Failed && run.owner == RunOwner{} && run.summary == summary);
        QCOMPARE(run.error, std::string("why"));
        REQUIRE(second.claim(uuid(1), other.owner(), 101.0));
        REQUIRE(first.giveBack(uuid(1), one.owner(), RunState::Failed)); // too late: nothing happens
        QVERIFY(reader.run(uuid(1))->owner == other.owner());
        REQUIRE(second.finishRun(uuid(1), RunState::Completed, {}, 6.0));
        QCOMPARE(codeOf(first.claim(uuid(1), one.owner(), 102.0)), std::string("run.not-resumable"));
        QCOMPARE(codeOf(first.claim(uuid(9), one.owner(), 102.0)), std::string("library.no-run"));
    }

    // Whoever was taken for dead and writes again, writes nothing.
    void aWriterThatLostItsClaimIsKeptOut() {
        const LibraryFolder library;
        auto sleeper = library.store();
        auto heir = library.store();
        REQUIRE(sleeper.addRun(makeRun()));
        REQUIRE(sleeper.setState(uuid(1), RunState::Stopped));
        RunOwner gone = {.pid = 4711, .started = 815, .host = "another computer", .claim = "first"};
        const LiveClaim claim;
        REQUIRE(sleeper.claim(uuid(1), gone, 100.0));
        REQUIRE(sleeper.addWindows(uuid(1), 1, makeWindows(1, 3)));
        REQUIRE(heir.claim(uuid(1), claim.owner(), 100.0 + 2 * staleSeconds));
        const auto lost = std::string("run.taken-over");
        QCOMPARE(codeOf(sleeper.addWindows(uuid(1), 1, makeWindows(4, 5))), lost);
        QCOMPARE(codeOf(sleeper.addEvaluations(uuid(1), 1, std::vector{makeEvaluation(3)})), lost);
        QCOMPARE(codeOf(sleeper.addMicroSteps(uuid(1), 1, {})), lost);
        QCOMPARE(codeOf(sleeper.addEvents(uuid(1), {})), lost);
        QCOMPARE(codeOf(sleeper.addCheckpoint(uuid(1), {})), lost);
        QCOMPARE(codeOf(sleeper.removeCheckpoint(uuid(1), "w")), lost);
        QCOMPARE(codeOf(sleeper.supersede(uuid(1), 0, 0)), lost);
        QCOMPARE(codeOf(sleeper.heartbeat(uuid(1), 200.0)), lost);
        QCOMPARE(codeOf(sleeper.setState(uuid(1), RunState::Running)), lost);
        QCOMPARE(codeOf(sleeper.updateStarted(makeRun())), lost);
        QCOMPARE(codeOf(sleeper.finishRun(uuid(1), RunState::Completed, {}, 7.0)), lost);
        REQUIRE(sleeper.setNotes(uuid(1), "people may")); // it is not of the run's measurements
        REQUIRE(heir.addWindows(uuid(1), 2, makeWindows(4, 5)));
        REQUIRE(heir.finishRun(uuid(1), RunState::Completed, {}, 7.0));
        QCOMPARE(codeOf(sleeper.addWindows(uuid(1), 1, makeWindows(6, 6))), lost); // also after the end
        QCOMPARE(numbersOf(library.reader().windows(uuid(1)).value()), (std::vector<std::int64_t>{1, 2, 3, 4, 5}));
    }

    // A computer that is gone, whose clock was ahead: its heartbeat never becomes old.
    void aHeartbeatInTheFutureHasAWayOut() {
        const LibraryFolder library;
        auto store = library.store();
        RunRecord run = makeRun();
        run.state = RunState::Running;
        run.heartbeat = 5000.0;
        REQUIRE(store.addRun(run));
        const LiveClaim claim;
        QVERIFY(store.markInterrupted(1000.0)->empty());
        const auto refused = store.claim(uuid(1), claim.owner(), 1000.0);
        QCOMPARE(codeOf(refused), std::string("run.elsewhere"));
        QVERIFY(describe(refused.error()).find("--take-over") != std::string::npos);
        QVERIFY(library.reader().run(uuid(1)).value() == run);
        QVERIFY(store.claim(uuid(1), claim.owner(), 1000.0, true).value() == RunState::Interrupted);
        QVERIFY(library.reader().run(uuid(1))->owner == claim.owner());
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
#include "test_run_store.moc"
