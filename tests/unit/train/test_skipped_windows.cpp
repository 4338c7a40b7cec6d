// SPDX-License-Identifier: GPL-3.0-or-later
// A window without an update changes nothing: every tensor that a checkpoint and its bundle hold, weights, moments and
// BatchNorm's buffers, is bit for bit that of before it, on every path of the engine. A run of nothing else ends.
#include "core/model/model.h"
#include "tests/support/checkpoint_tensors.h"
#include "tests/support/plain_training.h"
#include "tests/support/small_nets.h"
#include "tests/support/training.h"

#include <ATen/ATen.h>
#include <QTest>

#include <cmath>
#include <memory>

namespace test_skipped_windows {
using namespace accumulus;
using namespace accumulus::test;

namespace {

struct StopsAfterWindows final : RecordingObserver {
    explicit StopsAfterWindows(std::size_t count) : m_count(count) {}
    Wish proceed() override { return windows.size() >= m_count ? Wish::Stop : Wish::GoOn; }

private:
    std::size_t m_count;
};

/// The losses of all samples are NaN, but for those of one.
class AllSpoiltBut final : public Model {
public:
    explicit AllSpoiltBut(std::int64_t good) : Model({{"w", {10, 784}, 784, false}}), m_good(good) {}
    [[nodiscard]] at::Tensor forward(std::span<const at::Tensor> p, const at::Tensor& input,
                                     ForwardContext& context) const override {
        const bool spoilt = context.training && context.keys.ids.front() != m_good;
        return at::linear(input.flatten(1), p[0]) * (spoilt ? std::nan("") : 1.0);
    }

private:
    std::int64_t m_good;
};

} // namespace

class TestSkippedWindows : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void nothingMoves_data() {
        QTest::addColumn<int>("optimizer");
        QTest::addColumn<int>("mode");
        QTest::addColumn<bool>("lean");
        QTest::addColumn<bool>("deferred");
        QTest::addColumn<int>("lanes");
        for (const OptimizerKind optimizer : {OptimizerKind::Sgd, OptimizerKind::AdamW})
            for (const BatchNormMode mode : {BatchNormMode::Micro, BatchNormMode::Pooled}) {
                const auto row = [&](const char* name, bool lean, bool deferred, int lanes) {
                    QTest::addRow("optimizer %d, statistics %d, %s", int(optimizer), int(mode), name)
                        << int(optimizer) << int(mode) << lean << deferred << lanes;
                };
                row("one lane", false, false, 1);
                row("two lanes", false, false, 2);
                row("lean", true, false, 1);
                row("deferred", false, true, 1);
                row("deferred, lean", true, true, 1);
            }
    }
    void nothingMoves() {
        QFETCH(int, optimizer);
        QFETCH(int, mode);
        QFETCH(bool, lean);
        QFETCH(bool, deferred);
        QFETCH(int, lanes);
        RunConfig config = smallConfig(36, 12, 4);
        config.data.augment = "crop-flip";
        config.batch.lean = lean;
        config.optimizer.name = static_cast<OptimizerKind>(optimizer);
        config.optimizer.momentum = 0.9;
        config.optimizer.weightDecay = 0.1;
        config.numerics.batchNorm = static_cast<BatchNormMode>(mode);
        config.numerics.nonfinite = NonfinitePolicy::SkipUpdate;
        PlainPlanner planner(config, 36, 0);
        (void)planner.next(0);
        const std::int64_t spoilt = planner.next(1).micros[1].ids[2]; // in the middle of the second window
        const QTemporaryDir folder;
        TrainerSetup setup = makeSetup(config, folder, {lanes, 1});
        setup.data = smallImages(36);
        setup.deferred = deferred;
        setup.model = std::make_shared<WithSpoiltSample>(std::make_shared<SmallConvNet>(true, 0.3), spoilt);
        std::vector<CheckpointTensors> after;
        std::vector<WindowRecord> windows;
        for (const std::size_t count : {1, 2, 3}) {
            StopsAfterWindows observer(count);
            QVERIFY(!Trainer::create(setup).value()->train(observer).error);
            QCOMPARE(observer.windows.size(), count);
            after.push_back(tensorsOf(observer.checkpoints.back()));
            windows = observer.windows;
        }
        QVERIFY(windows[0].update && !windows[1].update && windows[2].update);
        QVERIFY(windows[1].nonfinite);
        QCOMPARE(*windows[2].update, 2);
        // Weights and buffers once in the checkpoint and once in the bundle, and the moments.
        QVERIFY(std::ranges::any_of(
            after[0], [](const auto& one) { return one.first.find("running_var") != std::string::npos; }));
        QVERIFY(holds(after[0], "running_var"));
        QVERIFY(holds(after[0], optimizer == int(OptimizerKind::Sgd) ? "momentum_buffer" : "exp_avg_sq"));
        QCOMPARE(firstDifference(after[0], after[1]), std::string());
        QVERIFY(!firstDifference(after[1], after[2]).empty()); // and the next window moves
    }

    // A run whose windows are all skipped ends after 100 in a row, also of two sittings. An update begins the count
    // anew.
    void aHundredInARowEndTheRun_data() {
        QTest::addColumn<int>("policy");
        QTest::addColumn<int>("good");
        QTest::addColumn<int>("stopAfter");
        QTest::addColumn<int>("windows");
        for (const auto policy : {NonfinitePolicy::SkipUpdate, NonfinitePolicy::SkipMicro}) {
            QTest::addRow("policy %d, no update", int(policy)) << int(policy) << 0 << 0 << 100;
            QTest::addRow("policy %d, window 100 makes one", int(policy)) << int(policy) << 100 << 0 << 200;
        }
        QTest::newRow("resumed behind 40") << int(NonfinitePolicy::SkipUpdate) << 0 << 40 << 100;
    }
    void aHundredInARowEndTheRun() {
        QFETCH(int, policy);
        QFETCH(int, good);
        QFETCH(int, stopAfter);
        QFETCH(int, windows);
        RunConfig config = smallConfig(250, 1, 1); // a sample each, in order
        config.data.shuffle = false;
        config.numerics.nonfinite = static_cast<NonfinitePolicy>(policy);
        const QTemporaryDir folder;
        TrainerSetup setup = makeSetup(config, folder);
        setup.model = std::make_shared<AllSpoiltBut>(good - 1);
        std::string bundle;
        if (stopAfter > 0) {
            StopsAfterWindows first(static_cast<std::size_t>(stopAfter));
            QVERIFY(!Trainer::create(setup).value()->train(first).error);
            bundle = first.checkpoints.back().bundlePath;
        }
        RecordingObserver observer;
        const auto trainer = Trainer::create(setup).value();
        QVERIFY(bundle.empty() || trainer->restore(bundle));
        const TrainingEnd end = trainer->train(observer);
        QVERIFY(end.error.has_value());
        QCOMPARE(end.error->code, std::string("training.all-skipped"));
        QCOMPARE(end.error->argument("windows"), std::string("100"));
        QCOMPARE(observer.windows.back().window, windows);
        QCOMPARE(observer.windows.size(), static_cast<std::size_t>(windows - stopAfter));
        QCOMPARE(end.summary.updates, good > 0 ? 1 : 0);
    }
};

QTEST_APPLESS_MAIN(TestSkippedWindows)
} // namespace test_skipped_windows
#include "test_skipped_windows.moc"
