// SPDX-License-Identifier: GPL-3.0-or-later
// Several attempts at one run: what a resume goes back behind is superseded, and counters, ranks, evaluations and
// checkpoints follow.
#include "tests/support/numeric.h"
#include "tests/unit/store/store_fixture.h"

namespace test_run_store_resumes {
using namespace accumulus;
using namespace accumulus::test;

class TestRunStoreResumes : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theLowestLossIsThatOfTheEvaluations() {
        const LibraryFolder library;
        auto store = library.store();
        const RunRecord run = makeRun();
        REQUIRE(store.addRun(run));
        const auto lowest = [&] { return library.reader().run(run.id)->lowestLoss; };
        QVERIFY(!lowest());
        const auto evaluation = [](std::int64_t update, double loss, const std::string& split) {
            EvaluationRecord record = makeEvaluation(update);
            record.loss = loss;
            record.split = split;
            return record;
        };
        REQUIRE(store.addEvaluations(run.id, 1, std::vector{evaluation(1, 0.5, "test"), evaluation(2, 0.3, "test")}));
        REQUIRE(store.addEvaluations(run.id, 1, std::vector{evaluation(3, 0.4, "test")}));
        QCOMPARE(lowest(), std::optional(0.3));
        REQUIRE(store.supersede(run.id, 1, 1)); // goes back to the first
        QCOMPARE(lowest(), std::optional(0.5));
        // What was chosen by tells, where there is such a thing.
        REQUIRE(store.addEvaluations(run.id, 2, std::vector{evaluation(2, 0.7, "validation")}));
        QCOMPARE(lowest(), std::optional(0.7));
    }

    // A window that was stopped in its middle and went on in the next attempt, and one that began anew.
    void probesOfAWindowMayBelongToTwoAttempts() {
        const LibraryFolder library;
        auto store = library.store();
        REQUIRE(store.addRun(makeRun(1)));
        REQUIRE(
            store.addMicroSteps(uuid(1), 1, std::vector<MicroStepRecord>{{7, 0, {1.0}}, {7, 1, {1.0}}, {8, 0, {2.0}}}));
        REQUIRE(store.supersede(uuid(1), 6, 6));
        QVERIFY(library.reader().microSteps(uuid(1)).value() ==
                (std::vector<MicroStepRecord>{{7, 0, {1.0}}, {7, 1, {1.0}}})); // what comes after it was given up
        REQUIRE(
            store.addMicroSteps(uuid(1), 2, std::vector<MicroStepRecord>{{7, 2, {1.0}}, {7, 3, {2.0}}, {8, 0, {3.0}}}));
        const auto rows = library.reader().microSteps(uuid(1)).value();
        QVERIFY(rows == (std::vector<MicroStepRecord>{
                            {7, 0, {1.0}}, {7, 1, {1.0}}, {7, 2, {1.0}}, {7, 3, {2.0}}, {8, 0, {3.0}}}));
    }

    /// Back from 10 to 6, on to 12, of which some were not logged.
    void anOutlineGoesOnOverAttempts() {
        const LibraryFolder library;
        auto store = library.store();
        const RunRecord run = makeRun();
        REQUIRE(store.addRun(run));
        REQUIRE(store.addWindows(run.id, 1, makeWindows(1, 10)));
        REQUIRE(store.supersede(run.id, 6, 6));
        REQUIRE(store.addWindows(run.id, 2, makeWindows(7, 7)));
        REQUIRE(store.addWindows(run.id, 2, makeWindows(10, 14)));
        auto reader = library.reader();
        const WindowColumns all = reader.windowColumns(run.id, MetricLoss | MetricWallTime).value();
        const auto outline = [&](std::int64_t every) {
            const auto columns = reader.windowOutline(run.id, MetricAll, every).value();
            for (std::size_t i = 0, at = 0; i < columns.size(); ++i) {
                while (all.window[at] != columns.window[i])
                    ++at;
                if (columns.loss[i] != all.loss[at] || columns.wallTime[i] != all.wallTime[at] ||
                    columns.samples[i] != all.samples[at])
                    return std::vector<std::int64_t>{};
            }
            return columns.window;
        };
        QCOMPARE(outline(4), (std::vector<std::int64_t>{1, 4, 6, 7, 10, 12, 14}));
        QCOMPARE(outline(100), (std::vector<std::int64_t>{1, 6, 7, 14}));
        QCOMPARE(outline(1), all.window);
        REQUIRE(store.addRun(makeRun(2)));
        QCOMPARE(reader.windowOutline(uuid(2), MetricLoss, 4)->size(), std::size_t{0});
    }

    /// Stopped at 10 on two ranks; back to 6 on three, on to 8; back to 7 alone, on to 9.
    void ranksAreSupersededWithTheirWindows() {
        const LibraryFolder library;
        auto store = library.store();
        const RunRecord run = makeRun();
        REQUIRE(store.addRun(run));
        const auto windowsOn = [](std::int64_t first, std::int64_t last, std::int64_t ranks) {
            std::vector<WindowRecord> windows;
            for (const WindowRecord& window : makeWindows(first, last))
                windows.push_back(onRanks(window, ranks));
            return windows;
        };
        const auto ranksOf = [](const std::vector<WindowRecord>& windows) {
            std::vector<RankTimes> ranks;
            for (const WindowRecord& window : windows)
                ranks.insert(ranks.end(), window.ranks.begin(), window.ranks.end());
            return ranks;
        };
        REQUIRE(store.addWindows(run.id, 1, windowsOn(1, 10, 2)));
        REQUIRE(store.supersede(run.id, 6, 6));
        auto reader = library.reader();
        QVERIFY(reader.rankTimes(run.id).value() == ranksOf(windowsOn(1, 6, 2)));
        REQUIRE(store.addWindows(run.id, 2, windowsOn(7, 8, 3)));
        auto rows = ranksOf(windowsOn(1, 6, 2));
        const auto more = ranksOf(windowsOn(7, 8, 3));
        rows.insert(rows.end(), more.begin(), more.end());
        QVERIFY(reader.rankTimes(run.id).value() == rows);
        const RankTotals totals = reader.rankTotals(run.id).value(); // of three ranks
        QCOMPARE(totals.windows, 2);
        QCOMPARE(totals.updates, 2);
        QVERIFY(compareBits(totals.seconds, 1.0));
        QCOMPARE(totals.ranks.size(), std::size_t{3});
        QCOMPARE(totals.ranks[2].microSteps, 2 * 6);
        QVERIFY(compareBits(totals.ranks[2].forwardSeconds, 0.25 * (7 + 8)));
        REQUIRE(store.supersede(run.id, 7, 7));
        REQUIRE(store.addWindows(run.id, 3, makeWindows(8, 9)));
        QCOMPARE(reader.rankTimes(run.id).value().size(), std::size_t{6 * 2 + 3});
        QCOMPARE(reader.rankTotals(run.id).value().windows, 1);
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

    /// Stopped at 10; back to 8 and on to 12, where it is killed. A run that came to its end there says the same.
    void figuresNeedNoEnd() {
        const LibraryFolder library;
        auto store = library.store();
        const RunRecord run = makeRun();
        REQUIRE(store.addRun(run));
        const auto evaluation = [](std::int64_t update, double accuracy, const std::string& split = "test") {
            EvaluationRecord record = makeEvaluation(update);
            record.accuracy = accuracy;
            record.split = split;
            return record;
        };
        REQUIRE(store.addWindows(run.id, 1, makeWindows(1, 10)));
        REQUIRE(store.addEvaluations(run.id, 1, std::vector{evaluation(4, 0.5), evaluation(10, 0.9)}));
        auto reader = library.reader();
        RunSummary stopped = reader.run(run.id)->summary;
        QCOMPARE(stopped.testAccuracy, std::optional(0.9));
        stopped.weightsHash = "of update 10";
        REQUIRE(store.finishRun(run.id, RunState::Stopped, stopped, 9.0));
        REQUIRE(store.supersede(run.id, 8, 8));
        const RunSummary back = reader.run(run.id)->summary;
        QCOMPARE(back.testAccuracy, std::optional(0.5));
        QCOMPARE(back.bestTestAccuracy, std::optional(0.5));
        QCOMPARE(back.finalTrainLoss, std::optional(makeWindow(8).loss));
        QCOMPARE(back.weightsHash, std::string());
        REQUIRE(store.addWindows(run.id, 2, makeWindows(9, 12)));
        const std::vector last{evaluation(12, 0.4), evaluation(12, 0.25, "validation")};
        REQUIRE(store.addEvaluations(run.id, 2, last));

        RunSummary summary; // as the trainer sums it up
        summary.updates = 12;
        summary.microSteps = 12 * 8;
        summary.samples = 12 * 250;
        summary.finalTrainLoss = makeWindow(12).loss;
        summary.testLoss = summary.validationLoss = last[0].loss;
        summary.testAccuracy = 0.4;
        summary.bestTestAccuracy = 0.5;
        summary.validationAccuracy = summary.bestValidationAccuracy = 0.25;
        summary.activeSeconds = 6.0;
        summary.samplesPerSecond = 500.0;
        summary.peakBytes = makeWindow(12).peakBytes;
        QVERIFY(reader.run(run.id)->summary == summary);
        REQUIRE(store.finishRun(run.id, RunState::Completed, summary, 10.0));
        QVERIFY(reader.run(run.id)->summary == summary);
    }

    /// NaN is a figure like others, and goes when a resume goes back before it.
    void figuresOfARunThatBrokeDown() {
        constexpr double nan = std::numeric_limits<double>::quiet_NaN();
        const LibraryFolder library;
        auto store = library.store();
        const RunRecord run = makeRun();
        REQUIRE(store.addRun(run));
        auto windows = makeWindows(1, 3);
        windows[1].loss = nan;
        windows[2].units = 0; // bears no loss
        EvaluationRecord diverged = makeEvaluation(2);
        diverged.loss = nan;
        diverged.accuracy = nan;
        REQUIRE(store.addWindows(run.id, 1, windows));
        REQUIRE(store.addEvaluations(run.id, 1, std::vector{makeEvaluation(1), diverged}));
        const auto isNan = [](const std::optional<double>& value) { return value && std::isnan(*value); };
        auto reader = library.reader();
        RunSummary summary = reader.run(run.id)->summary;
        QVERIFY(isNan(summary.finalTrainLoss) && isNan(summary.testLoss) && isNan(summary.testAccuracy));
        QCOMPARE(summary.bestTestAccuracy, makeEvaluation(1).accuracy);
        REQUIRE(store.supersede(run.id, 2, 2)); // read back from the rows
        summary = reader.run(run.id)->summary;
        QVERIFY(isNan(summary.finalTrainLoss) && isNan(summary.testLoss) && isNan(summary.testAccuracy));
        QCOMPARE(summary.bestTestAccuracy, makeEvaluation(1).accuracy);
        REQUIRE(store.supersede(run.id, 1, 1));
        summary = reader.run(run.id)->summary;
        QCOMPARE(summary.finalTrainLoss, std::optional(windows[0].loss));
        QCOMPARE(summary.testLoss, std::optional(makeEvaluation(1).loss));
        REQUIRE(store.supersede(run.id, 0, 0));
        QVERIFY(reader.run(run.id)->summary.finalTrainLoss == std::nullopt);
        QVERIFY(reader.run(run.id)->summary.testAccuracy == std::nullopt);
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

    // What a resume goes back behind can no longer be gone on from.
    void bundlesBeyondAResumeAreForgotten() {
        const LibraryFolder library;
        auto store = library.store();
        REQUIRE(store.addRun(makeRun()));
        const auto add = [&](std::int64_t update, const std::string& bundle) {
            CheckpointRecord checkpoint;
            checkpoint.update = update;
            checkpoint.weightsPath = "run/" + std::to_string(update) + ".safetensors";
            checkpoint.bundlePath = bundle;
            return store.addCheckpoint(uuid(1), checkpoint);
        };
        REQUIRE(add(10, "run/10.resume"));
        REQUIRE(add(15, ""));
        REQUIRE(add(20, "run/20.resume"));
        REQUIRE(store.supersede(uuid(1), 10, 10));
        const auto left = library.reader().checkpoints(uuid(1)).value();
        QCOMPARE(left.size(), std::size_t{2});
        QCOMPARE(left[0].update, std::int64_t{10});
        QCOMPARE(left[1].update, std::int64_t{15}); // weights without a bundle stay: nobody resumes from them
    }
};

QTEST_APPLESS_MAIN(TestRunStoreResumes)
} // namespace test_run_store_resumes
#include "test_run_store_resumes.moc"
