// SPDX-License-Identifier: GPL-3.0-or-later
// Recorded micro-steps through a run: how often they are recorded, what becomes of them when memory is short, and that
// nothing that happens between two repetitions changes a bit. Without a GPU: a graph is the function that it records.
#include "tests/unit/cuda/device_paths.h"

#include "core/cuda/captured_graph.h"
#include "core/engine/autocast.h"
#include "core/engine/engine.h"
#include "core/model/model.h"

#include <ATen/ATen.h>
#include <ATen/autocast_mode.h>

namespace test_device_graphs {
using namespace accumulus;
using namespace accumulus::test;

namespace {

constexpr Path kernels{.gpu = false, .capture = CapturePolicy::Off};
constexpr Path graphs{.gpu = false, .capture = CapturePolicy::On};

/// A run with graphs, and how many it has recorded.
struct Recorded {
    Outcome outcome;
    int captures = 0;
};

Recorded record(const RunConfig& config, std::int64_t graphMemory = 0, const Path& path = graphs) {
    const QTemporaryDir folder;
    TrainerSetup setup = setupOn(path, config, folder);
    setup.graphMemory = graphMemory;
    const int before = gpu::capturesMade();
    Recorded recorded{run(std::move(setup))};
    recorded.captures = gpu::capturesMade() - before;
    return recorded;
}

Outcome withoutGraphs(const RunConfig& config) {
    const QTemporaryDir folder;
    return run(setupOn(kernels, config, folder));
}

/// Windows of 32 in micro-batches of 8; fp64, whose updates are never recorded: every capture is a micro-step's.
RunConfig ofSamples(std::int64_t samples, std::int64_t epochs) {
    RunConfig config = smallConfig(samples, 32, 8);
    config.data.testLimit = 10;
    config.model.hidden = {24};
    config.optimizer.momentum = 0.9;
    config.train.length = {epochs, Extent::Unit::Epochs};
    return config;
}

void expectSameBits(const Recorded& got, const Outcome& expected) {
    QVERIFY2(!got.outcome.end.error, got.outcome.end.error ? describe(*got.outcome.end.error).c_str() : "");
    QVERIFY(!expected.end.error);
    QVERIFY(sameBits(got.outcome.weights, expected.weights));
    QCOMPARE(got.outcome.observer.windows.size(), expected.observer.windows.size());
    for (std::size_t i = 0; i < expected.observer.windows.size(); ++i) {
        QVERIFY(compareBits(got.outcome.observer.windows[i].loss, expected.observer.windows[i].loss));
        QVERIFY(compareBits(got.outcome.observer.windows[i].gradNorm, expected.observer.windows[i].gradNorm));
    }
}

/// fp32, AdamW, clipping, a learning rate that changes at each update: both graphs.
RunConfig bothGraphs() {
    RunConfig config = ofSamples(150, 3);
    config.numerics.precision = Precision::Fp32;
    config.optimizer.name = OptimizerKind::AdamW;
    config.optimizer.lr = 1e-3;
    config.optimizer.weightDecay = 0.01;
    config.train.clipNorm = 0.5;
    config.schedule.kind = ScheduleKind::Cosine;
    return config;
}

} // namespace

class TestDeviceGraphs : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cleanup() { gpu::failNextCaptures(0); }

    // Each size once, however often an epoch ends with a short micro-batch.
    void aSizeIsRecordedOnce_data() {
        QTest::addColumn<int>("samples");
        QTest::addColumn<int>("effective");
        QTest::addColumn<int>("epochs");
        QTest::addColumn<int>("captures");
        QTest::newRow("no rest") << 128 << 32 << 3 << 1;
        QTest::newRow("a short window of 8, 8, 6") << 150 << 32 << 3 << 2;
        QTest::newRow("a short window of 6") << 134 << 32 << 3 << 2;
        QTest::newRow("each window 8, 8, 8, 6") << 150 << 30 << 1 << 2;
        QTest::newRow("what comes once is not worth it") << 150 << 32 << 1 << 1;
    }

    void aSizeIsRecordedOnce() {
        QFETCH(int, samples);
        QFETCH(int, effective);
        QFETCH(int, epochs);
        QFETCH(int, captures);
        RunConfig config = ofSamples(samples, epochs);
        config.batch.effective = effective;
        const Recorded got = record(config);
        QCOMPARE(got.captures, captures);
        expectSameBits(got, withoutGraphs(config));
    }

    // Where memory allows one graph only, the size that comes more often keeps it: they do not take turns.
    void aBoundKeepsTheSizeThatComesOften() {
        for (const std::int64_t samples : {std::int64_t{150}, std::int64_t{134}}) {
            const RunConfig config = ofSamples(samples, 4);
            const Recorded got = record(config, /*graphMemory=*/1);
            QCOMPARE(got.captures, 1);
            QVERIFY(std::ranges::count(got.outcome.observer.notes, "device.not-captured") == 0);
            expectSameBits(got, withoutGraphs(config));
        }
    }

    // The least recently used size goes when another one has taken its place for good.
    void whatDoesNotComeAnyMoreMakesRoom() {
        RunConfig config = ofSamples(128, 2);
        config.batch.ramp = {RampPoint{3, 4}}; // single micro-batches of 4
        const Recorded bounded = record(config, /*graphMemory=*/1);
        QCOMPARE(bounded.captures, 2);
        expectSameBits(bounded, withoutGraphs(config));
        // Recorded after the first of them was computed kernel by kernel, whose parts the host knows.
        const auto& windows = bounded.outcome.observer.windows;
        QVERIFY(windows[2].forwardSeconds > 0.0);
        QVERIFY(windows[3].forwardSeconds == 0.0 && windows.back().forwardSeconds == 0.0);
    }

    // A second size that cannot be recorded is computed without a graph; the first keeps its own.
    void aSecondSizeMayFail_data() {
        QTest::addColumn<int>("failure");
        QTest::newRow("out of memory") << int(gpu::CaptureFailure::OutOfMemory);
        QTest::newRow("refused") << int(gpu::CaptureFailure::Refused);
    }

    void aSecondSizeMayFail() {
        QFETCH(int, failure);
        const RunConfig config = ofSamples(150, 4);
        const Outcome expected = withoutGraphs(config);
        gpu::failNextCaptures(1, static_cast<gpu::CaptureFailure>(failure), /*first=*/1);
        const Recorded got = record(config);
        QCOMPARE(got.captures, 1); // and none is tried in vain in every epoch
        QVERIFY(std::ranges::count(got.outcome.observer.notes, "device.not-captured") == 0);
        expectSameBits(got, expected);
    }

    // Memory that runs out while the present size is recorded takes the graph of a size that does not come any more.
    void memoryThatRunsOutTakesTheOldest() {
        RunConfig config = ofSamples(128, 2);
        config.batch.ramp = {RampPoint{3, 4}};
        const Outcome expected = withoutGraphs(config);
        gpu::failNextCaptures(1, gpu::CaptureFailure::OutOfMemory, /*first=*/1);
        const Recorded got = record(config);
        QCOMPARE(got.captures, 2); // tried again at once, when there was room
        QVERIFY(got.outcome.observer.windows.back().forwardSeconds == 0.0);
        expectSameBits(got, expected);
    }

    // Out of memory with the first size: "auto" goes on without, "on" ends before the window is changed.
    void theFirstSizeMustFit() {
        const RunConfig config = ofSamples(128, 1);
        const Outcome expected = withoutGraphs(config);
        gpu::failNextCaptures(1, gpu::CaptureFailure::OutOfMemory);
        const Recorded automatic = record(config, 0, {.capture = CapturePolicy::Auto});
        QCOMPARE(automatic.captures, 0);
        QCOMPARE(std::ranges::count(automatic.outcome.observer.notes, "device.not-captured"), 1);
        expectSameBits(automatic, expected);
        gpu::failNextCaptures(1, gpu::CaptureFailure::OutOfMemory);
        const Recorded strict = record(config);
        QVERIFY(strict.outcome.end.error);
        QCOMPARE(strict.outcome.end.error->code, std::string("device.capture"));
        QCOMPARE(strict.outcome.end.summary.updates, std::int64_t{0});
    }

    // A leaking tail leaves micro-steps in the window that the next plan is added to: the sums need room for both.
    void sumsHaveRoomForALeakingTail() {
        RunConfig config = smallConfig(240, 160, 8); // 20 micro-steps; then 10 are left and 20 more follow
        config.data.testLimit = 10;
        config.batch.tail = TailPolicy::Leak;
        config.train.length = {3, Extent::Unit::Epochs};
        const Recorded got = record(config);
        expectSameBits(got, withoutGraphs(config));
        const auto& windows = got.outcome.observer.windows;
        QVERIFY(std::ranges::any_of(windows, [](const WindowRecord& window) { return window.microSteps == 30; }));
        // The sums have moved once; what was recorded on the old ones was recorded again.
        QCOMPARE(got.captures, 2);
    }

    // Evaluations and checkpoints between two repetitions.
    void whatComesBetweenChangesNothing() {
        const RunConfig config = bothGraphs();
        RunConfig busy = config;
        busy.evaluate.every = {1, Extent::Unit::Updates};
        busy.checkpoint.every = {2, Extent::Unit::Updates};
        const Recorded got = record(busy);
        expectSameBits(got, withoutGraphs(config));
        QVERIFY(got.outcome.observer.evaluations.size() >= 15);
        QVERIFY(got.outcome.observer.checkpoints.size() >= 7);
        QCOMPARE(got.captures, 3); // two sizes, and the update
    }

    // Autocast casts the weights anew in every repetition: with the cast of the first, updates would have no effect on
    // the forward pass.
    void autocastSeesEveryUpdate() {
        RunConfig config = bothGraphs();
        config.numerics.precision = Precision::Bf16;
        expectSameBits(record(config), withoutGraphs(config));
    }

    // Tensor cores want channels last: 16 bits on a GPU, whose kernels for it are slow in fp32 and fp64.
    void sixteenBitsOfAGpuAreChannelsLast() {
        const QTemporaryDir folder;
        RunConfig config = resnetConfig(BatchNormMode::Micro);
        const at::Device gpu(at::kCUDA, 0); // nothing is computed on it
        for (const Precision precision : {Precision::Bf16, Precision::Fp16, Precision::Fp32, Precision::Fp64}) {
            config.numerics.precision = precision;
            const bool wins = precision == Precision::Bf16 || precision == Precision::Fp16;
            const auto model = modelOf(makeSetup(config, folder), gpu).value();
            for (const ParameterSpec& spec : model->layout().specs())
                QCOMPARE(spec.channelsLast, wins && spec.shape.size() == 4);
        }
    }

    // Autocast's copies of the weights keep that order, and so do graphs.
    void channelsLastIsKept() {
        RunConfig config = resnetConfig(BatchNormMode::Micro);
        config.data.trainLimit = 16;
        config.batch.effective = 8;
        config.numerics.precision = Precision::Bf16;
        config.numerics.channelsLast = Layout::On;
        config.numerics.winograd = false; // convolutions of LibTorch
        const QTemporaryDir folder;
        const auto model = modelOf(makeSetup(config, folder), at::kCPU).value();
        const at::Tensor weights = initialWeights(model->layout(), config.model, 0).to(at::kFloat);
        {
            const AutocastScope autocast(Precision::Bf16);
            for (const at::Tensor& leaf : model->layout().leaves(weights)) {
                const at::Tensor cast = at::autocast::cached_cast(at::kBFloat16, leaf, at::kCPU);
                QCOMPARE(cast.scalar_type(), at::kBFloat16);
                QVERIFY(cast.strides() == leaf.strides());
                QVERIFY(leaf.dim() != 4 || leaf.is_contiguous(at::MemoryFormat::ChannelsLast));
            }
        }
        expectSameBits(record(config), withoutGraphs(config));
    }

    // Windows that overflow: queued updates are left out, and a dynamic scale needs no new recording.
    void overflowsAreTheSame() {
        RunConfig config = bothGraphs();
        config.numerics.precision = Precision::Fp16;
        config.numerics.lossScale = "dynamic";
        const Recorded dynamic = record(config);
        expectSameBits(dynamic, withoutGraphs(config));
        QVERIFY(dynamic.outcome.end.summary.updates > 0);
        QCOMPARE(dynamic.captures, 3);
        config.numerics.lossScale = "1e30";
        const Recorded hopeless = record(config);
        QCOMPARE(hopeless.outcome.end.summary.updates, std::int64_t{0});
        QVERIFY(sameBits(hopeless.outcome.weights, withoutGraphs(config).weights));
    }

    // Lanes are of the CPU's own path: a device has one queue.
    void lanesAreOne() {
        const RunConfig config = bothGraphs();
        const QTemporaryDir folder;
        TrainerSetup setup = setupOn(graphs, config, folder);
        setup.lanes = {3, 1};
        QVERIFY(sameBits(run(std::move(setup)).weights, withoutGraphs(config).weights));
    }

    // One process, one study after the other: nothing is left of a run, nor of a capture that failed.
    void oneRunLeavesNothingToTheNext() {
        const RunConfig config = bothGraphs();
        const Recorded first = record(config);
        RunConfig other = ofSamples(134, 2);
        other.model.name = "lenet5";
        QVERIFY(!record(other).outcome.end.error);
        gpu::failNextCaptures(1000);
        QVERIFY(!record(other, 0, {.capture = CapturePolicy::Auto}).outcome.end.error);
        gpu::failNextCaptures(0);
        const Recorded again = record(config);
        QCOMPARE(again.captures, first.captures);
        expectSameBits(again, first.outcome);
        QCOMPARE(gpu::bytesOfGraphs(at::Device(at::kCPU)), std::int64_t{0});
    }

    // Stopped in mid-window, while keys of a window are ready that never comes; another trainer goes on.
    void stoppedAndContinuedInMidWindow() {
        const RunConfig config = bothGraphs();
        const Outcome whole = withoutGraphs(config);
        struct StopsNow final : RecordingObserver {
            Wish proceed() override { return asked++ < 23 ? Wish::GoOn : Wish::StopNow; }
            int asked = 0;
        } stops;
        const QTemporaryDir folder;
        const auto first = Trainer::create(setupOn(graphs, config, folder)).value();
        QVERIFY(first->train(stops).stopped);
        QVERIFY(!stops.checkpoints.empty());
        const auto second = Trainer::create(setupOn(graphs, config, folder)).value();
        QVERIFY(second->restore(stops.checkpoints.back().bundlePath));
        RecordingObserver rest;
        QVERIFY(!second->train(rest).error);
        QVERIFY(sameBits(second->weights(), whole.weights));
    }
};

QTEST_APPLESS_MAIN(TestDeviceGraphs)
} // namespace test_device_graphs
#include "test_device_graphs.moc"
