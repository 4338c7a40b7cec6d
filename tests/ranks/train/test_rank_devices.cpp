// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks whose gradients lie on devices: the classes of a GPU over the CPU's memory and, where there is a GPU, on it
// (one each, or shared by all). Training is that of one such rank: every mode with every kind of window, recorded and
// not; faults, overflows, memory that runs out, and runs that go on elsewhere.
#include "core/cuda/captured_graph.h"
#include "core/cuda/device.h"
#include "tests/ranks/train/rank_trainings.h"

#include <QTest>

#include <algorithm>
#include <atomic>
#include <memory>

namespace test_rank_devices {
using namespace accumulus;
using namespace accumulus::test;

class TestRankDevices : public QObject, protected RankTrainings {
    Q_OBJECT

private:
    static void onDevice(TrainerSetup& setup, Observer&) { setup.deferred = true; }

    static RunConfig deviceConfig() {
        RunConfig config = rankConfig();
        if (gpu::count() > 0)
            config.device.kind = "cuda";
        return config;
    }

    static const char* problemOf(const Trained& trained, std::string& text) {
        text = trained.end.error ? describe(*trained.end.error) : "";
        return text.c_str();
    }

    /// On the CPU the kernels' loops add in the order of the operators; on a GPU those of LibTorch need not.
    [[nodiscard]] static double near() { return gpu::count() > 0 ? 1e-10 : tolerance; }

private Q_SLOTS:
    void initTestCase() {
        joinRanks();
        QVERIFY2(gpu::count() > 0 || !qEnvironmentVariableIsSet("ACCUMULUS_TEST_DEMANDS_GPU"), gpu::whyNone().c_str());
    }
    void cleanup() { endIfFailed(); }
    void cleanupTestCase() { leaveRanks(); }

    void everyModeIsOneRank_data() {
        QTest::addColumn<QString>("assignments");
        const QStringList captures{"off", "auto"};
        // Every mode with every window by two of the three numbers of ranks.
        const int ranks = m_ranks ? size() : 1;
        for (qsizetype mode = 0; mode < everyMode.size(); ++mode)
            for (qsizetype window = 0; window < everyWindow.size(); ++window) {
                const qsizetype turn = mode + window + ranks;
                if (turn % 3 == 0)
                    continue;
                QTest::addRow("%s, optimizer %d, capture %d, window %d", qPrintable(everyMode[mode]), int(turn % 2),
                              int(window % 2), int(window))
                    << QStringList{"parallel.mode=" + everyMode[mode], everyOptimizer[turn % 2],
                                   "device.capture=" + captures[window % 2], everyWindow[window]}
                           .join("; ");
            }
        QTest::addRow("lean zero1") << QString("parallel.mode=zero1; batch.lean=true; batch.effective=44");
        QTest::addRow("skip-micro") << QString("parallel.mode=zero2; numerics.nonfinite=skip-micro");
    }
    void everyModeIsOneRank() {
        QFETCH(QString, assignments);
        RunConfig config = deviceConfig();
        setAll(config, assignments);
        RunConfig lonely = config;
        lonely.parallel = {};
        std::string text;
        const Trained one = alone(lonely, onDevice);
        QVERIFY2(!one.end.error, problemOf(one, text));
        const Trained ranks = onRanks(config, onDevice);
        QVERIFY2(!ranks.end.error, problemOf(ranks, text));
        QVERIFY2(largestDifference(one.weights, ranks.weights) <= near(),
                 qPrintable(QString::number(largestDifference(one.weights, ranks.weights))));
        compareWindows(ranks.windows, one.windows, near());
        QCOMPARE(onRanks(config, onDevice).hash, ranks.hash);
        // In micro-step order the bits are those of one rank, if not for the norm of shards.
        const bool clipsShards = config.train.clipNorm > 0.0 && config.parallel.mode != ParallelMode::Ddp;
        if (!config.batch.lean && !clipsShards) {
            config.parallel.order = ReductionOrder::MicroSteps;
            QCOMPARE(onRanks(config, onDevice).hash, one.hash);
        }
    }

    /// Bytes and exchanges are those of ranks on CPUs.
    void exchangesAreCounted() {
        for (const ParallelMode mode : {ParallelMode::Ddp, ParallelMode::Zero1, ParallelMode::Zero2}) {
            RunConfig config = rankConfig();
            config.parallel.mode = mode;
            const Trained host = onRanks(config);
            const Trained device = onRanks(config, onDevice);
            std::string text;
            QVERIFY2(!host.end.error, problemOf(host, text));
            QVERIFY2(!device.end.error, problemOf(device, text));
            QCOMPARE(host.windows.size(), std::size_t{3});
            QCOMPARE(device.windows.size(), std::size_t{3});
            for (std::size_t i = 0; i < host.windows.size(); ++i) {
                QCOMPARE(host.windows[i].ranks.size(), static_cast<std::size_t>(size()));
                QCOMPARE(device.windows[i].ranks.size(), static_cast<std::size_t>(size()));
                for (std::size_t rank = 0; rank < host.windows[i].ranks.size(); ++rank) {
                    QVERIFY(host.windows[i].ranks[rank].exchanges > 0);
                    QCOMPARE(device.windows[i].ranks[rank].exchanges, host.windows[i].ranks[rank].exchanges);
                    QCOMPARE(device.windows[i].ranks[rank].sentBytes, host.windows[i].ranks[rank].sentBytes);
                }
            }
        }
    }

    /// Graphs are recorded where a rank adds up alone; what they do to BatchNorm's statistics is not left out.
    void microStepsAreRecorded() {
        RunConfig config = deviceConfig();
        setAll(config, "model.name=mlp; model.hidden=[16]; device.capture=on");
        const int before = gpu::capturesMade();
        std::string text;
        const Trained ranks = onRanks(config, onDevice);
        QVERIFY2(!ranks.end.error, problemOf(ranks, text));
        QVERIFY(sumOverRanks(gpu::capturesMade() - before) > 0);
        config.device.capture = CapturePolicy::Off;
        QCOMPARE(onRanks(config, onDevice).hash, ranks.hash);
        // Where gradients meet in every micro-step there is nothing to repeat.
        config.device.capture = CapturePolicy::On;
        config.parallel.mode = ParallelMode::Zero2;
        TrainerSetup setup = makeSetup(config, m_folder);
        setup.ranks = m_ranks.get();
        setup.deferred = true;
        const auto refused = Trainer::create(std::move(setup));
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, std::string("device.capture"));
        QCOMPARE(refused.error().argument("reason"), std::string("reason.capture-ranks"));
    }

    void plantedMistakesShow_data() {
        QTest::addColumn<int>("bug");
        QTest::addRow("mean over ranks of local means") << int(PlantedBug::RanksMeanOfMeans);
        QTest::addRow("local N") << int(PlantedBug::RanksLocalUnits);
        QTest::addRow("local clip") << int(PlantedBug::RanksClipAlone);
    }
    void plantedMistakesShow() {
        QFETCH(int, bug);
        RunConfig config = deviceConfig();
        config.batch.effective = 8 * size() + 4;
        if (static_cast<PlantedBug>(bug) == PlantedBug::RanksClipAlone)
            config.train.clipNorm = 0.05;
        const Trained one = alone(config, onDevice);
        const Trained wrong = onRanks(config, [bug](TrainerSetup& setup, Observer&) {
            setup.deferred = true;
            setup.bug = static_cast<PlantedBug>(bug);
        });
        QVERIFY(largestDifference(wrong.weights, one.weights) > 1e4 * near());
    }

    /// A fault, or memory that runs out, on one rank is computed again on all that need to.
    void faultsOfOneRank_data() {
        QTest::addColumn<int>("mode");
        QTest::addColumn<bool>("memory");
        for (const auto mode : {ParallelMode::Ddp, ParallelMode::Zero1, ParallelMode::Zero2})
            for (const bool memory : {false, true})
                QTest::addRow("mode %d, memory %d", int(mode), memory) << int(mode) << memory;
    }
    void faultsOfOneRank() {
        QFETCH(int, mode);
        QFETCH(bool, memory);
        RunConfig config = deviceConfig();
        config.batch.effective = 8 * 6;
        config.parallel.mode = static_cast<ParallelMode>(mode);
        const Trained good = onRanks(config, onDevice);
        for (const FaultPoint point : {FaultPoint::Backward, FaultPoint::Commit}) {
            std::atomic<bool> thrown = false;
            const Trained mended = onRanks(config, [&](TrainerSetup& setup, Observer&) {
                setup.deferred = true;
                setup.fault = [&, point](FaultPoint at, std::int64_t window, std::int64_t microStep) {
                    if (m_ranks->rank() != size() - 1 || at != point || window != 1 || microStep < 3 ||
                        thrown.exchange(true))
                        return;
                    if (memory)
                        throw std::bad_alloc();
                    throw std::runtime_error("a planted fault");
                };
            });
            std::string text;
            QVERIFY2(!mended.end.error, problemOf(mended, text));
            QCOMPARE(thrown.load(), m_ranks->rank() == size() - 1);
            QVERIFY(largestDifference(mended.weights, good.weights) <= near());
        }
    }

    void overflowsSkipTogether_data() {
        QTest::addColumn<int>("mode");
        QTest::addRow("ddp") << int(ParallelMode::Ddp);
        QTest::addRow("zero2") << int(ParallelMode::Zero2);
    }
    void overflowsSkipTogether() {
        QFETCH(int, mode);
        RunConfig config = deviceConfig();
        config.parallel.mode = static_cast<ParallelMode>(mode);
        config.numerics.precision = Precision::Fp16;
        config.numerics.lossScale = "1e30";
        config.numerics.nonfinite = NonfinitePolicy::SkipUpdate;
        config.train.length = {64, Extent::Unit::Samples};
        std::string text;
        const Trained ranks = onRanks(config, onDevice);
        QVERIFY2(!ranks.end.error, problemOf(ranks, text));
        QCOMPARE(ranks.end.summary.updates, 0);
        config.numerics.lossScale = "dynamic";
        const Trained falls = onRanks(config, onDevice);
        for (const std::string& told : m_ranks->gather(falls.hash))
            QCOMPARE(told, falls.hash);
    }

    /// Stopped inside a window or between two, and continued: on devices, and from devices to CPUs.
    void stoppedRunsGoOn_data() {
        QTest::addColumn<int>("mode");
        QTest::addColumn<bool>("inWindow");
        for (const auto mode : {ParallelMode::Ddp, ParallelMode::Zero1, ParallelMode::Zero2})
            for (const bool inWindow : {false, true})
                QTest::addRow("mode %d, %d", int(mode), inWindow) << int(mode) << inWindow;
    }
    void stoppedRunsGoOn() {
        QFETCH(int, mode);
        QFETCH(bool, inWindow);
        RunConfig config = deviceConfig();
        config.parallel.mode = static_cast<ParallelMode>(mode);
        config.optimizer.name = OptimizerKind::AdamW;
        config.batch.effective = 8 * 6;
        const Trained whole = onRanks(config, onDevice);
        const Trained stopped = onRanks(config, [&](TrainerSetup& setup, Observer& observer) {
            setup.deferred = true;
            if (inWindow)
                observer.stopsNowAfter = 1;
            else
                observer.stopAfterUpdates = 1;
        });
        QVERIFY(stopped.end.stopped);
        const std::string bundle =
            m_ranks->gather(stopped.checkpoints.empty() ? std::string() : stopped.checkpoints.back().bundlePath)
                .front();
        QVERIFY(!bundle.empty());
        QCOMPARE(openMicroSteps(bundle), inWindow ? size() : 0);
        const Trained resumed = train(config, m_ranks.get(), onDevice, bundle);
        QCOMPARE(resumed.hash, whole.hash);
        compareGoingOn(resumed.windows, whole.windows);
        RunConfig onCpu = config;
        onCpu.device.kind = "cpu";
        const Trained moved = train(onCpu, m_ranks.get(), {}, bundle);
        QVERIFY(largestDifference(moved.weights, whole.weights) <= near());
        compareGoingOn(moved.windows, whole.windows, near());
    }
};

QTEST_GUILESS_MAIN(TestRankDevices)
} // namespace test_rank_devices
#include "test_rank_devices.moc"
