// SPDX-License-Identifier: GPL-3.0-or-later
// Lanes that were measured are found again, for the same run on the same machine only.
#include "core/base/atomic_file.h"
#include "core/run/lane_memory.h"
#include "core/run/run_control.h"
#include "core/run/study_runner.h"
#include "core/store/run_reader.h"
#include "tests/support/study_fixture.h"

#include <QTest>

namespace test_lane_memory {
using namespace accumulus;
using namespace accumulus::test;

namespace {

RunFinished finishedRun() {
    RunFinished run;
    run.summary.peakBytes = 4'000'000;
    return run;
}

/// Lanes and threads are open.
RunConfig openLanes() {
    RunConfig config = smallStudy().run;
    config.device.lanes = config.device.threads = 0;
    return config;
}

/// Creates the library.
void create(const TemporaryLibrary& library) { QVERIFY(Library::open(library.file(), Library::Mode::Write)); }

} // namespace

class TestLaneMemory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatWasMeasuredIsFound() {
        const TemporaryLibrary library;
        create(library);
        const RunConfig config = openLanes();
        LaneMemory memory(library.file(), config, true);
        QVERIFY(!memory.find());
        memory.keep({2, 1}, finishedRun());
        QVERIFY(LaneMemory(library.file(), config, true).find() == (LanePlan{2, 1}));
        // What does not decide may differ.
        RunConfig other = config;
        other.train.length = {9, Extent::Unit::Epochs};
        other.optimizer.lr *= 2.0;
        QVERIFY(LaneMemory(library.file(), other, true).find());
        // What was found is not measured: it is not kept in the place of what was.
        LaneMemory again(library.file(), config, true);
        QVERIFY(again.find());
        again.keep({1, 2}, finishedRun());
        QVERIFY(LaneMemory(library.file(), config, true).find() == (LanePlan{2, 1}));
    }

    void otherRunsMeasureForThemselves() {
        const TemporaryLibrary library;
        create(library);
        const RunConfig config = openLanes();
        LaneMemory(library.file(), config, true).keep({2, 1}, finishedRun());
        const auto found = [&library](const RunConfig& of, bool alone = true) {
            return LaneMemory(library.file(), of, alone).find().has_value();
        };
        QVERIFY(found(config));
        QVERIFY(!found(config, false)); // on ranks
        RunConfig other = config;
        other.batch.micro /= 2;
        QVERIFY(!found(other));
        other = config;
        other.model.name = "mlp";
        QVERIFY(!found(other));
        other = config;
        other.numerics.precision = Precision::Bf16;
        QVERIFY(!found(other));
        other = config;
        other.device.memoryLimit = "1 GB";
        QVERIFY(!found(other));
        other = config;
        other.device.lanes = 2; // nothing is open
        QVERIFY(!found(other));
        other = config;
        other.optimizer.name = OptimizerKind::Adam; // two moments
        QVERIFY(!found(other));
        other = config;
        other.optimizer.momentum = 0.0; // none; openLanes() has one
        QVERIFY(config.optimizer.momentum != 0.0 && !found(other));
    }

    // A network or data that have been written anew under the same name.
    void otherFilesMeasureForThemselves() {
        const TemporaryLibrary library;
        create(library);
        const QTemporaryDir folder;
        const fs::path file = folder.filePath("net.pt").toStdString();
        for (const bool model : {true, false}) {
            RunConfig config = openLanes();
            (model ? config.model.path : config.data.path) = file.string();
            QVERIFY(writeFileAtomically(file, "one"));
            LaneMemory(library.file(), config, true).keep({2, 1}, finishedRun());
            QVERIFY(LaneMemory(library.file(), config, true).find());
            QVERIFY(writeFileAtomically(file, "another"));
            QVERIFY(!LaneMemory(library.file(), config, true).find());
        }
        RunConfig config = openLanes();
        config.data.path = folder.path().toStdString(); // what lies in it
        LaneMemory(library.file(), config, true).keep({2, 1}, finishedRun());
        QVERIFY(LaneMemory(library.file(), config, true).find());
        QVERIFY(writeFileAtomically(file, "a third"));
        QVERIFY(!LaneMemory(library.file(), config, true).find());
    }

    void onlyGoodMeasurementsAreKept() {
        const TemporaryLibrary library;
        create(library);
        const RunConfig config = openLanes();
        const auto keptAs = [&](const RunFinished& run) {
            LaneMemory(library.file(), config, true).keep({2, 1}, run);
            return LaneMemory(library.file(), config, true).find().has_value();
        };
        RunFinished run = finishedRun();
        run.summary.othersShare = 0.3;
        QVERIFY(!keptAs(run));
        run = finishedRun();
        run.state = RunState::Stopped;
        QVERIFY(!keptAs(run));
        run = finishedRun();
        run.summary.peakBytes = std::int64_t{1} << 60; // more than there is
        QVERIFY(!keptAs(run));
        QVERIFY(keptAs(finishedRun()));
        // No library, or none that can be read.
        QVERIFY(!LaneMemory(library.file() / "missing", config, true).find());
    }

    // Nothing is measured: no measurement would give three lanes of two threads.
    void aStudyTakesThem() {
        const TemporaryLibrary library;
        create(library);
        ExperimentConfig experiment = smallStudy();
        experiment.run = openLanes();
        LaneMemory(library.file(), experiment.run, true).keep({3, 2}, finishedRun());
        RunControl control;
        REQUIRE(runStudy(experiment, library.file(), control, {}));
        const auto runs = library.reader().runs().value();
        QVERIFY(!runs.empty());
        for (const RunRecord& run : runs) {
            QCOMPARE(run.lanes, run.arm == Arm::Accumulated ? std::int64_t{3} : std::int64_t{1});
            if (run.arm == Arm::Accumulated)
                QCOMPARE(run.threads, std::int64_t{2});
        }
        control.stop(); // before its first run
        const auto stopped = runStudy(experiment, library.file(), control, {});
        REQUIRE(stopped);
        QVERIFY(stopped->stopped && stopped->runs.empty());
    }
};

QTEST_GUILESS_MAIN(TestLaneMemory)
} // namespace test_lane_memory
#include "test_lane_memory.moc"
