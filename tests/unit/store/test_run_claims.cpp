// SPDX-License-Identifier: GPL-3.0-or-later
// Who answers for a run: runs whose process is gone, runs that are taken over, and writers that lost their claim.
#include "tests/support/numeric.h"
#include "tests/unit/store/store_fixture.h"

namespace test_run_claims {
using namespace accumulus;
using namespace accumulus::test;

class TestRunClaims : public QObject {
    Q_OBJECT

private Q_SLOTS:
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

    // What is in the Trash is about to be deleted.
    void aRunInTheTrashIsNotClaimed() {
        const LibraryFolder library;
        auto store = library.store();
        REQUIRE(store.addRun(makeRun()));
        REQUIRE(store.setState(uuid(1), RunState::Stopped));
        REQUIRE(store.moveToTrash(std::vector{uuid(1)}, 50.0));
        const LiveClaim claim;
        QCOMPARE(codeOf(store.claim(uuid(1), claim.owner(), 100.0)), std::string("run.in-trash"));
        QCOMPARE(codeOf(store.claim(uuid(1), claim.owner(), 100.0, true)), std::string("run.in-trash"));
        const auto run = library.reader().run(uuid(1)).value();
        QVERIFY(run.state == RunState::Stopped && run.trashed && !canResume(run));
        REQUIRE(store.restoreFromTrash(std::vector{uuid(1)}));
        QVERIFY(canResume(library.reader().run(uuid(1)).value()));
        QVERIFY(store.claim(uuid(1), claim.owner(), 100.0).value() == RunState::Stopped);
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
};

QTEST_APPLESS_MAIN(TestRunClaims)
} // namespace test_run_claims
#include "test_run_claims.moc"
