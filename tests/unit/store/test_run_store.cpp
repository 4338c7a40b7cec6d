// SPDX-License-Identifier: GPL-3.0-or-later
// What is written is what is read: every record type, resumes, and finding runs again.
#include "tests/support/numeric.h"
#include "tests/unit/store/store_fixture.h"

#include <cmath>
#include <limits>

using namespace accumulus;
using namespace accumulus::test;

class TestRunStore : public QObject {
    Q_OBJECT

private Q_SLOTS:
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
                       .checkpoint = "/elsewhere/last.safetensors"};
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
        run.effective = 512;
        run.micro = 64;
        run.steps = 9;
        run.lanes = 3;
        run.threads = 4;
        run.trainSamples = 1234;
        run.totalUpdates = 99;
        run.environment.device = "another device";
        run.attempt = 2;
        run.startedAt = 1700000005.0;
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

    void measurementsComeBack() {
        const LibraryFolder library;
        auto store = library.store();
        const RunRecord run = makeRun();
        REQUIRE(store.addRun(run));
        auto windows = makeWindows(1, 300);
        windows[7].update.reset();
        windows[7].noiseS.reset();
        windows[7].noiseG2.reset();
        windows[7].tokens = 77;
        windows[7].lossScale = 1024.5;
        const std::vector evaluations{makeEvaluation(0), makeEvaluation(235)};
        const std::vector<EventRecord> events{{1.5, "info", "run.paused", "Paused", 3},
                                              {2.5, "error", "x", "später", 4}};
        const auto folder = store.library().runFolder(run.id);
        const CheckpointRecord best{
            CheckpointKind::Best, 200, 50000, (folder / "best.safetensors").string(), "", "h1", 10, 5.5};
        const CheckpointRecord last{CheckpointKind::Last, 235,  58750, "/other/last.safetensors",
                                    "/other/last.bundle", "h2", 11,    6.5};
        REQUIRE(store.addWindows(run.id, 1, windows));
        REQUIRE(store.addEvaluations(run.id, 1, evaluations));
        REQUIRE(store.addEvents(run.id, events));
        REQUIRE(store.addCheckpoint(run.id, last));
        REQUIRE(store.addCheckpoint(run.id, best));

        auto reader = library.reader();
        QVERIFY(reader.windows(run.id).value() == windows);
        QVERIFY(reader.windows(run.id, 290).value() == std::vector(windows.begin() + 290, windows.end()));
        QCOMPARE(reader.windowCount(run.id).value(), 300);
        QVERIFY(reader.evaluations(run.id).value() == evaluations);
        QVERIFY(reader.events(run.id).value() == events);
        QVERIFY(reader.checkpoints(run.id).value() == (std::vector{best, last}));

        REQUIRE(store.removeCheckpoint(run.id, best.weightsPath));
        QVERIFY(reader.checkpoints(run.id).value() == std::vector{last});
        // Written again under the same name: one row, the new one.
        CheckpointRecord newer = last;
        newer.update = 300;
        REQUIRE(store.addCheckpoint(run.id, newer));
        QVERIFY(reader.checkpoints(run.id).value() == std::vector{newer});
    }

    void checkpointsMoveWithTheLibrary() {
        const LibraryFolder library;
        const RunRecord run = makeRun();
        {
            auto store = library.store();
            REQUIRE(store.addRun(run));
            CheckpointRecord checkpoint;
            checkpoint.weightsPath = (store.library().runFolder(run.id) / "last.safetensors").string();
            REQUIRE(store.addCheckpoint(run.id, checkpoint));
        }
        const auto elsewhere = library.folder() / "moved.sqlite";
        std::filesystem::rename(library.file(), elsewhere);
        RunReader reader(Library::open(elsewhere, Library::Mode::Read).value());
        const auto expected = library.folder() / "moved.sqlite.files" / run.id / "last.safetensors";
        QCOMPARE(reader.checkpoints(run.id).value().front().weightsPath, expected.string());
    }

    void columnsAreTheRows() {
        const LibraryFolder library;
        auto store = library.store();
        const RunRecord run = makeRun();
        REQUIRE(store.addRun(run));
        auto windows = makeWindows(1, 50);
        windows[4].update.reset();
        windows[6].seconds = 0.0;
        REQUIRE(store.addWindows(run.id, 1, windows));
        auto reader = library.reader();
        const WindowColumns all = reader.windowColumns(run.id).value();
        QCOMPARE(all.size(), std::size_t{50});
        for (std::size_t i = 0; i < all.size(); ++i) {
            const WindowRecord& window = windows[i];
            QCOMPARE(all.window[i], window.window);
            QVERIFY(compareBits(all.samples[i], double(window.samples)));
            QVERIFY(compareBits(all.epochs[i], window.epochPosition));
            QVERIFY(compareBits(all.wallTime[i], window.wallTime));
            QVERIFY(compareBits(all.activeSeconds[i], window.activeSeconds));
            QVERIFY(compareBits(all.loss[i], window.loss));
            QVERIFY(compareBits(all.gradNorm[i], window.gradNorm));
            QVERIFY(compareBits(all.lr[i], window.lr));
            if (i == 4)
                QVERIFY(std::isnan(all.update[i]));
            else
                QVERIFY(compareBits(all.update[i], double(window.window)));
            if (i == 6)
                QVERIFY(std::isnan(all.samplesPerSecond[i]));
            else
                QVERIFY(compareBits(all.samplesPerSecond[i], 500.0)); // 250 samples in 0.5 s, exact
        }
        // Only what was asked for, and the rate of the first row still knows the row before it.
        const WindowColumns some = reader.windowColumns(run.id, MetricSamplesPerSecond, 40).value();
        QCOMPARE(some.window, std::vector<std::int64_t>({41, 42, 43, 44, 45, 46, 47, 48, 49, 50}));
        QVERIFY(some.loss.empty() && some.gradNorm.empty() && some.lr.empty());
        QVERIFY(compareBits(some.samplesPerSecond.front(), 500.0));
        QCOMPARE(reader.windowColumns(run.id, MetricLoss, 50).value().size(), std::size_t{0});
    }

    void nonfiniteStaysVisible() {
        constexpr double nan = std::numeric_limits<double>::quiet_NaN();
        constexpr double infinity = std::numeric_limits<double>::infinity();
        const LibraryFolder library;
        auto store = library.store();
        RunRecord run = makeRun();
        run.summary.finalTrainLoss = nan;
        run.summary.testLoss = -infinity;
        REQUIRE(store.addRun(run));
        auto windows = makeWindows(1, 2);
        windows[0].loss = nan;
        windows[0].gradNorm = nan;
        windows[0].nonfinite = true;
        windows[1].loss = infinity;
        windows[1].nonfinite = true;
        REQUIRE(store.addWindows(run.id, 1, windows));
        EvaluationRecord evaluation = makeEvaluation(1);
        evaluation.loss = nan;
        REQUIRE(store.addEvaluations(run.id, 1, std::vector{evaluation}));
        auto reader = library.reader();
        const auto back = reader.windows(run.id).value();
        QVERIFY(std::isnan(back[0].loss) && std::isnan(back[0].gradNorm) && back[0].nonfinite);
        QVERIFY(compareBits(back[1].loss, infinity) && back[1].nonfinite);
        QVERIFY(std::isnan(reader.evaluations(run.id).value().front().loss));
        const RunSummary summary = reader.run(run.id).value().summary;
        QVERIFY(summary.finalTrainLoss && std::isnan(*summary.finalTrainLoss)); // NaN is not "not measured"
        QVERIFY(summary.testLoss && compareBits(*summary.testLoss, -infinity));
        QVERIFY(!summary.testAccuracy);
    }

    void countersFollowTheWindows() {
        const LibraryFolder library;
        auto store = library.store();
        const RunRecord run = makeRun();
        REQUIRE(store.addRun(run));
        REQUIRE(store.addWindows(run.id, 1, makeWindows(1, 40)));
        auto more = makeWindows(41, 42);
        more[1].update.reset(); // left-over samples
        REQUIRE(store.addWindows(run.id, 1, more));
        auto reader = library.reader();
        RunSummary summary = reader.run(run.id).value().summary;
        QCOMPARE(summary.updates, 41);
        QCOMPARE(summary.microSteps, 42 * 8);
        QCOMPARE(summary.samples, 42 * 250);
        QVERIFY(compareBits(summary.activeSeconds, 21.0));
        REQUIRE(store.supersede(run.id, 10, 10));
        summary = reader.run(run.id).value().summary;
        QCOMPARE(summary.updates, 10);
        QCOMPARE(summary.microSteps, 80);
        QCOMPARE(summary.samples, 2500);
        QVERIFY(compareBits(summary.activeSeconds, 5.0));
    }

    void resumeSupersedes() {
        const LibraryFolder library;
        auto store = library.store();
        const RunRecord run = makeRun();
        const RunRecord other = makeRun(2);
        REQUIRE(store.addRun(run));
        REQUIRE(store.addRun(other));
        REQUIRE(store.addWindows(other.id, 1, makeWindows(1, 60)));
        REQUIRE(store.addWindows(run.id, 1, makeWindows(1, 50)));
        REQUIRE(store.addEvaluations(run.id, 1, std::vector{makeEvaluation(20), makeEvaluation(40)}));
        // Back to 40, then on to 60; back to 30, then on to 35.
        REQUIRE(store.supersede(run.id, 40, 40));
        auto second = makeWindows(41, 60);
        for (WindowRecord& window : second)
            window.loss = 2.0;
        REQUIRE(store.addWindows(run.id, 2, second));
        auto reader = library.reader();
        auto read = reader.windows(run.id).value();
        auto expected = makeWindows(1, 40);
        expected.insert(expected.end(), second.begin(), second.end());
        QVERIFY(read == expected);
        QCOMPARE(reader.evaluations(run.id).value().size(), std::size_t{2}); // the one at 40 itself stays

        REQUIRE(store.supersede(run.id, 30, 30));
        REQUIRE(store.addWindows(run.id, 3, makeWindows(31, 35)));
        QVERIFY(reader.windows(run.id).value() == makeWindows(1, 35));
        QCOMPARE(reader.windowCount(run.id).value(), 35);
        const WindowColumns columns = reader.windowColumns(run.id, MetricSamplesPerSecond).value();
        QCOMPARE(columns.window.back(), 35);
        for (const double rate : columns.samplesPerSecond)
            QVERIFY(compareBits(rate, 500.0)); // also across the seam of two attempts
        QVERIFY(reader.evaluations(run.id).value() == std::vector{makeEvaluation(20)});
        QCOMPARE(reader.windowCount(other.id).value(), 60);
    }

    void laterEvaluationOfTheSameUpdateWins() {
        const LibraryFolder library;
        auto store = library.store();
        const RunRecord run = makeRun();
        REQUIRE(store.addRun(run));
        EvaluationRecord first = makeEvaluation(40);
        EvaluationRecord validation = first;
        validation.split = "validation";
        EvaluationRecord again = first;
        again.seconds = 9.0;
        EvaluationRecord resumed = first;
        resumed.seconds = 10.0;
        REQUIRE(store.addEvaluations(run.id, 1, std::vector{first, validation, again}));
        auto reader = library.reader();
        QVERIFY(reader.evaluations(run.id).value() == (std::vector{again, validation}));
        REQUIRE(store.addEvaluations(run.id, 2, std::vector{resumed}));
        QVERIFY(reader.evaluations(run.id).value() == (std::vector{resumed, validation}));
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
        const auto write = std::string("library.write");
        QCOMPARE(codeOf(store.addRun(makeRun())), write);                   // the same id again
        QCOMPARE(codeOf(store.addRun(makeRun(2, "no such study"))), write); // foreign key
        RunRecord climbing = makeRun(3);
        climbing.id = "../../home";
        QCOMPARE(codeOf(store.addRun(climbing)), write);
        REQUIRE(store.addWindows(uuid(1), 1, makeWindows(1, 5)));
        QCOMPARE(codeOf(store.addWindows(uuid(1), 1, makeWindows(5, 9))), write); // window 5 again
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
            REQUIRE(store.addRun(makeRun(number)));
            REQUIRE(store.setState(uuid(number), states[std::size_t(number) - 1]));
            REQUIRE(store.heartbeat(uuid(number), number == 7 ? 95.0 : 80.0));
        }
        const auto marked = store.markInterrupted(100.0, 10.0);
        REQUIRE(marked);
        QCOMPARE(*marked, std::vector({uuid(1), uuid(2), uuid(3), uuid(4)}));
        auto reader = library.reader();
        const auto run = reader.run(uuid(2)).value();
        QVERIFY(run.state == RunState::Interrupted);
        QVERIFY(compareBits(run.finishedAt, 80.0));
        QVERIFY(reader.run(uuid(7)).value().state == RunState::Running);
        QVERIFY(store.markInterrupted(100.0, 10.0).value().empty());
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
