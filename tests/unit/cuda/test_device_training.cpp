// SPDX-License-Identifier: GPL-3.0-or-later
// Training as on a GPU: sums that stay on the device, an update that the device leaves out by itself, micro-steps that are repeated as graphs. Every test runs on the CPU
// ("deferred": the same classes over the kernels' plain loops, a graph being the function itself) and, where there is one, on a GPU. The measure is CPU training,
// whose own oracle is core/train/reference.
#include "core/cuda/device.h"
#include "core/train/memory_counter.h"
#include "core/train/precision.h"
#include "core/train/reference.h"
#include "core/train/window_planner.h"
#include "tests/support/numeric.h"
#include "tests/support/training.h"

#include <ATen/ATen.h>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <functional>

using namespace accumulus;
using namespace accumulus::test;

namespace {

/// How a run is computed.
struct Path {
    bool gpu = false;
    CapturePolicy capture = CapturePolicy::Off;
};

struct Outcome {
    TrainingEnd end;
    RecordingObserver observer;
    std::vector<double> weights;
};

TrainerSetup setupOn(const Path& path, RunConfig config, const QTemporaryDir& folder) {
    config.device.kind = path.gpu ? "cuda:0" : "cpu";
    config.device.capture = path.capture;
    TrainerSetup setup = makeSetup(config, folder);
    setup.deferred = true;
    return setup;
}

Outcome run(TrainerSetup setup) {
    Outcome outcome;
    auto trainer = Trainer::create(std::move(setup));
    if (!trainer) {
        outcome.end.error = trainer.error();
        return outcome;
    }
    outcome.end = (*trainer)->train(outcome.observer);
    outcome.weights = (*trainer)->weights();
    return outcome;
}

/// The CPU's own path, one lane.
Outcome runPlain(const RunConfig& config, std::shared_ptr<const Model> model = nullptr) {
    QTemporaryDir folder;
    TrainerSetup setup = makeSetup(config, folder);
    setup.model = std::move(model);
    return run(std::move(setup));
}

bool sameBits(const std::vector<double>& a, const std::vector<double>& b) {
    return std::ranges::equal(a, b, [](double x, double y) { return compareBits(x, y); });
}

/// 5 updates or a little more: windows of 4 full micro-steps and, at the end of the epoch, a short one with a short micro-batch.
RunConfig mlpConfig() {
    RunConfig config = smallConfig(150, 32, 8);
    config.data.testLimit = 20;
    config.optimizer.momentum = 0.9;
    return config;
}

RunConfig textConfig(const char* model) {
    RunConfig config = smallConfig(0, 24, 4);
    config.data.dataset = "tinyshakespeare";
    config.data.path = (std::filesystem::path(qEnvironmentVariable("ACCUMULUS_SOURCE").toStdString()) / "resources" / "datasets" / "tinyshakespeare").string();
    config.data.trainLimit = 130;
    config.data.testLimit = 8;
    config.data.block = 16;
    config.model.name = model;
    config.model.layers = 2;
    config.model.heads = 2;
    config.model.width = 16;
    config.model.dropout = 0.1;
    config.loss.normalise = Normalise::Tokens;
    config.optimizer.name = OptimizerKind::AdamW;
    config.optimizer.lr = 1e-3;
    config.optimizer.weightDecay = 0.01;
    return config;
}

RunConfig resnetConfig(BatchNormMode mode) {
    RunConfig config = smallConfig(40, 16, 4);
    config.data.dataset = "textures-generated";
    config.data.resize = 16;
    config.data.testLimit = 10;
    config.data.augment = "crop-flip";
    config.model.name = "resnet18";
    config.model.stem = "cifar";
    config.numerics.batchNorm = mode;
    config.optimizer.lr = 1e-3;
    return config;
}

/// A linear classifier whose gradient passes through fp16: it overflows where loss scale x gradient exceeds 65504.
class HalfPrecisionEdge final : public Model {
public:
    HalfPrecisionEdge() : Model({{"w", {10, 784}, 784, false}}) {}
    at::Tensor forward(std::span<const at::Tensor> p, const at::Tensor& input, ForwardContext&) const override {
        return at::linear(input.flatten(1).to(at::kHalf), p[0].to(at::kHalf)).to(at::kFloat);
    }
};

/// A linear classifier that answers NaN for images whose sum lies above a limit, in training.
class SpoilsBrightImages final : public Model {
public:
    explicit SpoilsBrightImages(double limit) : Model({{"w", {10, 784}, 784, false}}), m_limit(limit) {}
    at::Tensor forward(std::span<const at::Tensor> p, const at::Tensor& input, ForwardContext& context) const override {
        const at::Tensor flat = input.flatten(1);
        const at::Tensor logits = at::linear(flat, p[0]);
        return context.training ? logits.masked_fill(flat.sum(1, true).gt(m_limit), std::nan("")) : logits;
    }

private:
    double m_limit;
};

/// Exceeded by the `count` brightest images of the training set.
double limitFor(const Dataset& data, std::size_t count) {
    std::vector<double> sums;
    for (std::int64_t image = 0; image < data.train.count; ++image) {
        double sum = 0.0;
        for (std::int64_t i = 0; i < data.train.imageSize(); ++i)
            sum += (data.train.pixels[static_cast<std::size_t>(image * data.train.imageSize() + i)] / 255.0 - data.mean[0]) / data.deviation[0];
        sums.push_back(sum);
    }
    std::ranges::sort(sums, std::greater());
    return (sums[count - 1] + sums[count]) / 2;
}

} // namespace

class TestDeviceTraining : public QObject {
    Q_OBJECT

    static void paths() {
        QTest::addColumn<bool>("gpu");
        QTest::addColumn<int>("capture");
        QTest::newRow("deferred") << false << int(CapturePolicy::Off);
        QTest::newRow("deferred, repeated") << false << int(CapturePolicy::On);
        QTest::newRow("GPU") << true << int(CapturePolicy::Off);
        QTest::newRow("GPU, graphs") << true << int(CapturePolicy::On);
    }
    static Path path() {
        QFETCH(bool, gpu);
        QFETCH(int, capture);
        return {gpu, static_cast<CapturePolicy>(capture)};
    }
#define SKIP_WITHOUT_GPU()                                                                                                                                    \
    if (path().gpu && gpu::count() == 0)                                                                                                                      \
    QSKIP(("No GPU to run on: " + gpu::whyNone()).c_str())

    /// Against CPU training: sums in another order. After a few updates in fp64 1e-10 relative; 1e-13 is usual.
    static void expectLikeCpu(const RunConfig& config) {
        QTemporaryDir folder;
        const Outcome expected = runPlain(config);
        const Outcome got = run(setupOn(path(), config, folder));
        QVERIFY2(!got.end.error, got.end.error ? describe(*got.end.error).c_str() : "");
        QVERIFY(!expected.end.error);
        QVERIFY(got.observer.windows.size() >= 3);
        QCOMPARE(got.observer.windows.size(), expected.observer.windows.size());
        QVERIFY(std::ranges::count(got.observer.notes, "device.capture") == 0);
        // Of a graph the host does not know the parts: the first window has nothing but full micro-steps, so nothing was computed beside it.
        QCOMPARE(got.observer.windows.front().forwardSeconds == 0.0, path().capture == CapturePolicy::On);
        for (std::size_t i = 0; i < got.observer.windows.size(); ++i) {
            const WindowRecord& a = got.observer.windows[i];
            const WindowRecord& b = expected.observer.windows[i];
            QCOMPARE(a.units, b.units);
            QCOMPARE(a.microSteps, b.microSteps);
            QCOMPARE(a.tokens, b.tokens);
            QCOMPARE(a.update, b.update);
            QCOMPARE(a.clipped, b.clipped);
            QVERIFY(compareRel(a.loss, b.loss, 1e-10));
            QVERIFY(compareRel(a.gradNorm, b.gradNorm, 1e-9));
            QCOMPARE(a.noiseS.has_value(), b.noiseS.has_value());
            if (a.noiseS)
                QVERIFY(compareRel(*a.noiseS, *b.noiseS, 1e-6)); // a difference of sums
        }
        const double distance = relativeL2(got.weights, expected.weights);
        QVERIFY2(distance < 1e-10, qPrintable(QString::number(distance)));
        QVERIFY(compareRel(got.observer.evaluations.back().loss, expected.observer.evaluations.back().loss, 1e-10));
        QVERIFY(compareBits(got.observer.evaluations.back().accuracy, expected.observer.evaluations.back().accuracy));
    }

private Q_SLOTS:
    void cleanup() { MemoryCounter::setLimit(0); }

    // Every window's gradient against one fp64 pass over the whole batch, at initial weights: 1e-12 relative L2, as on the CPU.
    void everyWindowIsTheLargeBatch_data() { paths(); }
    void everyWindowIsTheLargeBatch() {
        SKIP_WITHOUT_GPU();
        for (const char* model : {"mlp", "lenet5"}) {
            QTemporaryDir folder;
            RunConfig config = smallConfig(97, 32, 5); // 6 full micro-steps and one of 2 samples; then a window of one sample
            config.model.name = model;
            config.optimizer.lr = 1e-30; // far below one rounding of any weight
            TrainerSetup setup = setupOn(path(), config, folder);
            const ImageSet& images = setup.data->train;
            const auto reference = makeModel(config.model, {images.channels, images.height, images.width, 10}).value();
            const at::Tensor initial = initialWeights(reference->layout(), config.model, 0);
            WindowPlanner planner(resolveBatch(config.batch).value(), config.batch.tail, images.count, true, 0, 1);
            double worst = 0.0;
            int windows = 0;
            setup.gradientProbe = [&](const WindowRecord&, const std::vector<double>& gradient) {
                std::vector<double> flat;
                for (const at::Tensor& tensor : referenceGradient(*reference, initial, *setup.data, planner.next()->ids).gradients) {
                    const at::Tensor dense = tensor.contiguous();
                    flat.insert(flat.end(), dense.const_data_ptr<double>(), dense.const_data_ptr<double>() + dense.numel());
                }
                worst = std::max(worst, relativeL2(gradient, flat));
                ++windows;
            };
            const Outcome outcome = run(setup);
            QVERIFY2(!outcome.end.error, outcome.end.error ? describe(*outcome.end.error).c_str() : "");
            QCOMPARE(windows, 4);
            QVERIFY2(worst < 1e-12, qPrintable(QString::number(worst)));
        }
    }

    void optimizersLikeTheCpu_data() { paths(); }
    void optimizersLikeTheCpu() {
        SKIP_WITHOUT_GPU();
        for (const OptimizerKind optimizer : {OptimizerKind::Sgd, OptimizerKind::Adam, OptimizerKind::AdamW})
            for (const double clipNorm : {0.0, 0.5}) {
                RunConfig config = mlpConfig();
                config.optimizer.name = optimizer;
                config.optimizer.lr = optimizer == OptimizerKind::Sgd ? 0.05 : 1e-3;
                config.optimizer.weightDecay = 1e-3;
                config.train.clipNorm = clipNorm;
                config.schedule.kind = ScheduleKind::Cosine; // the learning rate changes at each update
                expectLikeCpu(config);
            }
    }

    // Keyed draws, K that changes, windows that overlap epochs.
    void drawsAndRampsLikeTheCpu_data() { paths(); }
    void drawsAndRampsLikeTheCpu() {
        SKIP_WITHOUT_GPU();
        RunConfig config = mlpConfig();
        config.model.dropout = 0.3;
        config.data.augment = "crop-flip";
        config.loss.labelSmoothing = 0.1;
        expectLikeCpu(config);
        config.batch.ramp = {{3, 48}, {5, 16}};
        config.batch.tail = TailPolicy::Carry;
        config.train.length = {2, Extent::Unit::Epochs};
        expectLikeCpu(config);
        config.batch.ramp = {};
        config.batch.tail = TailPolicy::Leak;
        expectLikeCpu(config);
        config.loss.normalise = Normalise::MeanOfMeans;
        expectLikeCpu(config);
    }

    void textLikeTheCpu_data() { paths(); }
    void textLikeTheCpu() {
        SKIP_WITHOUT_GPU();
        expectLikeCpu(textConfig("char-gpt"));
        expectLikeCpu(textConfig("bert-mini")); // the number of loss units differs from micro-batch to micro-batch
        RunConfig samples = textConfig("bert-mini");
        samples.loss.normalise = Normalise::Samples;
        expectLikeCpu(samples);
    }

    void batchNormLikeTheCpu_data() { paths(); }
    void batchNormLikeTheCpu() {
        SKIP_WITHOUT_GPU();
        expectLikeCpu(resnetConfig(BatchNormMode::Micro));
        expectLikeCpu(resnetConfig(BatchNormMode::Frozen));
        RunConfig pooled = resnetConfig(BatchNormMode::Pooled);
        if (path().capture == CapturePolicy::On) {
            QTemporaryDir folder;
            const Outcome refused = run(setupOn(path(), pooled, folder));
            QVERIFY(refused.end.error);
            QCOMPARE(refused.end.error->code, std::string("device.capture"));
        } else {
            expectLikeCpu(pooled);
        }
    }

    // On the CPU nothing but the place of the sums differs: plain SGD without clipping has the same bits, in fp64 and in fp32.
    void deferredSumsAreTheSameBits_data() {
        QTest::addColumn<int>("precision");
        QTest::addColumn<int>("capture");
        for (const Precision precision : {Precision::Fp64, Precision::Fp32})
            for (const CapturePolicy capture : {CapturePolicy::Off, CapturePolicy::On})
                QTest::addRow("%d %d", int(precision), int(capture)) << int(precision) << int(capture);
    }
    void deferredSumsAreTheSameBits() {
        QFETCH(int, precision);
        QFETCH(int, capture);
        QTemporaryDir folder;
        RunConfig config = mlpConfig();
        config.numerics.precision = static_cast<Precision>(precision);
        const Outcome plain = runPlain(config);
        const Outcome deferred = run(setupOn({false, static_cast<CapturePolicy>(capture)}, config, folder));
        QVERIFY(!deferred.end.error);
        QVERIFY(sameBits(deferred.weights, plain.weights));
        QCOMPARE(deferred.end.summary.weightsHash, plain.end.summary.weightsHash);
    }

    // fp32 graphs against fp32 kernel by kernel: the same kernels; cuBLAS may choose others for a graph, hence rounding.
    void graphsAreTheSameTraining_data() {
        QTest::addColumn<bool>("gpu");
        QTest::newRow("deferred") << false;
        QTest::newRow("GPU") << true;
    }
    void graphsAreTheSameTraining() {
        QFETCH(bool, gpu);
        if (gpu && gpu::count() == 0)
            QSKIP(("No GPU to run on: " + gpu::whyNone()).c_str());
        QTemporaryDir folder;
        for (const OptimizerKind optimizer : {OptimizerKind::Sgd, OptimizerKind::AdamW})
            for (const char* model : {"mlp", "lenet5"}) {
                RunConfig config = mlpConfig();
                config.model.name = model;
                config.numerics.precision = Precision::Fp32;
                config.optimizer.name = optimizer;
                config.optimizer.lr = optimizer == OptimizerKind::Sgd ? 0.05 : 1e-3;
                config.train.clipNorm = 0.5;
                config.train.length = {3, Extent::Unit::Epochs}; // graph S is repeated
                const Outcome kernels = run(setupOn({gpu, CapturePolicy::Off}, config, folder));
                const Outcome graphs = run(setupOn({gpu, CapturePolicy::On}, config, folder));
                QVERIFY2(!graphs.end.error, graphs.end.error ? describe(*graphs.end.error).c_str() : "");
                const double distance = relativeL2(graphs.weights, kernels.weights);
                QVERIFY2(distance < 1e-5, qPrintable(QString::number(distance)));
                // A run that must give the same bits each time does.
                QVERIFY(sameBits(run(setupOn({gpu, CapturePolicy::On}, config, folder)).weights, graphs.weights));
            }
    }

    // An overflow shows when the window is closed; the window is computed again at half the scale. Powers of two: the same bits as a run that started low enough.
    void anOverflowRepeatsTheWindow() {
        QTemporaryDir folder;
        RunConfig config = smallConfig(96, 32, 8);
        config.data.testLimit = 10;
        config.numerics.precision = Precision::Fp16;
        config.optimizer.momentum = 0.9;
        const auto train = [&](const std::string& scale) {
            config.numerics.lossScale = scale;
            TrainerSetup setup = setupOn({}, config, folder);
            setup.model = std::make_shared<HalfPrecisionEdge>();
            return run(std::move(setup));
        };
        const Outcome dynamic = train("dynamic");
        QVERIFY(!dynamic.end.error);
        QVERIFY(std::ranges::count(dynamic.observer.notes, "training.overflow") > 0);
        QCOMPARE(dynamic.end.summary.updates, std::int64_t{3});
        const double reached = dynamic.observer.windows.back().lossScale;
        QVERIFY(reached < LossScaler::initialScale);
        QVERIFY(sameBits(train(std::to_string(static_cast<int>(reached))).weights, dynamic.weights));
        // A scale that is given is not changed: every window overflows and is skipped, with the weights of the beginning.
        config.train.length = {1, Extent::Unit::Epochs};
        const Outcome hopeless = train("1e30");
        QCOMPARE(hopeless.end.summary.updates, std::int64_t{0});
        QVERIFY(std::ranges::all_of(hopeless.weights, [](double weight) { return std::isfinite(weight); }));
    }

    // A window that is not finite leaves weights and moments alone although the device had its update queued already.
    void aBrokenWindowIsSkipped_data() { paths(); }
    void aBrokenWindowIsSkipped() {
        SKIP_WITHOUT_GPU();
        if (path().capture == CapturePolicy::On)
            QSKIP("models of tests are not recorded");
        for (const NonfinitePolicy policy : {NonfinitePolicy::SkipUpdate, NonfinitePolicy::SkipMicro, NonfinitePolicy::Stop}) {
            QTemporaryDir folder;
            RunConfig config = mlpConfig();
            config.numerics.nonfinite = policy;
            config.optimizer.name = OptimizerKind::Adam;
            config.optimizer.lr = 1e-3;
            TrainerSetup setup = setupOn(path(), config, folder);
            setup.model = std::make_shared<SpoilsBrightImages>(limitFor(*setup.data, 2));
            const Outcome plain = runPlain(config, setup.model);
            const Outcome got = run(std::move(setup));
            QCOMPARE(got.end.error.has_value(), plain.end.error.has_value());
            QCOMPARE(got.end.summary.updates, plain.end.summary.updates);
            QVERIFY(std::ranges::any_of(plain.observer.windows, [](const WindowRecord& w) { return w.nonfinite || w.leftOut > 0; }));
            QCOMPARE(got.observer.windows.size(), plain.observer.windows.size());
            for (std::size_t i = 0; i < got.observer.windows.size(); ++i) {
                QCOMPARE(got.observer.windows[i].update, plain.observer.windows[i].update);
                QCOMPARE(got.observer.windows[i].leftOut, plain.observer.windows[i].leftOut);
            }
            QVERIFY(relativeL2(got.weights, plain.weights) < 1e-10);
        }
    }

    // Lean accumulation adds parameter by parameter; the accumulator may be bf16.
    void leanAndBf16LikeTheCpu_data() { paths(); }
    void leanAndBf16LikeTheCpu() {
        SKIP_WITHOUT_GPU();
        if (path().capture == CapturePolicy::Off) {
            RunConfig lean = mlpConfig();
            lean.batch.lean = true;
            expectLikeCpu(lean);
        }
        QTemporaryDir folder;
        RunConfig config = mlpConfig();
        config.numerics.precision = Precision::Fp32;
        config.numerics.accumulator = AccumulatorKind::Bf16;
        const Outcome plain = runPlain(config);
        const Outcome got = run(setupOn(path(), config, folder));
        QVERIFY(!got.end.error);
        // fp32 products that differ by one rounding may round to neighbours among bf16's 8 bits.
        QVERIFY(relativeL2(got.weights, plain.weights) < 1e-3);
    }

    // What fails while the window is changed: computed again, without a trace.
    void aFaultLeavesNoTrace() {
        QTemporaryDir folder;
        const RunConfig config = mlpConfig();
        const Outcome clean = run(setupOn({}, config, folder));
        for (const FaultPoint point : {FaultPoint::Forward, FaultPoint::Backward, FaultPoint::Commit, FaultPoint::Update}) {
            TrainerSetup setup = setupOn({}, config, folder);
            bool thrown = false;
            setup.fault = [&](FaultPoint p, std::int64_t w, std::int64_t k) {
                if (p == point && w == 2 && (k == 2 || p == FaultPoint::Update) && !std::exchange(thrown, true))
                    throw std::runtime_error("planted");
            };
            const Outcome outcome = run(std::move(setup));
            QVERIFY(thrown && !outcome.end.error);
            QVERIFY(sameBits(outcome.weights, clean.weights));
        }
    }

    // A bundle belongs to no device: stopped in the middle of a window on one path, continued on another.
    void aRunMovesBetweenDevices_data() { paths(); }
    void aRunMovesBetweenDevices() {
        SKIP_WITHOUT_GPU();
        RunConfig config = mlpConfig();
        config.optimizer.name = OptimizerKind::AdamW;
        config.optimizer.lr = 1e-3;
        const Outcome whole = runPlain(config);
        for (const bool startsHere : {true, false}) {
            QTemporaryDir folder;
            TrainerSetup here = setupOn(path(), config, folder);
            TrainerSetup plain = makeSetup(config, folder);
            struct StopsNow final : RecordingObserver {
                Wish proceed() override { return asked++ < 9 ? Wish::GoOn : Wish::StopNow; } // one question of each window, one before each micro-step
                int asked = 0;
            } stops;
            const auto first = Trainer::create(startsHere ? here : plain).value();
            QVERIFY(first->train(stops).stopped);
            QVERIFY(!stops.checkpoints.empty());
            const auto second = Trainer::create(startsHere ? plain : here).value();
            QVERIFY(second->restore(stops.checkpoints.back().bundlePath));
            RecordingObserver rest;
            const TrainingEnd end = second->train(rest);
            QVERIFY(!end.error);
            QVERIFY(stops.windows.size() + rest.windows.size() == whole.observer.windows.size());
            QVERIFY(relativeL2(second->weights(), whole.weights) < 1e-10);
        }
    }

    // Memory that does not suffice splits the micro-batch and keeps the effective batch.
    void memoryIsSplit() {
        QTemporaryDir folder;
        RunConfig config = smallConfig(256, 128, 64);
        config.model.name = "lenet5";
        MemoryCounter::resetPeak();
        const std::int64_t before = MemoryCounter::current();
        const Outcome clean = run(setupOn({}, config, folder));
        const std::int64_t needed = MemoryCounter::peak() - before;
        config.device.memoryLimit = std::to_string(MemoryCounter::current() + needed * 6 / 10);
        for (const CapturePolicy capture : {CapturePolicy::Off, CapturePolicy::Auto}) {
            const Outcome outcome = run(setupOn({false, capture}, config, folder));
            QVERIFY2(!outcome.end.error, outcome.end.error ? describe(*outcome.end.error).c_str() : "");
            QVERIFY(std::ranges::count(outcome.observer.notes, "memory.resplit") > 0);
            QCOMPARE(std::ranges::count(outcome.observer.notes, "device.capture"), capture == CapturePolicy::Auto ? 1 : 0);
            for (const WindowRecord& window : outcome.observer.windows)
                QCOMPARE(window.units, std::int64_t{128});
            QVERIFY(relativeL2(outcome.weights, clean.weights) < 1e-12);
        }
    }

    void memoryOfAGpuIsSplit() {
        if (gpu::count() == 0)
            QSKIP(("No GPU to run on: " + gpu::whyNone()).c_str());
        QTemporaryDir folder;
        RunConfig config = resnetConfig(BatchNormMode::Frozen);
        config.data.trainLimit = 512;
        config.data.resize = 32;
        config.batch.effective = 512;
        config.batch.micro = 512;
        const Outcome clean = run(setupOn({true, CapturePolicy::Off}, config, folder));
        QVERIFY(!clean.end.error);
        const std::int64_t needed = clean.end.summary.peakBytes;
        QVERIFY(needed > (std::int64_t{1} << 30)); // fp64 activations of 512 images
        config.device.memoryLimit = std::to_string(needed * 6 / 10);
        const Outcome split = run(setupOn({true, CapturePolicy::Off}, config, folder));
        QVERIFY2(!split.end.error, split.end.error ? describe(*split.end.error).c_str() : "");
        QVERIFY(std::ranges::count(split.observer.notes, "memory.resplit") > 0);
        QVERIFY(split.end.summary.peakBytes <= needed * 6 / 10);
        QVERIFY(relativeL2(split.weights, clean.weights) < 1e-10);
    }

    // Between the first commit of a window and its last the host never waits for the GPU.
    void theHostWaitsOncePerWindow_data() {
        QTest::addColumn<int>("capture");
        QTest::newRow("GPU") << int(CapturePolicy::Off);
        QTest::newRow("GPU, graphs") << int(CapturePolicy::On);
    }
    void theHostWaitsOncePerWindow() {
        if (gpu::count() == 0)
            QSKIP(("No GPU to run on: " + gpu::whyNone()).c_str());
        QFETCH(int, capture);
        QTemporaryDir folder;
        RunConfig config = mlpConfig();
        config.data.trainLimit = 128;
        config.numerics.precision = Precision::Fp32;
        config.model.dropout = 0.2;
        TrainerSetup setup = setupOn({true, static_cast<CapturePolicy>(capture)}, config, folder);
        setup.afterCommit = [](std::int64_t microStep) { gpu::forbidWaiting(microStep < 3); }; // 4 micro-steps a window
        const Outcome outcome = run(std::move(setup));
        gpu::forbidWaiting(false);
        QVERIFY2(!outcome.end.error, outcome.end.error ? describe(*outcome.end.error).c_str() : "");
        QCOMPARE(outcome.observer.windows.size(), std::size_t{4});
        QVERIFY(outcome.observer.windows.back().peakBytes > 0);
    }

    // 16 bits on a GPU: autocast of CUDA, the overflow found on the device.
    void sixteenBitsOnAGpu_data() {
        QTest::addColumn<int>("precision");
        QTest::addColumn<int>("capture");
        for (const Precision precision : {Precision::Bf16, Precision::Fp16})
            for (const CapturePolicy capture : {CapturePolicy::Off, CapturePolicy::On})
                QTest::addRow("%d %d", int(precision), int(capture)) << int(precision) << int(capture);
    }
    void sixteenBitsOnAGpu() {
        if (gpu::count() == 0)
            QSKIP(("No GPU to run on: " + gpu::whyNone()).c_str());
        QFETCH(int, precision);
        QFETCH(int, capture);
        QTemporaryDir folder;
        RunConfig config = mlpConfig();
        config.train.length = {3, Extent::Unit::Epochs};
        config.numerics.precision = Precision::Fp32;
        const Outcome full = run(setupOn({true, CapturePolicy::Off}, config, folder));
        config.numerics.precision = static_cast<Precision>(precision);
        const Outcome half = run(setupOn({true, static_cast<CapturePolicy>(capture)}, config, folder));
        QVERIFY2(!half.end.error, half.end.error ? describe(*half.end.error).c_str() : "");
        QCOMPARE(half.end.summary.updates, full.end.summary.updates);
        // 8 significant bits in each product: the loss falls alike.
        QVERIFY(compareRel(half.observer.windows.back().loss, full.observer.windows.back().loss, 0.1));
        QVERIFY(!sameBits(half.weights, full.weights));
    }
};

QTEST_APPLESS_MAIN(TestDeviceTraining)
#include "test_device_training.moc"
