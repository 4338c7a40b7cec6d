// SPDX-License-Identifier: GPL-3.0-or-later
// Windows, evaluations, events and checkpoints: what is written is what is read, also after resumes and when training
// broke.
#include "core/base/measured_values.h"
#include "core/store/connection.h"
#include "tests/support/numeric.h"
#include "tests/unit/store/store_fixture.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <span>
#include <variant>
#include <vector>

namespace test_run_store_training {
using namespace accumulus;
using namespace accumulus::test;

namespace {

/// Bytes of a record in runs of 8 or more that belong to no member of the table: shorter ones are padding.
template <class Record>
std::size_t uncoveredBytes(std::span<const MeasuredValue<Record>> values) {
    const Record record;
    const auto* begin = reinterpret_cast<const char*>(&record);
    std::vector<bool> covered(sizeof(Record), false);
    for (const MeasuredValue<Record>& value : values)
        std::visit(
            [&](auto member) {
                const auto* place = reinterpret_cast<const char*>(&(record.*member));
                std::fill_n(covered.begin() + (place - begin), sizeof(record.*member), true);
            },
            value.member);
    std::size_t uncovered = 0;
    for (auto gap = std::ranges::find(covered, false); gap != covered.end();) {
        const auto end = std::find(gap, covered.end(), true);
        uncovered += end - gap >= 8 ? std::size_t(end - gap) : 0;
        gap = std::find(end, covered.end(), false);
    }
    return uncovered;
}

} // namespace

class TestRunStoreTraining : public QObject {
    Q_OBJECT

private Q_SLOTS:
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
        const CheckpointRecord last{CheckpointKind::Last,
                                    235,
                                    58750,
                                    (folder / "last.safetensors").string(),
                                    (folder / "last.resume").string(),
                                    "h2",
                                    11,
                                    6.5};
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
        // The run's last checkpoint is one that is there.
        RunSummary summary;
        summary.checkpoint = best.weightsPath;
        REQUIRE(store.addCheckpoint(run.id, best));
        REQUIRE(store.finishRun(run.id, RunState::Completed, summary, 9.0));
        REQUIRE(store.removeCheckpoint(run.id, best.weightsPath));
        QCOMPARE(reader.run(run.id).value().summary.checkpoint, last.weightsPath);
        // Written again under the same name: one row, the new one.
        CheckpointRecord newer = last;
        newer.update = 300;
        REQUIRE(store.addCheckpoint(run.id, newer));
        QVERIFY(reader.checkpoints(run.id).value() == std::vector{newer});
    }

    void theTableOfValuesIsTheNewestSchema() {
        const LibraryFolder library;
        (void)library.store();
        const SQLite::Database database(library.file().string());
        const auto columnsOf = [&](const std::string& table) {
            std::map<std::string, std::string> columns;
            SQLite::Statement info(database, "SELECT name, type FROM pragma_table_info('" + table + "')");
            while (info.executeStep())
                columns.emplace(info.getColumn(0).getString(), info.getColumn(1).getString());
            for (const char* key : {"run", "attempt", "superseded"})
                columns.erase(key);
            return columns;
        };
        const auto valuesOf = [](const auto& values) {
            std::map<std::string, std::string> columns;
            for (const auto& value : values)
                columns.emplace(value.column, value.sqlType());
            return columns;
        };
        QVERIFY(columnsOf("windows").size() > 20);
        QCOMPARE(valuesOf(windowValues()), columnsOf("windows"));
        QCOMPARE(valuesOf(evaluationValues()), columnsOf("evaluations"));
        QCOMPARE(valuesOf(rankValues()), columnsOf("rank_windows"));
    }

    /// A member of the record that has no row would be written nowhere.
    void everyMemberHasARow() {
        QCOMPARE(uncoveredBytes(windowValues()), sizeof(WindowRecord::ranks)); // which have rows of their own
        QCOMPARE(uncoveredBytes(evaluationValues()), std::size_t{0});
        QCOMPARE(uncoveredBytes(rankValues()), std::size_t{0});
        QVERIFY(uncoveredBytes(windowValues().first(windowValues().size() - 1)) > sizeof(WindowRecord::ranks));
    }

    void ranksComeBack() {
        const LibraryFolder library;
        auto store = library.store();
        const RunRecord run = makeRun();
        const RunRecord other = makeRun(2);
        REQUIRE(store.addRun(run));
        REQUIRE(store.addRun(other));
        std::vector<WindowRecord> windows;
        std::vector<RankTimes> expected;
        RankTotals totals;
        for (const WindowRecord& window : makeWindows(1, 40)) {
            windows.push_back(onRanks(window, 3));
            if (window.window % 7 == 0)
                windows.back().update.reset();
            expected.insert(expected.end(), windows.back().ranks.begin(), windows.back().ranks.end());
            totals.add(windows.back());
        }
        REQUIRE(store.addWindows(run.id, 1, windows));
        REQUIRE(store.addWindows(other.id, 1, makeWindows(1, 9)));
        auto reader = library.reader();
        QVERIFY(reader.rankTimes(run.id).value() == expected);
        QVERIFY(reader.rankTimes(run.id, 30).value() ==
                std::vector(expected.begin() + std::ptrdiff_t{30} * 3, expected.end()));
        QVERIFY(reader.rankTotals(run.id).value() == totals);
        QCOMPARE(totals.updates, 35);
        QVERIFY(reader.windows(run.id).value().front().ranks.empty()); // windows are read without them
        QVERIFY(reader.rankTimes(other.id).value().empty());           // one rank has no rows
        QVERIFY(reader.rankTotals(other.id).value() == RankTotals());
        // All or nothing: a window that was written before takes its ranks with it.
        const auto again = std::vector{onRanks(makeWindow(41), 3), onRanks(makeWindow(40), 3)};
        QVERIFY(!store.addWindows(run.id, 1, again));
        QVERIFY(reader.rankTimes(run.id).value() == expected);
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
            QVERIFY(compareBits(all.noiseS[i], *window.noiseS));
            QVERIFY(compareBits(all.noiseG2[i], *window.noiseG2));
            QVERIFY(compareBits(all.units[i], window.units));
            QVERIFY(compareBits(all.peakBytes[i], double(window.peakBytes)));
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
        QVERIFY(some.loss.empty() && some.gradNorm.empty() && some.lr.empty() && some.noiseS.empty() &&
                some.noiseG2.empty() && some.units.empty() && some.peakBytes.empty() && some.update.empty() &&
                some.epochs.empty() && some.wallTime.empty() && some.activeSeconds.empty());
        QVERIFY(compareBits(some.samples.front(), double(windows[40].samples)));
        QVERIFY(compareBits(some.samplesPerSecond.front(), 500.0));
        QCOMPARE(reader.windowColumns(run.id, MetricLoss, 50).value().size(), std::size_t{0});
    }

    // What a diverged run measured is not a number; what it does not measure stays empty.
    void divergedErrorsWereMeasured() {
        constexpr double nan = std::numeric_limits<double>::quiet_NaN();
        const LibraryFolder library;
        auto store = library.store();
        RunRecord run = makeRun();
        run.config.loss.kind = LossKind::Mse;
        REQUIRE(store.addRun(run));
        EvaluationRecord good = makeEvaluation(1);
        good.accuracy = good.top5 = std::nullopt;
        good.mae = 0.5;
        good.rmse = 0.75;
        good.r2 = std::nullopt;
        EvaluationRecord diverged = good;
        diverged.update = good.update + 1;
        diverged.loss = nan;
        diverged.mae = diverged.rmse = diverged.r2 = nan;
        REQUIRE(store.addEvaluations(run.id, 1, std::vector{good, diverged}));
        const auto back = library.reader().evaluations(run.id).value();
        QCOMPARE(back.size(), std::size_t{2});
        QVERIFY(back[0] == good);
        for (const auto& value : {back[1].mae, back[1].rmse, back[1].r2})
            QVERIFY(value && std::isnan(*value));
        QVERIFY(!back[1].accuracy && !back[1].top5);
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
        auto reader = library.reader();
        const RunSummary summary = reader.run(run.id).value().summary;
        QVERIFY(summary.finalTrainLoss && std::isnan(*summary.finalTrainLoss)); // NaN is not "not measured"
        QVERIFY(summary.testLoss && compareBits(*summary.testLoss, -infinity));
        QVERIFY(!summary.testAccuracy);
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
        const auto back = reader.windows(run.id).value();
        QVERIFY(std::isnan(back[0].loss) && std::isnan(back[0].gradNorm) && back[0].nonfinite);
        QVERIFY(compareBits(back[1].loss, infinity) && back[1].nonfinite);
        QVERIFY(std::isnan(reader.evaluations(run.id).value().front().loss));
    }

    // A library may come from anybody: files that it names outside its own folder are nobody's checkpoints.
    void pathsOutsideAreRefused() {
        for (const std::string path : {"/etc/passwd", "../library.sqlite", "run/../../library.sqlite"}) {
            const LibraryFolder library;
            auto store = library.store();
            RunRecord run = makeRun();
            run.summary.checkpoint = "/somewhere/last.safetensors";
            REQUIRE(store.addRun(run));
            CheckpointRecord checkpoint;
            checkpoint.weightsPath = "run/last.safetensors";
            REQUIRE(store.addCheckpoint(run.id, checkpoint));
            auto reader = library.reader();
            REQUIRE(reader.checkpoints(run.id));
            for (const char* column : {"weights_path", "bundle_path"}) {
                store.library().connection().database.exec(
                    fmt::format("UPDATE checkpoints SET {} = '{}'", column, path));
                QCOMPARE(codeOf(reader.checkpoints(run.id)), std::string("library.corrupt"));
            }
            QCOMPARE(reader.run(run.id)->summary.checkpoint, std::string()); // the run itself can still be seen
        }
    }
};

QTEST_APPLESS_MAIN(TestRunStoreTraining)
} // namespace test_run_store_training
#include "test_run_store_training.moc"
