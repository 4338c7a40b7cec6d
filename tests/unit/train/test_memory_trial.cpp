// SPDX-License-Identifier: GPL-3.0-or-later
// Trap T13: what the first micro-batch takes says nothing of what a run takes. The oracle is training itself, under the
// limit that the probe found.
#include "core/engine/memory_counter.h"
#include "core/train/lane_calibration.h"
#include "core/train/memory_trial.h"
#include "tests/support/training.h"

#include <QTest>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>

namespace test_memory_trial {
using namespace accumulus;
using namespace accumulus::test;

namespace {

/// Activations outweigh everything that is there from the start: 8 micro-batches of 512 through an MLP, on two lanes.
TrainerSetup wideSetup(const QTemporaryDir& folder, int lanes) {
    RunConfig config = smallConfig(4096, 4096, 512);
    config.numerics.precision = Precision::Fp32;
    config.optimizer.name = OptimizerKind::Adam;
    config.train.length = {3, Extent::Unit::Updates};
    static const TrainerSetup first = makeSetup(config, folder); // its data set is drawn once
    TrainerSetup setup;
    setup.config = config;
    setup.lanes = {lanes, 1};
    setup.data = first.data;
    setup.folder = folder.path().toStdString();
    return setup;
}

/// Makes two lanes hold their activations at the same time in the first window, as an unlucky run would.
FaultInjector unluckyTiming() {
    return [arrived = std::make_shared<std::atomic<int>>(0)](FaultPoint point, std::int64_t, std::int64_t) {
        if (point != FaultPoint::Backward || arrived->fetch_add(1) >= 2)
            return;
        const auto until =
            std::chrono::steady_clock::now() + std::chrono::seconds(2); // where the other one failed for want of memory
        while (arrived->load() < 2 && std::chrono::steady_clock::now() < until)
            std::this_thread::yield();
    };
}

bool resplits(TrainerSetup setup, std::int64_t limit) {
    setup.config.device.memoryLimit = std::to_string(limit);
    setup.fault = unluckyTiming();
    auto trainer = Trainer::create(std::move(setup));
    if (!trainer)
        qFatal("%s", describe(trainer.error()).c_str());
    RecordingObserver observer;
    const TrainingEnd end = (*trainer)->train(observer);
    return end.error || std::ranges::count(observer.notes, "memory.resplit") > 0;
}

} // namespace

class TestMemoryTrial : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aRunFitsIntoWhatWasProbed() {
        const QTemporaryDir folder;
        const auto peak = measurePeakMemory(wideSetup(folder, 2));
        QVERIFY(peak.has_value());
        // Between the probe and the run the lanes' backward passes overlap differently; one lane's gradient (2.7 MB) is
        // room enough.
        QVERIFY(!resplits(wideSetup(folder, 2), *peak + (3 << 20)));
        QVERIFY(resplits(wideSetup(folder, 2), *peak * 3 / 4)); // the limit is one
    }

    void theFirstMicroBatchProvesNothing() {
        const QTemporaryDir folder;
        TrainerSetup setup = wideSetup(folder, 2);
        setup.bug = PlantedBug::ProbesTooEarly;
        const auto tooEarly = measurePeakMemory(setup);
        QVERIFY(tooEarly.has_value());
        QVERIFY(resplits(wideSetup(folder, 2), *tooEarly + (3 << 20)));
    }

    void probingAgainGivesTheSame() {
        const QTemporaryDir folder;
        const auto first = measurePeakMemory(wideSetup(folder, 1));
        const auto second = measurePeakMemory(wideSetup(folder, 1));
        QVERIFY(first && second);
        QVERIFY(std::abs(*first - *second) < 64 << 10); // one lane: only the allocator's rounding
    }

    void lanesThatDoNotFitAreNotTaken() {
        const QTemporaryDir folder;
        const auto one = measurePeakMemory(wideSetup(folder, 1));
        const auto two = measurePeakMemory(wideSetup(folder, 2));
        QVERIFY(one && two && *two > *one + (4 << 20));
        TrainerSetup setup = wideSetup(folder, 1);
        setup.config.device.lanes = 0;
        const std::int64_t limit = (*one + *two) / 2;
        setup.config.device.memoryLimit = std::to_string(limit);
        const auto plan = calibrateLanes(setup, 2);
        QVERIFY(plan.has_value());
        QCOMPARE(plan->lanes, 1);
        QVERIFY(!resplits(wideSetup(folder, plan->lanes), limit));
        // Probed too early, two lanes look as if they fitted, and do not. Which lanes calibration takes is measured
        // then.
        setup = wideSetup(folder, 2);
        setup.bug = PlantedBug::ProbesTooEarly;
        const auto wrong = measurePeakMemory(std::move(setup));
        QVERIFY(wrong && *wrong < limit);
        QVERIFY(resplits(wideSetup(folder, 2), limit));
    }

    // Trials live side by side, within the memory there is: a plan that does not fit beside them is left out.
    void calibrationTakesNoMoreThanThereIs() {
        const QTemporaryDir folder;
        TrainerSetup setup = wideSetup(folder, 1);
        const auto one = measurePeakMemory(setup);
        setup.lanes = {2, 1};
        const auto two = measurePeakMemory(setup);
        QVERIFY(one && two);
        setup.config.device.lanes = 0;
        // Two lanes fit alone, not beside the trial of one.
        const auto available = static_cast<std::int64_t>(static_cast<double>(*two) * 1.05 / laneMemoryShare);
        const std::int64_t before = MemoryCounter::current();
        MemoryCounter::resetPeak();
        const auto plan = calibrateLanes(setup, 2, available);
        QVERIFY(plan.has_value());
        const std::int64_t taken = MemoryCounter::peak() - before;
        QVERIFY2(static_cast<double>(taken) <= laneMemoryShare * static_cast<double>(available),
                 qPrintable(QString("%1 of %2; one lane: %3, two: %4").arg(taken).arg(available).arg(*one).arg(*two)));
        QVERIFY(calibrateLanes(setup, 2, 0)); // unknown: no bound
    }

    // The second window is the short end of the epoch: one micro-step for two lanes. Nobody waits for the other lane
    // (the probe would take its 30 seconds).
    void aShortWindowKeepsNobodyWaiting() {
        const QTemporaryDir folder;
        TrainerSetup setup = wideSetup(folder, 2);
        setup.config.batch.effective = 4000;
        const auto started = std::chrono::steady_clock::now();
        QVERIFY(measurePeakMemory(std::move(setup)));
        QVERIFY(std::chrono::steady_clock::now() - started < std::chrono::seconds(25));
    }

    // Wherever the second lane is refused memory, in its forward pass or later, the first does not wait for it.
    void aLaneThatFailedKeepsNobodyWaiting() {
        const QTemporaryDir folder;
        const auto one = measurePeakMemory(wideSetup(folder, 1)), two = measurePeakMemory(wideSetup(folder, 2));
        QVERIFY(one && two);
        const auto started = std::chrono::steady_clock::now();
        constexpr int steps = 12;
        for (int step = 0; step < steps; ++step) {
            const auto peak = measurePeakMemory(wideSetup(folder, 2), *one + (*two - *one) * step / steps);
            QVERIFY(peak ? step > 0 : peak.error().code == "training.memory");
        }
        QVERIFY(std::chrono::steady_clock::now() - started < std::chrono::seconds(25));
    }

    void errorsOfTheSetUpAreTold() {
        const QTemporaryDir folder;
        TrainerSetup setup = wideSetup(folder, 1);
        setup.config.batch.effective = 5000; // more than there are samples
        QVERIFY(!measurePeakMemory(std::move(setup)));
    }
};

QTEST_GUILESS_MAIN(TestMemoryTrial)
} // namespace test_memory_trial
#include "test_memory_trial.moc"
