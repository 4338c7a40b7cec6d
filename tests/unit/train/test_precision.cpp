// SPDX-License-Identifier: GPL-3.0-or-later
// 16-bit training: loss scale and overflow (trap T7), accumulators that stall (T8), autocast's cache of cast weights
// (T25).
#include "core/window/gradient_window.h"
#include "core/window/loss_scale.h"
#include "tests/support/numeric.h"
#include "tests/support/training.h"
#include "tests/support/windows.h"

#include "core/model/model.h"

#include <ATen/ATen.h>
#include <QTest>
#include <algorithm>
#include <cmath>

namespace test_precision {
using namespace accumulus;
using namespace accumulus::test;

namespace {

/// A linear classifier whose gradient passes through fp16: it overflows where loss scale x gradient exceeds 65504. One
/// sample can be given a gradient so large that no scale helps.
class HalfPrecisionEdge final : public Model {
public:
    explicit HalfPrecisionEdge(std::int64_t hopeless = -1)
        : Model({{"w", {10, 784}, 784, false}}), m_hopeless(hopeless) {}
    at::Tensor forward(std::span<const at::Tensor> p, const at::Tensor& input, ForwardContext& context) const override {
        const at::Tensor logits = at::linear(input.flatten(1).to(at::kHalf), p[0].to(at::kHalf)).to(at::kFloat);
        at::Tensor factor = at::ones({input.size(0), 1}, at::kFloat);
        for (std::size_t row = 0; context.training && row < context.keys.size(); ++row)
            if (context.keys.ids[row] == m_hopeless)
                factor[static_cast<std::int64_t>(row)] = 1e6;
        return logits * factor;
    }

private:
    std::int64_t m_hopeless;
};

struct Run {
    TrainingEnd end;
    RecordingObserver observer;
    std::vector<double> weights;
};

RunConfig halfConfig(const std::string& scale) {
    RunConfig config = smallConfig(96, 32, 8);
    config.data.testLimit = 10;
    config.data.shuffle = false;
    config.numerics.precision = Precision::Fp16;
    config.numerics.lossScale = scale;
    config.optimizer.momentum = 0.9;
    return config;
}

Run train(const RunConfig& config, std::shared_ptr<const Model> model, PlantedBug bug = PlantedBug::None,
          int lanes = 1) {
    QTemporaryDir folder;
    TrainerSetup setup = makeSetup(config, folder, {lanes, 1});
    setup.model = std::move(model);
    setup.bug = bug;
    Run run;
    const auto trainer = Trainer::create(std::move(setup)).value();
    run.end = trainer->train(run.observer);
    run.weights = trainer->weights();
    return run;
}

bool sameBits(const std::vector<double>& a, const std::vector<double>& b) {
    return std::ranges::equal(a, b, [](double x, double y) { return compareBits(x, y); });
}

/// The sum of `count` gradients of `value` in an accumulator of `type`.
double accumulated(at::ScalarType type, double value, int count) {
    const ParameterLayout layout({{"w", {1}, 1, false}});
    GradientWindow window(layout, std::make_unique<HostSums>(layout, at::kFloat, type),
                          {.normalise = Normalise::SumOfMeans});
    for (int i = 0; i < count; ++i)
        window.commit({{at::full({1}, value, at::kFloat)}, 1, 0.0});
    (void)window.close();
    return layout.view(window.gradient(), 0).item<double>();
}

} // namespace

class TestPrecision : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // T8: bf16 has 8 significant bits: 256 + 1 = 256. fp32 is exact.
    void lowPrecisionAccumulatorsStall() {
        QVERIFY(compareBits(accumulated(at::kBFloat16, 1.0, 1024), 256.0));
        QVERIFY(compareBits(accumulated(at::kFloat, 1.0, 1024), 1024.0));
        // 0.1 is not a binary fraction: 1024 roundings of a constant drift by about K u = 6e-5 at most; 9.7e-6
        // measured.
        QVERIFY(compareRel(accumulated(at::kFloat, 0.1, 1024), 102.4, 6e-5));
    }

    // T7: an overflow in a micro-batch is computed again at a lower scale, which is a power of two: the same bits as a
    // run that started low enough.
    void anOverflowIsComputedAgain_data() {
        QTest::addColumn<int>("lanes");
        QTest::newRow("one lane") << 1;
        QTest::newRow("two lanes") << 2;
    }
    void anOverflowIsComputedAgain() {
        QFETCH(int, lanes);
        const Run dynamic =
            train(halfConfig("dynamic"), std::make_shared<HalfPrecisionEdge>(), PlantedBug::None, lanes);
        QVERIFY(!dynamic.end.error);
        QVERIFY(std::ranges::count(dynamic.observer.notes, "training.overflow") > 0);
        QCOMPARE(dynamic.observer.windows.size(), std::size_t{3});
        QVERIFY(dynamic.observer.windows.back().lossScale < LossScaler::initialScale);
        QCOMPARE(dynamic.end.summary.updates, std::int64_t{3});
        const Run low = train(halfConfig(std::to_string(static_cast<int>(dynamic.observer.windows.back().lossScale))),
                              std::make_shared<HalfPrecisionEdge>());
        QVERIFY(std::ranges::count(low.observer.notes, "training.overflow") == 0);
        QVERIFY(sameBits(dynamic.weights, low.weights));
        // The mutant: gradients added with their scale.
        QVERIFY(
            !sameBits(train(halfConfig("1024"), std::make_shared<HalfPrecisionEdge>(), PlantedBug::NotUnscaled).weights,
                      low.weights));
    }

    // A window that overflows at every scale is skipped once: the weights, moments and counters are those of before it,
    // and the next windows go on as in a run that never saw it.
    void aHopelessWindowIsSkipped() {
        RunConfig config = halfConfig("dynamic");
        const Run skipped = train(config, std::make_shared<HalfPrecisionEdge>(40)); // in the second of three windows
        QVERIFY(!skipped.end.error);
        QCOMPARE(skipped.observer.windows.size(), std::size_t{3});
        QVERIFY(!skipped.observer.windows[1].update);
        QVERIFY(skipped.observer.windows[1].nonfinite);
        QCOMPARE(skipped.end.summary.updates, std::int64_t{2});
        QCOMPARE(skipped.observer.windows[2].update.value_or(0), std::int64_t{2});
        QVERIFY(std::ranges::all_of(skipped.weights, [](double weight) { return std::isfinite(weight); }));

        // Up to the first update, then over the skipped window: nothing has moved.
        QTemporaryDir folder;
        TrainerSetup setup = makeSetup(config, folder);
        setup.model = std::make_shared<HalfPrecisionEdge>(40);
        RecordingObserver first;
        first.stopAfterUpdates = 1;
        (void)Trainer::create(setup).value()->train(first);
        const auto before = Trainer::create(setup).value();
        QVERIFY(before->restore(first.checkpoints.back().bundlePath));
        const auto weightsBefore = before->weights();
        const auto trainer = Trainer::create(setup).value();
        QVERIFY(trainer->restore(first.checkpoints.back().bundlePath));
        struct StopsAfterSkip final : RecordingObserver {
            Wish proceed() override { return windows.empty() ? Wish::GoOn : Wish::Stop; }
        } skip;
        QVERIFY(!trainer->train(skip).error);
        QCOMPARE(skip.windows.size(), std::size_t{1}); // it was computed, and made no update
        QCOMPARE(skip.windows[0].window, std::int64_t{2});
        QVERIFY(skip.windows[0].nonfinite && !skip.windows[0].update);
        QCOMPARE(trainer->windowsDone(), std::int64_t{2});
        QCOMPARE(trainer->updatesDone(), std::int64_t{1});
        QVERIFY(sameBits(trainer->weights(), weightsBefore)); // after the skipped window; moments: test_skipped_windows
    }

    // T25: weights cast to 16 bits must not be used again after an update.
    void castWeightsAreNotKept() {
        RunConfig config = smallConfig(64, 16, 8);
        config.data.testLimit = 10;
        config.numerics.precision = Precision::Bf16;
        config.optimizer.lr = 0.1;
        const Run right = train(config, nullptr);
        QVERIFY(!right.end.error);
        QVERIFY(!sameBits(train(config, nullptr, PlantedBug::AutocastCacheKept).weights, right.weights));
        // Against fp32: 8 significant bits in each product. The loss falls alike.
        config.numerics.precision = Precision::Fp32;
        const Run full = train(config, nullptr);
        QVERIFY(compareRel(right.observer.windows.back().loss, full.observer.windows.back().loss, 0.05));
    }
};

QTEST_APPLESS_MAIN(TestPrecision)
} // namespace test_precision
#include "test_precision.moc"
