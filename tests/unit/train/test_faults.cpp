// SPDX-License-Identifier: GPL-3.0-or-later
// What fails inside a window is computed again and leaves no trace in the weights (traps T11, T14); memory that runs
// out splits a micro-batch and never changes the effective batch; values that are not finite are left out and the rest
// is divided by what remains.
#include "core/engine/memory_counter.h"
#include "tests/support/numeric.h"
#include "tests/support/training.h"

#include "core/model/model.h"

#include <ATen/ATen.h>
#include <QTest>
#include <algorithm>
#include <atomic>
#include <cmath>

namespace test_faults {
using namespace accumulus;
using namespace accumulus::test;

namespace {

constexpr std::int64_t samples = 97, effective = 32, micro = 8;

RunConfig faultConfig(OptimizerKind optimizer) {
    RunConfig config = tinyConfig(samples, effective, micro); // windows of 4, 4, 4 and 1 micro-steps
    config.data.testLimit = 10;
    config.optimizer.name = optimizer;
    config.optimizer.momentum = 0.9;
    config.optimizer.lr = optimizer == OptimizerKind::Sgd ? 0.05 : 0.001;
    return config;
}

struct Outcome {
    std::vector<double> weights;
    TrainingEnd end;
    RecordingObserver observer;
};

Outcome train(TrainerSetup setup) {
    Outcome outcome;
    auto trainer = Trainer::create(std::move(setup)).value();
    outcome.end = trainer->train(outcome.observer);
    outcome.weights = trainer->weights();
    return outcome;
}

bool sameBits(const std::vector<double>& a, const std::vector<double>& b) {
    return std::ranges::equal(a, b, [](double x, double y) { return compareBits(x, y); });
}

/// A linear classifier that answers NaN for one sample.
class SpoilsOneSample final : public Model {
public:
    explicit SpoilsOneSample(std::int64_t id) : Model({{"w", {10, 784}, 784, false}}), m_id(id) {}
    at::Tensor forward(std::span<const at::Tensor> p, const at::Tensor& input, ForwardContext& context) const override {
        at::Tensor factor = at::ones({input.size(0), 1}, input.scalar_type());
        for (std::size_t row = 0; context.training && row < context.keys.size(); ++row)
            if (context.keys.ids[row] == m_id)
                factor[static_cast<std::int64_t>(row)] = std::nan("");
        return at::linear(input.flatten(1), p[0]) * factor;
    }

private:
    std::int64_t m_id;
};

} // namespace

class TestFaults : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cleanup() { MemoryCounter::setLimit(0); }

    void aFaultAnywhereLeavesNoTrace_data() {
        QTest::addColumn<int>("optimizer");
        QTest::addColumn<int>("lanes");
        QTest::addColumn<bool>("lean");
        QTest::newRow("sgd, one lane") << 0 << 1 << false;
        QTest::newRow("sgd, two lanes") << 0 << 2 << false;
        QTest::newRow("adam, one lane") << 1 << 1 << false;
        QTest::newRow("adam, two lanes") << 1 << 2 << false;
        QTest::newRow("sgd, lean") << 0 << 1 << true;
    }
    // 43 places (13 micro-steps x forward, backward, commit; 4 updates) x 5 set-ups = 215 cases.
    void aFaultAnywhereLeavesNoTrace() {
        QFETCH(int, optimizer);
        QFETCH(int, lanes);
        QFETCH(bool, lean);
        QTemporaryDir folder;
        RunConfig config = faultConfig(static_cast<OptimizerKind>(optimizer));
        config.batch.lean = lean;
        const Outcome clean = train(makeSetup(config, folder, {lanes, 1}));
        QVERIFY(!clean.end.error);
        QCOMPARE(clean.observer.windows.size(), std::size_t{4});
        int cases = 0;
        const auto failAt = [&](FaultPoint point, std::int64_t window, std::int64_t microStep) {
            TrainerSetup setup = makeSetup(config, folder, {lanes, 1});
            std::atomic<int> thrown{0};
            setup.fault = [&](FaultPoint p, std::int64_t w, std::int64_t k) {
                if (p == point && w == window && k == microStep && thrown.fetch_add(1) == 0)
                    throw std::runtime_error("planted");
            };
            const Outcome outcome = train(std::move(setup));
            ++cases;
            return thrown > 0 && !outcome.end.error && sameBits(outcome.weights, clean.weights) &&
                   outcome.observer.windows.size() == 4;
        };
        for (std::int64_t window = 1; window <= 4; ++window) {
            for (std::int64_t k = 0; k < (window < 4 ? 4 : 1); ++k)
                for (const FaultPoint point : {FaultPoint::Forward, FaultPoint::Backward, FaultPoint::Commit})
                    QVERIFY2(
                        failAt(point, window, k),
                        qPrintable(
                            QStringLiteral("point %1, window %2, micro-step %3").arg(int(point)).arg(window).arg(k)));
            QVERIFY(failAt(FaultPoint::Update, window, 0));
        }
        QCOMPARE(cases, 43);
    }

    // The mutant: what was added before the fault stays in the window.
    void whatWasAddedTwiceShows() {
        QTemporaryDir folder;
        const RunConfig config = faultConfig(OptimizerKind::Sgd);
        const Outcome clean = train(makeSetup(config, folder));
        TrainerSetup setup = makeSetup(config, folder);
        setup.bug = PlantedBug::RetryCommitsTwice;
        bool thrown = false;
        setup.fault = [&](FaultPoint p, std::int64_t w, std::int64_t k) {
            if (p == FaultPoint::Commit && w == 2 && k == 1 && !std::exchange(thrown, true))
                throw std::runtime_error("planted");
        };
        const Outcome outcome = train(std::move(setup));
        QVERIFY(!outcome.end.error);
        QVERIFY(!sameBits(outcome.weights, clean.weights));
    }

    void whatFailsAgainEndsTheRunAtItsLastBoundary() {
        QTemporaryDir folder;
        TrainerSetup setup = makeSetup(faultConfig(OptimizerKind::Sgd), folder);
        setup.fault = [](FaultPoint p, std::int64_t w, std::int64_t k) {
            if (p == FaultPoint::Backward && w == 3 && k == 2)
                throw std::runtime_error("planted");
        };
        const Outcome outcome = train(std::move(setup));
        QVERIFY(outcome.end.error);
        QCOMPARE(outcome.end.error->code, std::string("training.engine"));
        QCOMPARE(outcome.observer.windows.size(), std::size_t{2});
        QCOMPARE(outcome.observer.checkpoints.back().update, std::int64_t{2});
    }

    // T14: by type. A text that says "out of memory" is a fault like any other; OutOfMemory and bad_alloc split the
    // micro-batch.
    void memoryIsRecognisedByType() {
        QTemporaryDir folder;
        const auto noteOf = [&](const std::function<void()>& fail) {
            TrainerSetup setup = makeSetup(faultConfig(OptimizerKind::Sgd), folder);
            bool thrown = false;
            setup.fault = [&](FaultPoint p, std::int64_t w, std::int64_t k) {
                if (p == FaultPoint::Forward && w == 2 && k == 1 && !std::exchange(thrown, true))
                    fail();
            };
            const Outcome outcome = train(std::move(setup));
            return outcome.observer.notes.empty() ? std::string() : outcome.observer.notes.front();
        };
        QCOMPARE(noteOf([] { throw std::runtime_error("CUDA out of memory"); }), std::string("training.retried"));
        QCOMPARE(noteOf([] { throw std::bad_alloc(); }), std::string("memory.resplit"));
        QCOMPARE(noteOf([] { throw OutOfMemory(1, 2, 3); }), std::string("memory.resplit"));
    }

    void aLimitSplitsTheMicroBatchAndKeepsTheBatch_data() {
        QTest::addColumn<int>("lanes");
        QTest::addColumn<bool>("lean");
        QTest::newRow("one lane") << 1 << false;
        QTest::newRow("two lanes") << 2 << false;
        QTest::newRow("lean") << 1 << true;
    }
    void aLimitSplitsTheMicroBatchAndKeepsTheBatch() {
        QFETCH(int, lanes);
        QFETCH(bool, lean);
        QTemporaryDir folder;
        RunConfig config = tinyConfig(256, 128, 64);
        config.model.name = "lenet5"; // activations weigh more than parameters
        config.batch.lean = lean;
        const std::int64_t before = MemoryCounter::current();
        const Outcome clean = train(makeSetup(config, folder, {lanes, 1}));
        const std::int64_t needed = clean.end.summary.peakBytes - before;
        QVERIFY(needed > (4 << 20));

        RunConfig limited = config;
        limited.device.memoryLimit = std::to_string(MemoryCounter::current() + needed * 6 / 10);
        const Outcome outcome = train(makeSetup(limited, folder, {lanes, 1}));
        QVERIFY2(!outcome.end.error, outcome.end.error ? describe(*outcome.end.error).c_str() : "");
        QVERIFY(std::ranges::count(outcome.observer.notes, "memory.resplit") > 0);
        QCOMPARE(outcome.observer.windows.size(), clean.observer.windows.size());
        for (const WindowRecord& window : outcome.observer.windows)
            QCOMPARE(window.units, std::int64_t{128});
        // The same sums in another order, fp64, two updates.
        QVERIFY(relativeL2(outcome.weights, clean.weights) < 1e-12);

        limited.device.onOom = OnOutOfMemory::Stop;
        const Outcome stopped = train(makeSetup(limited, folder, {lanes, 1}));
        QVERIFY(stopped.end.error);
        QCOMPARE(stopped.end.error->code, std::string("training.memory"));
    }

    void oneSampleThatDoesNotFitIsAnError() {
        QTemporaryDir folder;
        RunConfig config = tinyConfig(64, 32, 16);
        config.model.name = "lenet5";
        TrainerSetup setup = makeSetup(config, folder);
        setup.fault = [](FaultPoint p, std::int64_t w, std::int64_t) {
            if (p == FaultPoint::Forward && w == 2)
                throw OutOfMemory(1, 2, 3);
        };
        const Outcome outcome = train(std::move(setup));
        QVERIFY(outcome.end.error);
        QCOMPARE(outcome.end.error->code, std::string("training.memory"));
    }

    void whatFittedForLongGrowsBack() {
        QTemporaryDir folder;
        RunConfig config = tinyConfig(280, 4, 4);
        TrainerSetup setup = makeSetup(config, folder);
        std::atomic<int> thrown{0};
        setup.fault = [&](FaultPoint p, std::int64_t w, std::int64_t) {
            if (p == FaultPoint::Forward && w == 3 && thrown.fetch_add(1) == 0)
                throw OutOfMemory(1, 2, 3);
        };
        const Outcome outcome = train(std::move(setup));
        QVERIFY(!outcome.end.error);
        QCOMPARE(outcome.observer.notes, (std::vector<std::string>{"memory.resplit", "memory.whole"}));
    }

    // skip-micro: the window's gradient is the mean over the micro-batches that remain.
    void aSpoiltMicroBatchIsLeftOut() {
        QTemporaryDir folder;
        RunConfig config = tinyConfig(64, 64, 16);
        config.data.shuffle = false;
        config.numerics.nonfinite = NonfinitePolicy::SkipMicro;
        const auto gradientOf = [&](std::int64_t spoilt, std::vector<WindowRecord>& windows) {
            TrainerSetup setup = makeSetup(config, folder);
            setup.model = std::make_shared<SpoilsOneSample>(spoilt);
            std::vector<double> gradient;
            setup.gradientProbe = [&](const WindowRecord&, const std::vector<double>& values) { gradient = values; };
            windows = train(std::move(setup)).observer.windows;
            return gradient;
        };
        std::vector<WindowRecord> windows;
        const std::vector<double> remaining = gradientOf(17, windows); // in the second micro-batch
        QCOMPARE(windows.size(), std::size_t{1});
        QCOMPARE(windows[0].leftOut, std::int64_t{1});
        QCOMPARE(windows[0].units, std::int64_t{48});
        QVERIFY(!windows[0].nonfinite);
        // By hand: the first, third and fourth micro-batch as windows of their own, same weights.
        std::vector<double> expected(remaining.size(), 0.0);
        config.batch.effective = 16;
        config.optimizer.lr = 1e-300; // the weights stay
        TrainerSetup setup = makeSetup(config, folder);
        setup.model = std::make_shared<SpoilsOneSample>(-1);
        std::int64_t window = 0;
        setup.gradientProbe = [&](const WindowRecord&, const std::vector<double>& values) {
            if (++window != 2)
                for (std::size_t i = 0; i < values.size(); ++i)
                    expected[i] += values[i] / 3.0;
        };
        (void)train(std::move(setup));
        QVERIFY(relativeL2(remaining, expected) < 1e-12);
    }
};

QTEST_APPLESS_MAIN(TestFaults)
} // namespace test_faults
#include "test_faults.moc"
