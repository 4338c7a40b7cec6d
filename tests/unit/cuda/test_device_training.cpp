// SPDX-License-Identifier: GPL-3.0-or-later
// Training as on a GPU: sums that stay on the device, an update that the device leaves out by itself, micro-steps that
// are repeated as graphs.
#include "tests/unit/cuda/device_paths.h"

#include "core/engine/engine_trial.h"
#include "core/train/reference.h"
#include "core/window/window_planner.h"

#include <ATen/ATen.h>
#include <ATen/Context.h>
#include <cmath>
#include <deque>
#include <numeric>
#include <utility>

namespace test_device_training {
using namespace accumulus;
using namespace accumulus::test;

class TestDeviceTraining : public QObject {
    Q_OBJECT

    /// runPlain(), once for all paths that are held against it.
    static const Outcome& plainOnce(const RunConfig& config) {
        static std::deque<std::pair<RunConfig, Outcome>> all;
        const auto known = std::ranges::find(all, config, &std::pair<RunConfig, Outcome>::first);
        if (known != all.end())
            return known->second;
        all.emplace_back(config, runPlain(config));
        return all.back().second;
    }

    /// Against CPU training: sums in another order. After a few updates in fp64 1e-10 relative; 1e-13 is usual.
    static void expectLikeCpu(const RunConfig& config) {
        QTemporaryDir folder;
        const Outcome& expected = plainOnce(config);
        const Outcome got = run(setupOn(path(), config, folder));
        QVERIFY2(!got.end.error, got.end.error ? describe(*got.end.error).c_str() : "");
        QVERIFY(!expected.end.error);
        QVERIFY(got.observer.windows.size() >= 3);
        QCOMPARE(got.observer.windows.size(), expected.observer.windows.size());
        QVERIFY(std::ranges::count(got.observer.notes, "device.not-captured") == 0);
        // Of a graph the host does not know the parts: the first window has nothing but full micro-steps, so nothing
        // was computed beside it.
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
        QVERIFY(compareBits(*got.observer.evaluations.back().accuracy, *expected.observer.evaluations.back().accuracy));
    }

private Q_SLOTS:
    // Every window's gradient against one fp64 pass over the whole batch, at initial weights: 1e-12 relative L2, as on
    // the CPU.
    void everyWindowIsTheLargeBatch_data() { paths(); }

    void everyWindowIsTheLargeBatch() {
        SKIP_WITHOUT_GPU();
        for (const char* model : {"mlp", "lenet5"}) {
            QTemporaryDir folder;
            RunConfig config =
                smallConfig(97, 32, 5); // 6 full micro-steps and one of 2 samples; then a window of one sample
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
                for (const at::Tensor& tensor :
                     referenceGradient(*reference, initial, *setup.data, planner.next()->ids).gradients) {
                    const at::Tensor dense = tensor.contiguous();
                    flat.insert(flat.end(), dense.const_data_ptr<double>(),
                                dense.const_data_ptr<double>() + dense.numel());
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

    // On the CPU nothing but the place of the sums differs: plain SGD without clipping has the same bits, in fp64 and
    // in fp32.
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

    // fp32 graphs against fp32 kernel by kernel: the same kernels; cuBLAS may choose others for a graph, hence
    // rounding.
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

    // Audits and plans compute windows beside a run: in fp32 without TF32, with kernels that repeat their bits. What
    // comes after them on the CPU is not bound by that.
    void windowsBesideARunAreComputedAlike_data() { paths(Models::OfTheTest); }

    void windowsBesideARunAreComputedAlike() {
        SKIP_WITHOUT_GPU();
        QTemporaryDir folder;
        RunConfig config = resnetConfig(BatchNormMode::Micro);
        // On CPUs it opens or closes a ReLU in windows of this small network, which are then off by 1e-3 to 7e-3.
        config.numerics.winograd = false;
        std::vector<std::int64_t> ids(12);
        std::iota(ids.begin(), ids.end(), 0);
        const auto gradientIn = [&](Precision precision) {
            config.numerics.precision = precision;
            TrainerSetup setup = setupOn(path(), config, folder);
            const auto trial = EngineTrial::create(setup, {.micro = 4, .lanes = {1, 1}}).value();
            (void)trial->compute(ids).value();
            return trial->gradient().cpu().to(at::kDouble).clone();
        };
        const at::Tensor first = gradientIn(Precision::Fp32);
        QVERIFY(at::equal(gradientIn(Precision::Fp32), first));
        const at::Tensor exact = gradientIn(Precision::Fp64);
        // BatchNorm of few values amplifies rounding: 1e-5 and less in fp32, above 1e-2 with TF32's 10 bits.
        const double error = (first - exact).norm().item<double>() / exact.norm().item<double>();
        QVERIFY2(error < 1e-3, qPrintable(QString::number(error)));
        QVERIFY(!at::globalContext().deterministicAlgorithms());
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
} // namespace test_device_training
#include "test_device_training.moc"
