// SPDX-License-Identifier: GPL-3.0-or-later
// A window without an update changes nothing: every tensor that a checkpoint and its bundle hold, weights, moments and
// BatchNorm's buffers, is bit for bit that of before it, on every path of the engine.
#include "tests/support/checkpoint_tensors.h"
#include "tests/support/plain_training.h"
#include "tests/support/small_nets.h"
#include "tests/support/training.h"

#include <ATen/ATen.h>
#include <QTest>

using namespace accumulus;
using namespace accumulus::test;

namespace {

struct StopsAfterWindows final : RecordingObserver {
    explicit StopsAfterWindows(std::size_t count) : m_count(count) {}
    Wish proceed() override { return windows.size() >= m_count ? Wish::Stop : Wish::GoOn; }

private:
    std::size_t m_count;
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
};

QTEST_APPLESS_MAIN(TestSkippedWindows)
#include "test_skipped_windows.moc"
