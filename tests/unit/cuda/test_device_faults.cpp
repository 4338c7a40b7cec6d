// SPDX-License-Identifier: GPL-3.0-or-later
// What goes wrong on a GPU: overflow and values that are not finite, which show only when a window is closed; faults;
// memory; a run that is stopped and goes on elsewhere.
#include "tests/unit/cuda/device_paths.h"

#include "core/cuda/captured_graph.h"
#include "core/engine/memory_counter.h"
#include "core/model/model.h"
#include "core/window/loss_scale.h"

#include <ATen/ATen.h>
#include <cmath>
#include <functional>

namespace test_device_faults {
using namespace accumulus;
using namespace accumulus::test;

namespace {

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
            sum += (data.train.pixels[static_cast<std::size_t>(image * data.train.imageSize() + i)] / 255.0 -
                    data.mean[0]) /
                   data.deviation[0];
        sums.push_back(sum);
    }
    std::ranges::sort(sums, std::greater());
    return (sums[count - 1] + sums[count]) / 2;
}

} // namespace

class TestDeviceFaults : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cleanup() { MemoryCounter::setLimit(0); }

    // An overflow shows when the window is closed; the window is computed again at half the scale. Powers of two: the
    // same bits as a run that started low enough.
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
        // A scale that is given is not changed: every window overflows and is skipped, with the weights of the
        // beginning.
        config.train.length = {1, Extent::Unit::Epochs};
        const Outcome hopeless = train("1e30");
        QCOMPARE(hopeless.end.summary.updates, std::int64_t{0});
        QVERIFY(std::ranges::all_of(hopeless.weights, [](double weight) { return std::isfinite(weight); }));
    }

    // A window that is not finite leaves weights and moments alone although the device had its update queued already.
    void aBrokenWindowIsSkipped_data() { paths(Models::OfTheTest); }

    void aBrokenWindowIsSkipped() {
        SKIP_WITHOUT_GPU();
        for (const NonfinitePolicy policy :
             {NonfinitePolicy::SkipUpdate, NonfinitePolicy::SkipMicro, NonfinitePolicy::Stop}) {
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
            QVERIFY(std::ranges::any_of(plain.observer.windows,
                                        [](const WindowRecord& w) { return w.nonfinite || w.leftOut > 0; }));
            QCOMPARE(got.observer.windows.size(), plain.observer.windows.size());
            for (std::size_t i = 0; i < got.observer.windows.size(); ++i) {
                QCOMPARE(got.observer.windows[i].update, plain.observer.windows[i].update);
                QCOMPARE(got.observer.windows[i].leftOut, plain.observer.windows[i].leftOut);
            }
            QVERIFY(relativeL2(got.weights, plain.weights) < 1e-10);
        }
    }

    // What fails while the window is changed: computed again, without a trace.
    void aFaultLeavesNoTrace() {
        QTemporaryDir folder;
        const RunConfig config = mlpConfig();
        const Outcome clean = run(setupOn({}, config, folder));
        for (const FaultPoint point :
             {FaultPoint::Forward, FaultPoint::Backward, FaultPoint::Commit, FaultPoint::Update}) {
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
                Wish proceed() override {
                    return asked++ < 9 ? Wish::GoOn : Wish::StopNow;
                } // one question of each window, one before each micro-step
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
        const std::int64_t needed = clean.end.summary.peakBytes - before;
        config.device.memoryLimit = std::to_string(MemoryCounter::current() + needed * 6 / 10);
        for (const CapturePolicy capture : {CapturePolicy::Off, CapturePolicy::Auto}) {
            const Outcome outcome = run(setupOn({false, capture}, config, folder));
            QVERIFY2(!outcome.end.error, outcome.end.error ? describe(*outcome.end.error).c_str() : "");
            QVERIFY(std::ranges::count(outcome.observer.notes, "memory.resplit") > 0);
            QCOMPARE(std::ranges::count(outcome.observer.notes, "device.not-captured"),
                     capture == CapturePolicy::Auto ? 1 : 0);
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

    // device.capture = "on": a capture that fails ends the run before anything of the window was applied, so the run
    // that goes on takes it once. Both graphs: that of the micro-step and that of the update.
    void aFailedCaptureLosesNoWindow_data() {
        QTest::addColumn<int>("captures"); // that succeed before one fails
        QTest::newRow("micro-step") << 0;
        QTest::newRow("update") << 1;
    }
    void aFailedCaptureLosesNoWindow() {
        QFETCH(int, captures);
        RunConfig config = mlpConfig();
        config.numerics.precision = Precision::Fp32; // fp64 updates are never recorded
        const QTemporaryDir folder;
        const Outcome clean = run(setupOn({.capture = CapturePolicy::On}, config, folder));
        QVERIFY(!clean.end.error);
        TrainerSetup setup = setupOn({.capture = CapturePolicy::On}, config, folder);
        int windows = 0;
        setup.gradientProbe = [&](const WindowRecord&, const std::vector<double>&) {
            if (++windows == captures)
                gpu::failNextCaptures(1);
        };
        if (captures == 0)
            gpu::failNextCaptures(1);
        const Outcome broken = run(std::move(setup));
        gpu::failNextCaptures(0);
        QVERIFY(broken.end.error);
        QCOMPARE(broken.end.error->code, std::string("device.capture"));
        QCOMPARE(broken.end.summary.updates, captures);
        QVERIFY(!broken.observer.checkpoints.empty());
        auto resumed = Trainer::create(setupOn({.capture = CapturePolicy::On}, config, folder)).value();
        QVERIFY(resumed->restore(broken.observer.checkpoints.back().bundlePath).has_value());
        RecordingObserver observer;
        QVERIFY(!resumed->train(observer).error);
        QVERIFY(sameBits(resumed->weights(), clean.weights));
    }

    // "auto" goes on kernel by kernel, says so once, and ends with the same bits.
    void aFailedCaptureIsNoEndUnderAuto() {
        const RunConfig config = mlpConfig();
        const QTemporaryDir folder;
        const Outcome clean = run(setupOn({.capture = CapturePolicy::Auto}, config, folder));
        gpu::failNextCaptures(1000);
        const Outcome got = run(setupOn({.capture = CapturePolicy::Auto}, config, folder));
        gpu::failNextCaptures(0);
        QVERIFY(!got.end.error);
        QCOMPARE(std::ranges::count(got.observer.notes, "device.not-captured"), 1);
        QVERIFY(sameBits(got.weights, clean.weights));
    }
};

QTEST_APPLESS_MAIN(TestDeviceFaults)
} // namespace test_device_faults
#include "test_device_faults.moc"
