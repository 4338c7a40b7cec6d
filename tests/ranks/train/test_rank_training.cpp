// SPDX-License-Identifier: GPL-3.0-or-later
// Training on several ranks is training on one: every mode, optimizer and kind of window against the same run alone;
// what is kept where, and the mistakes of trap T24. Every rank runs both and compares.
#include "core/config/config_fields.h"
#include "core/data/mapped_file.h"
#include "core/engine/batch_source.h"
#include "core/engine/engine.h"
#include "tests/ranks/train/rank_trainings.h"
#include "tests/support/small_nets.h"
#include "tests/support/training.h"

#include <ATen/ATen.h>
#include <QTest>

#include <memory>

namespace test_rank_training {
using namespace accumulus;
using namespace accumulus::test;

class TestRankTraining : public QObject, protected RankTrainings {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { joinRanks(); }

    void cleanup() { endIfFailed(); }

    void cleanupTestCase() { leaveRanks(); }

    void everyModeIsOneRank_data() {
        QTest::addColumn<QString>("assignments");
        // Every mode with every kind of window, each of both with both optimizers, and what an odd number of ranks
        // leaves out of all threes is run by an even one.
        for (qsizetype mode = 0; mode < everyMode.size(); ++mode)
            for (qsizetype window = 0; window < everyWindow.size(); ++window) {
                const qsizetype turn = (mode + window + (m_ranks ? size() : 1)) % everyOptimizer.size();
                const qsizetype optimizer = everyWindow[window].startsWith(batchNormWindow) ? 0 : turn;
                QTest::addRow("%s, optimizer %d, window %d", qPrintable(everyMode[mode]), int(optimizer), int(window))
                    << "parallel.mode=" + everyMode[mode] + "; " + everyOptimizer[optimizer] + "; " +
                           everyWindow[window];
            }
        QTest::addRow("lean ddp") << QString("parallel.mode=ddp; batch.lean=true; train.clip_norm=0.05");
        QTest::addRow("lean zero1") << QString("parallel.mode=zero1; batch.lean=true; batch.effective=44");
        QTest::addRow("skip-micro") << QString("parallel.mode=ddp; numerics.nonfinite=skip-micro");
    }
    void everyModeIsOneRank() {
        QFETCH(QString, assignments);
        RunConfig config = rankConfig();
        setAll(config, assignments);
        const Trained& one = aloneOnce(config);
        QVERIFY2(!one.end.error, one.end.error ? describe(*one.end.error).c_str() : "");
        const Trained ranks = onRanks(config);
        QVERIFY2(!ranks.end.error, ranks.end.error ? describe(*ranks.end.error).c_str() : "");
        QVERIFY2(largestDifference(one.weights, ranks.weights) <= tolerance,
                 qPrintable(QString::number(largestDifference(one.weights, ranks.weights))));
        compareWindows(ranks.windows, one.windows);
        QCOMPARE(ranks.end.summary.testAccuracy, one.end.summary.testAccuracy);
        QVERIFY(areClose(*ranks.end.summary.testLoss, *one.end.summary.testLoss));

        // Again, the same bits; in micro-step order those of one rank.
        QCOMPARE(onRanks(config).hash, ranks.hash);
        if (!config.batch.lean) {
            config.parallel.order = ReductionOrder::MicroSteps;
            QCOMPARE(onRanks(config).hash, one.hash);
        }
    }

    void zero1HasTheBitsOfDdp() {
        RunConfig config = rankConfig();
        config.train.clipNorm = 0.05;
        const std::string ddp = onRanks(config).hash;
        config.parallel.mode = ParallelMode::Zero1;
        QCOMPARE(onRanks(config).hash, ddp);
    }

    /// (R, k) in {(1, 4), (2, 2), (4, 1)}: micro-batches of m are one batch of 4 m.
    void itIsTheLargeBatch() {
        for (const ParallelMode mode : {ParallelMode::Ddp, ParallelMode::Zero1, ParallelMode::Zero2}) {
            RunConfig config = rankConfig();
            config.parallel.mode = mode;
            config.train.clipNorm = 0.05;
            const Trained ranks = onRanks(config);
            config.batch.micro = config.batch.effective;
            const Trained& large = aloneOnce(config);
            QCOMPARE(large.windows.front().microSteps, 1);
            QCOMPARE(ranks.windows.front().microSteps, 4);
            QVERIFY(largestDifference(ranks.weights, large.weights) <= tolerance);
        }
    }

    void lanesInsideRanksKeepTheBits() {
        for (const ParallelMode mode : {ParallelMode::Ddp, ParallelMode::Zero2}) {
            RunConfig config = rankConfig();
            config.batch.effective = 96;
            config.parallel.mode = mode;
            const std::string one = onRanks(config).hash;
            const auto twoLanes = [](TrainerSetup& setup, Observer&) { setup.lanes = {2, 1}; };
            QCOMPARE(onRanks(config, twoLanes).hash, one);
        }
    }

    void stateIsSharedOut() {
        for (const ParallelMode mode : {ParallelMode::Ddp, ParallelMode::Zero1, ParallelMode::Zero2}) {
            RunConfig config = rankConfig();
            config.parallel.mode = mode;
            config.optimizer.name = OptimizerKind::AdamW;
            TrainerSetup setup = makeSetup(config, m_folder);
            setup.ranks = m_ranks.get();
            const auto model = modelOf(setup, at::kCPU).value();
            Engine engine(setup, resolveBatch(config.batch).value(), model, at::kCPU);
            const std::int64_t whole = model->layout().flatSize();
            for (const auto& [name, tensor] : engine.state().optimizer.state()) {
                if (mode == ParallelMode::Ddp) {
                    QCOMPARE(tensor.numel(), whole);
                } else {
                    QCOMPARE(sumOverRanks(tensor.numel()), whole);
                    QVERIFY(tensor.numel() <= whole / size() + 4096);
                }
            }
            const std::int64_t sums = engine.state().window.sums().accumulator().numel();
            if (mode == ParallelMode::Zero2)
                QVERIFY(sums <= whole / size() + 4096);
            else
                QCOMPARE(sums, whole);
        }
    }

    /// N needs no communication: every rank can draw all samples of a window and count their units.
    void unitsAreKnownWithoutAsking() {
        RunConfig config = rankConfig();
        setAll(config, "model.name=bert-mini; data.dataset=tinyshakespeare; data.block=16; model.layers=1; "
                       "model.width=32; loss.normalise=tokens");
        const Trained ranks = onRanks(config);
        TrainerSetup setup = makeSetup(config, m_folder);
        WindowPlanner planner(resolveBatch(config.batch).value(), config.batch.tail, setup.data->trainCount(),
                              config.data.shuffle, setup.seed, 0);
        const BatchSource source(*setup.data, DataPart::Train, Task::MaskedToken, false, at::kDouble, 8);
        for (const WindowRecord& window : ranks.windows) {
            const auto plan = planner.next(window.window - 1);
            QCOMPARE(source.bearing({setup.seed, plan->ids, plan->epochs}).targets, window.units);
        }
    }

    // Trap T24.
    void plantedMistakesShow_data() {
        QTest::addColumn<int>("bug");
        QTest::addRow("mean over ranks of local means") << int(PlantedBug::RanksMeanOfMeans);
        QTest::addRow("local N") << int(PlantedBug::RanksLocalUnits);
        QTest::addRow("local clip") << int(PlantedBug::RanksClipAlone);
        QTest::addRow("reduction per micro-step") << int(PlantedBug::ReducesEachMicroStep);
    }
    void plantedMistakesShow() {
        QFETCH(int, bug);
        RunConfig config = rankConfig();
        config.batch.effective = 8 * size() + 4;                        // the first rank has more to do than the last
        if (static_cast<PlantedBug>(bug) == PlantedBug::RanksClipAlone) // it would hide a wrong factor
            config.train.clipNorm = 0.05;
        const Trained& one = aloneOnce(config);
        const Trained wrong =
            onRanks(config, [bug](TrainerSetup& setup, Observer&) { setup.bug = static_cast<PlantedBug>(bug); });
        if (static_cast<PlantedBug>(bug) == PlantedBug::ReducesEachMicroStep)
            QVERIFY(wrong.windows[1].ranks.front().exchanges > 2);
        else
            QVERIFY(largestDifference(wrong.weights, one.weights) > 1e6 * tolerance);
    }

    /// The probe stands still until the update (S8), whichever rank computes the micro-step.
    void theProbeStandsStill() {
        RunConfig config = rankConfig();
        config.probe.parameter = "0.bias";
        TrainerSetup setup = makeSetup(config, m_folder);
        config.probe.parameter = modelOf(setup, at::kCPU).value()->layout().specs()[1].name;
        const Trained ranks = onRanks(config);
        const std::int64_t steps = 4;
        QCOMPARE(std::ssize(ranks.probes), 3 * (steps + 1));
        for (std::int64_t i = 0; i < std::ssize(ranks.probes); ++i) {
            const MicroStepRecord& probe = ranks.probes[static_cast<std::size_t>(i)];
            QCOMPARE(probe.window, i / (steps + 1) + 1);
            QCOMPARE(probe.microStep, i % (steps + 1));
            if (i == 0)
                continue;
            const bool moved = probe.values != ranks.probes[static_cast<std::size_t>(i - 1)].values;
            QCOMPARE(moved, probe.microStep == steps);
        }
    }

    // Of files larger than memory each rank asks for what it will read, not for what the others do.
    void eachRankReadsItsOwnAhead() {
        constexpr std::int64_t samples = 104, numbers = 48, validation = 8;
        RunConfig config = rankConfig();
        config.data.dataset = "tensors";
        config.data.testLimit = 0;
        config.data.trainLimit = 0;
        config.data.validation = validation;
        config.data.path = m_folder.filePath("large.safetensors").toStdString();
        config.model.name = "mlp";
        config.model.hidden = {8};
        {
            const std::string header = R"({"inputs":{"dtype":"F32","shape":[104,48],"data_offsets":[0,19968]},)"
                                       R"("targets":{"dtype":"U8","shape":[104],"data_offsets":[19968,20072]}})";
            std::ofstream file(config.data.path, std::ios::binary);
            for (std::size_t i = 0; i < 8; ++i)
                file << static_cast<char>(header.size() >> (8 * i) & 0xFF);
            file << header;
            for (std::int64_t i = 0; i < samples * numbers; ++i) {
                const float number = static_cast<float>(i * i % 101) / 50.0F - 1.0F;
                file.write(reinterpret_cast<const char*>(&number), sizeof number);
            }
            for (std::int64_t i = 0; i < samples; ++i)
                file << static_cast<char>(i % 5);
        }
        const Trained whole = alone(config);
        constexpr std::int64_t ahead = 1024;
        const OtherFileLimits limits({.touched = 1024, .scanned = 1024, .ahead = ahead});
        std::shared_ptr<const MappedFile> file;
        const Trained together =
            onRanks(config, [&](TrainerSetup& setup, Observer&) { file = setup.data->trainTensors.inputs.file; });
        QVERIFY(!together.end.error);
        QVERIFY(largestDifference(together.weights, whole.weights) <= tolerance);
        // 3 windows of 4 micro-steps of 8 samples, and the evaluation.
        const std::int64_t own = 3 * 8 * (4 / size() + (m_ranks->rank() < 4 % size() ? 1 : 0));
        const std::int64_t sample = numbers * 4;
        const std::int64_t most = own * sample + ahead + 2 * validation * (sample + 1);
        QVERIFY2(file->bytesAsked() <= most, qPrintable(QString("%1 > %2").arg(file->bytesAsked()).arg(most)));
    }
};

QTEST_GUILESS_MAIN(TestRankTraining)
} // namespace test_rank_training
#include "test_rank_training.moc"
