// SPDX-License-Identifier: GPL-3.0-or-later
// Libraries of every released version are understood, and the scripts that made their tables never change.
#include "core/store/comparison_records.h"
#include "core/store/connection.h"
#include "core/store/migrations.h"
#include "tests/support/numeric.h"
#include "tests/unit/store/store_fixture.h"

namespace test_library_versions {
using namespace accumulus;
using namespace accumulus::test;
namespace fs = std::filesystem;

namespace {

/// The file of that version as SQL text; empty when there is none.
std::string dumpOf(std::size_t version) {
    return fileContent(fs::path(qEnvironmentVariable("ACCUMULUS_SOURCE").toStdString()) /
                       fmt::format("tests/unit/store/library_v{}.sql", version));
}

void restore(const LibraryFolder& folder, std::size_t version) {
    const std::string script = dumpOf(version);
    QVERIFY2(!script.empty(), "ACCUMULUS_SOURCE must name the source folder");
    SQLite::Database(folder.file().string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE).exec(script);
}

} // namespace

class TestLibraryVersions : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// A file of version 1 as it was released; every later version must open it. New versions add a dump of their own.
    void version1IsUnderstood() {
        const LibraryFolder folder;
        restore(folder, 1);
        REQUIRE(Library::open(folder.file(), Library::Mode::Write));
        auto reader = folder.reader();
        const RunRecord run = reader.run("a0000001").value();
        RunRecord stored = makeRun(1, makeStudy().id);
        stored.configHash = "4700f5d7b3ddd15e27c52291a1b692ee"; // as stored, however hashes are made today
        stored.pairHash = "0e91e428cb21133c3560f90590b009ea";
        stored.owner = {}; // not known in version 1
        stored.tags = {"first"};
        stored.summary.updates = 3;
        stored.summary.microSteps = 24;
        stored.summary.samples = 750;
        stored.summary.activeSeconds = 1.5;
        stored.summary.peakBytes = makeWindow(3).peakBytes;
        stored.lowestLoss = makeEvaluation(2).loss;
        stored.testCount = makeEvaluation(2).count;
        stored.checkpointBytes = reader.checkpoints(run.id).value().front().bytes;
        QVERIFY(run == stored);
        QVERIFY(reader.study(makeStudy().id).value() == makeStudy());
        auto expected = makeWindows(1, 3);
        expected[1].update.reset();
        for (WindowRecord& window : expected) { // not known in version 1
            window.clippedNorm = window.gradNorm;
            window.microBatch = window.lastMicroBatch = window.leftOut = 0;
            window.dataSeconds = window.forwardSeconds = window.backwardSeconds = window.commitSeconds =
                window.updateSeconds = 0.0;
        }
        QVERIFY(reader.windows(run.id).value() == expected);
        QVERIFY(reader.evaluations(run.id).value() == std::vector{makeEvaluation(2)});
        QCOMPARE(reader.events(run.id).value().front().text, std::string("It's started"));
        QCOMPARE(reader.checkpoints(run.id).value().front().weightsHash, std::string("cafe"));
    }

    /// Version 2 knows which process answers for a run; the rest is as in version 1.
    void version2IsUnderstood() {
        const LibraryFolder folder;
        restore(folder, 2);
        REQUIRE(Library::open(folder.file(), Library::Mode::Write));
        auto reader = folder.reader();
        QCOMPARE(reader.runs().value().size(), std::size_t{2});
        QVERIFY(reader.run("a0000001").value().owner == RunOwner{});
        const RunRecord run = reader.run("a0000002").value();
        QVERIFY((run.owner == RunOwner{.pid = 4711, .started = 815, .host = "another computer"}));
        QVERIFY(run.state == RunState::Running);
        QVERIFY(run.config == makeRun().config); // settings of later versions have their defaults
        const WindowRecord window = reader.windows(run.id).value().at(0);
        QVERIFY(test::compareBits(window.clippedNorm, window.gradNorm)); // not known in version 2
        QVERIFY(test::compareBits(window.forwardSeconds, 0.0));
        QVERIFY(reader.microSteps(run.id).value().empty());
    }

    /// Version 3 knows where the time of a window went, and the parameter probe.
    void version3IsUnderstood() {
        const LibraryFolder folder;
        restore(folder, 3);
        REQUIRE(Library::open(folder.file(), Library::Mode::Write));
        auto reader = folder.reader();
        const RunRecord run = reader.run("8e926d2c").value();
        RunConfig expected;
        expected.data.dataset = "digits-generated";
        expected.data.trainLimit = 96;
        expected.data.testLimit = 20;
        expected.model.name = "mlp";
        expected.batch.effective = 64;
        expected.batch.micro = 16;
        expected.batch.ramp = {{2, 32}};
        expected.train.length = {2, Extent::Unit::Updates};
        expected.evaluate.every.count = 0;
        expected.checkpoint.every.count = 0;
        expected.checkpoint.best = false;
        expected.probe.parameter = "fc3.bias";
        expected.device.lanes = expected.device.threads = 1;
        QVERIFY(run.config == expected);
        QVERIFY(run.state == RunState::Completed);
        const auto windows = reader.windows(run.id).value();
        QCOMPARE(windows.size(), std::size_t{2});
        QCOMPARE(windows[0].microSteps, std::int64_t{4});
        QCOMPARE(windows[1].microSteps, std::int64_t{2});
        QCOMPARE(windows[1].units, std::int64_t{32});
        QCOMPARE(windows[1].microBatch, std::int64_t{16});
        QVERIFY(windows[0].forwardSeconds > 0.0 && windows[0].backwardSeconds > 0.0 && windows[0].noiseS);
        const auto probed = reader.microSteps(run.id).value();
        QCOMPARE(probed.size(), std::size_t{5 + 3}); // K micro-steps and the update, for each window
        for (std::size_t step = 1; step < 4; ++step)
            QVERIFY(probed[step].values == probed[0].values);
        QVERIFY(probed[4].values != probed[0].values);
        QCOMPARE(probed[4].values.size(), std::size_t{10});
        QVERIFY(reader.study(run.study).value().config.seeds == std::vector<std::int64_t>{5});
        // Version 4 tells the peaks of training and evaluations apart and knows the data and who may write.
        QCOMPARE(run.summary.peakBytes, std::int64_t{13235568});
        QCOMPARE(run.summary.evaluationPeakBytes, std::int64_t{0});
        QVERIFY(run.datasetHash.empty() && run.owner == RunOwner{});
        QCOMPARE(reader.evaluations(run.id).value().front().peakBytes, std::int64_t{0});
    }

    /// Version 4 knows nothing of ranks.
    void version4IsUnderstood() {
        const LibraryFolder folder;
        restore(folder, 4);
        REQUIRE(Library::open(folder.file(), Library::Mode::Write));
        auto reader = folder.reader();
        const RunRecord run = reader.run("1708e0ff").value();
        QVERIFY(run.config.parallel == ParallelConfig{});
        QCOMPARE(run.summary.peakBytes, std::int64_t{11247808});
        QCOMPARE(run.summary.evaluationPeakBytes, std::int64_t{8838528});
        QCOMPARE(run.datasetHash, std::string("c962e10387058f0abf8e775f089916f0"));
        QCOMPARE(run.owner.claim, std::string());
        const auto windows = reader.windows(run.id).value();
        QCOMPARE(windows.size(), std::size_t{2});
        QCOMPARE(windows[1].microSteps, std::int64_t{2});
        QVERIFY(windows[0].ranks.empty());
        QVERIFY(reader.rankTimes(run.id).value().empty());
        QVERIFY(reader.rankTotals(run.id).value() == RankTotals());
    }

    void version5IsUnderstood() {
        const LibraryFolder folder;
        restore(folder, 5);
        REQUIRE(Library::open(folder.file(), Library::Mode::Write));
        auto reader = folder.reader();
        const RunRecord run = reader.run("3c52ddb5").value();
        QCOMPARE(run.config.batch.devices, std::int64_t{2});
        QCOMPARE(reader.windows(run.id).value().size(), std::size_t{2});
        QCOMPARE(reader.rankTimes(run.id).value().size(), std::size_t{4});
        QVERIFY(reader.launches().value().empty());
        QVERIFY(!reader.launchOf(run).value());
    }

    void version6IsUnderstood() {
        const LibraryFolder folder;
        restore(folder, 6);
        REQUIRE(Library::open(folder.file(), Library::Mode::Write));
        auto reader = folder.reader();
        const RunRecord run = reader.runs().value().front();
        QCOMPARE(reader.windows(run.id).value().size(), std::size_t{2});
        QCOMPARE(reader.launchOf(run).value().value().place.host, std::string("far"));
        QVERIFY(reader.audits(true, true).value().empty());
        QVERIFY(!reader.plan("any").value());
    }

    /// Version 7 knows audits and plans, and nothing of files that a model comes from.
    void version7IsUnderstood() {
        const LibraryFolder folder;
        restore(folder, 7);
        REQUIRE(Library::open(folder.file(), Library::Mode::Write));
        auto reader = folder.reader();
        const RunRecord run = reader.run("a80936ee").value();
        QVERIFY(run.modelFileHash.empty() && run.initialWeightsHash.empty());
        QVERIFY(run.config.model.weights.empty() && run.config.model.freeze.empty());
        QCOMPARE(reader.windows(run.id).value().size(), std::size_t{2});
        QCOMPARE(reader.evaluations(run.id).value().size(), std::size_t{1});
        QCOMPARE(reader.audits(true, true).value().size(), std::size_t{1});
        QVERIFY(reader.plan("9f937001094d974eb3fd9c8b934d4ba7").value());
    }

    /// Version 8 knows no colours, protection, lowest loss (which its evaluations tell), saved comparisons or queue.
    void version8IsUnderstood() {
        const LibraryFolder folder;
        restore(folder, 8);
        REQUIRE(Library::open(folder.file(), Library::Mode::Write));
        auto reader = folder.reader();
        const RunRecord run = reader.run("08b11377").value();
        QVERIFY(run.color.empty() && !run.isProtected);
        const auto evaluations = reader.evaluations(run.id).value();
        QCOMPARE(evaluations.size(), std::size_t{1});
        QCOMPARE(run.lowestLoss, std::optional(evaluations.front().loss));
        QCOMPARE(reader.note("baseline").value(), std::string());
        QVERIFY(test::compareBits(run.summary.testAccuracy.value(), 0.15625));
        QCOMPARE(reader.windows(run.id).value().size(), std::size_t{2});
        QVERIFY(savedComparisons(reader).value().empty());
        RunStore store = folder.store();
        ComparisonRecord comparison;
        comparison.id = comparison.name = "first";
        REQUIRE(putComparison(store, comparison));
        QCOMPARE(savedComparisons(reader).value().size(), std::size_t{1});
        QVERIFY(reader.queue().value().empty());
    }

    void version10DidNotKnowTheLoadOfTheMachine() {
        const LibraryFolder folder;
        restore(folder, 10);
        REQUIRE(Library::open(folder.file(), Library::Mode::Write));
        auto reader = folder.reader();
        const auto run = reader.run("3c390110-07c1");
        REQUIRE(run);
        QVERIFY(!run->summary.othersShare);
    }

    void version11SmoothedEveryComparisonAlike() {
        const LibraryFolder folder;
        restore(folder, 11);
        REQUIRE(Library::open(folder.file(), Library::Mode::Write));
        auto reader = folder.reader();
        const auto saved = savedComparisons(reader).value();
        QCOMPARE(saved.size(), std::size_t{1});
        QCOMPARE(saved.front().smoothing, std::string("ema 0.95"));
        QCOMPARE(saved.front().band, std::string("sd"));
    }

    void version12DidNotSayHowManySamplesWereEvaluated() {
        const LibraryFolder folder;
        restore(folder, 12);
        REQUIRE(Library::open(folder.file(), Library::Mode::Write));
        auto reader = folder.reader();
        const auto run = reader.run("176169b7");
        REQUIRE(run);
        QCOMPARE(run->testCount, 20);
        QCOMPARE(run->validationCount, 30);
    }

    void everyOlderVersionHasADump() {
        // Whoever adds a version adds a file of the one before, whose script may not change any more.
        for (std::size_t version = 1; version < migrations().size(); ++version)
            QVERIFY2(!dumpOf(version).empty(), qPrintable(QStringLiteral("no library_v%1.sql").arg(version)));
    }

    void tablesAreThoseOfTheirVersion() {
        // The released scripts may not change: after the first n of them the tables are those of the dump of version n.
        const auto schemaOf = [](SQLite::Database& database) {
            std::string text;
            SQLite::Statement query(database, "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name");
            while (query.executeStep())
                text += query.getColumn(0).getString() + "\n";
            return text;
        };
        SQLite::Database now(":memory:", SQLite::OPEN_READWRITE);
        for (std::size_t version = 1; version <= migrations().size(); ++version) {
            now.exec(migrations()[version - 1]);
            if (dumpOf(version).empty()) // only the newest may be without
                break;
            SQLite::Database old(":memory:", SQLite::OPEN_READWRITE);
            old.exec(dumpOf(version));
            QCOMPARE(schemaOf(now), schemaOf(old));
        }
    }
};

QTEST_APPLESS_MAIN(TestLibraryVersions)
} // namespace test_library_versions
#include "test_library_versions.moc"
