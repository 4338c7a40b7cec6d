// SPDX-License-Identifier: GPL-3.0-or-later
// Trap T11 where there is much to restore: BatchNorm's buffers, dropout and augmentation, moments, the loss scale of
// fp16 after a real overflow. A fault in any phase of any micro-step or update, on every path, leaves checkpoint and
// bundle bit for bit those of the clean run. A step that fails inside of the optimizer's kernel, where nothing catches
// what a test throws, ends the run and never gets into a checkpoint.
#include "tests/support/checkpoint_tensors.h"
#include "tests/support/numeric.h"
#include "tests/support/small_nets.h"
#include "tests/support/training.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <QTest>
#include <algorithm>
#include <atomic>
#include <torch/library.h>

namespace test_fault_places {
using namespace accumulus;
using namespace accumulus::test;

namespace {

// 30 samples: windows of 3, 3 and 2 micro-steps.
constexpr std::int64_t samples = 30, windows = 3;

TrainerSetup setupOf(const QTemporaryDir& folder, Precision precision, OptimizerKind optimizer, BatchNormMode mode,
                     int lanes = 1, bool lean = false, bool deferred = false) {
    RunConfig config = smallConfig(samples, 12, 4);
    config.data.augment = "crop-flip";
    config.batch.lean = lean;
    config.optimizer.name = optimizer;
    config.optimizer.momentum = 0.9;
    config.optimizer.weightDecay = 0.1;
    config.optimizer.lr = 0.01;
    config.numerics.precision = precision;
    config.numerics.batchNorm = mode;
    config.train.clipNorm = 1.0;
    TrainerSetup setup = makeSetup(config, folder, {lanes, 1});
    setup.data = smallImages(samples);
    setup.model = std::make_shared<SmallResNet>(true, 0.3);
    setup.deferred = deferred;
    return setup;
}

struct Outcome {
    TrainingEnd end;
    RecordingObserver observer;
    CheckpointTensors tensors;
};

void train(TrainerSetup setup, Outcome& outcome) {
    outcome.end = Trainer::create(std::move(setup)).value()->train(outcome.observer);
    if (!outcome.observer.checkpoints.empty())
        outcome.tensors = tensorsOf(outcome.observer.checkpoints.back());
}

/// Empty: what was recorded of the windows is the same too.
std::string difference(const Outcome& got, const Outcome& clean) {
    if (got.end.error)
        return describe(*got.end.error);
    if (got.observer.windows.size() != clean.observer.windows.size())
        return "other windows";
    for (std::size_t i = 0; i < clean.observer.windows.size(); ++i) {
        const WindowRecord& a = got.observer.windows[i];
        const WindowRecord& b = clean.observer.windows[i];
        if (a.update != b.update || a.units != b.units || a.microSteps != b.microSteps ||
            !compareBits(a.loss, b.loss) || !compareBits(a.gradNorm, b.gradNorm) ||
            !compareBits(a.lossScale, b.lossScale))
            return "window " + std::to_string(i + 1);
    }
    return firstDifference(got.tensors, clean.tensors);
}

/// Throws once, at one place.
FaultInjector failingAt(FaultPoint point, std::int64_t window, std::int64_t microStep,
                        std::shared_ptr<std::atomic<int>> thrown) {
    return [=](FaultPoint p, std::int64_t w, std::int64_t k) {
        if (p == point && w == window && k == microStep && thrown->fetch_add(1) == 0)
            throw std::runtime_error("planted");
    };
}

// The optimizer's kernel, below everything that the engine could know of: counts its calls and fails in one of them,
// before or after the weights were changed.
enum class StepFault { None, Before, After };
StepFault stepFault = StepFault::None;
int stepCalls = 0, failingCall = 0;

void failingStep(const c10::OperatorHandle& op, c10::DispatchKeySet, torch::jit::Stack* stack) {
    const bool fails = ++stepCalls == failingCall;
    if (fails && stepFault == StepFault::Before)
        throw std::runtime_error("planted in the step");
    {
        const at::AutoDispatchBelowADInplaceOrView below;
        op.callBoxed(stack);
    }
    if (fails && stepFault == StepFault::After)
        throw std::runtime_error("planted in the step");
}

} // namespace

TORCH_LIBRARY_IMPL(aten, AutogradCPU, library) {
    library.impl("_fused_adamw_", torch::CppFunction::makeFromBoxedFunction<&failingStep>());
}

class TestFaultPlaces : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        stepFault = StepFault::None;
        stepCalls = failingCall = 0;
    }

    void aFaultAnywhereLeavesNoTrace_data() {
        QTest::addColumn<int>("precision");
        QTest::addColumn<int>("optimizer");
        QTest::addColumn<int>("mode");
        QTest::addColumn<int>("lanes");
        QTest::addColumn<bool>("lean");
        QTest::addColumn<bool>("deferred");
        const auto row = [](const char* name, Precision precision, OptimizerKind optimizer, BatchNormMode mode,
                            int lanes, bool lean, bool deferred) {
            QTest::newRow(name) << int(precision) << int(optimizer) << int(mode) << lanes << lean << deferred;
        };
        constexpr auto micro = BatchNormMode::Micro, pooled = BatchNormMode::Pooled;
        row("fp64, momentum, micro, one lane", Precision::Fp64, OptimizerKind::Sgd, micro, 1, false, false);
        row("fp16, adamw, pooled, one lane", Precision::Fp16, OptimizerKind::AdamW, pooled, 1, false, false);
        row("fp16, momentum, micro, two lanes", Precision::Fp16, OptimizerKind::Sgd, micro, 2, false, false);
        row("fp32, adam, pooled, two lanes", Precision::Fp32, OptimizerKind::Adam, pooled, 2, false, false);
        row("fp32, adamw, pooled, lean", Precision::Fp32, OptimizerKind::AdamW, pooled, 1, true, false);
        row("fp16, momentum, micro, lean", Precision::Fp16, OptimizerKind::Sgd, micro, 1, true, false);
        row("fp32, adamw, micro, deferred", Precision::Fp32, OptimizerKind::AdamW, micro, 1, false, true);
        row("fp16, momentum, pooled, deferred", Precision::Fp16, OptimizerKind::Sgd, pooled, 1, false, true);
    }
    // 27 places (8 micro-steps x forward, backward, commit; 3 updates) x 8 set-ups = 216 cases.
    void aFaultAnywhereLeavesNoTrace() {
        QFETCH(int, precision);
        QFETCH(int, optimizer);
        QFETCH(int, mode);
        QFETCH(int, lanes);
        QFETCH(bool, lean);
        QFETCH(bool, deferred);
        const QTemporaryDir folder;
        const TrainerSetup setup =
            setupOf(folder, static_cast<Precision>(precision), static_cast<OptimizerKind>(optimizer),
                    static_cast<BatchNormMode>(mode), lanes, lean, deferred);
        Outcome clean;
        train(setup, clean);
        QVERIFY(!clean.end.error);
        QCOMPARE(clean.observer.windows.size(), std::size_t(windows));
        QVERIFY(holds(clean.tensors, "running_var"));
        QVERIFY(holds(clean.tensors, optimizer == int(OptimizerKind::Sgd) ? "momentum_buffer" : "exp_avg_sq"));
        if (static_cast<Precision>(precision) == Precision::Fp16) // there is a scale to restore
            QVERIFY(std::ranges::count(clean.observer.notes, "training.overflow") > 0);
        int cases = 0;
        const auto check = [&](FaultPoint point, std::int64_t window, std::int64_t k) -> std::string {
            TrainerSetup failing = setup;
            const auto thrown = std::make_shared<std::atomic<int>>(0);
            failing.fault = failingAt(point, window, k, thrown);
            Outcome outcome;
            train(std::move(failing), outcome);
            ++cases;
            const std::string problem = *thrown == 0 ? "nothing was thrown" : difference(outcome, clean);
            return problem.empty() ? problem
                                   : "point " + std::to_string(int(point)) + ", window " + std::to_string(window) +
                                         ", micro-step " + std::to_string(k) + ": " + problem;
        };
        std::vector<std::string> wrong;
        const auto note = [&](const std::string& problem) {
            if (!problem.empty())
                wrong.push_back(problem);
        };
        for (std::int64_t window = 1; window <= windows; ++window) {
            for (std::int64_t k = 0; k < (window < 3 ? 3 : 2); ++k)
                for (const FaultPoint point : {FaultPoint::Forward, FaultPoint::Backward, FaultPoint::Commit})
                    note(check(point, window, k));
            note(check(FaultPoint::Update, window, 0));
        }
        QCOMPARE(cases, 27);
        for (const std::string& problem : wrong)
            qWarning("%s", problem.c_str());
        QVERIFY(wrong.empty());
    }

    // The mutant keeps what was added before the fault: gradients, and with them everything else.
    void whatIsKeptShows() {
        for (const FaultPoint point : {FaultPoint::Commit, FaultPoint::Update}) {
            const QTemporaryDir folder;
            TrainerSetup setup = setupOf(folder, Precision::Fp64, OptimizerKind::Sgd, BatchNormMode::Micro);
            Outcome clean, outcome;
            train(setup, clean);
            setup.bug = PlantedBug::RetryCommitsTwice;
            setup.fault = failingAt(point, 2, 0, std::make_shared<std::atomic<int>>(0));
            train(std::move(setup), outcome);
            QVERIFY(!difference(outcome, clean).empty());
        }
    }

    void aStepThatFailsIsNotSaved_data() {
        QTest::addColumn<int>("fault");
        QTest::newRow("before the weights change") << int(StepFault::Before);
        QTest::newRow("after they have changed") << int(StepFault::After);
    }
    void aStepThatFailsIsNotSaved() {
        QFETCH(int, fault);
        const QTemporaryDir folder;
        TrainerSetup setup = setupOf(folder, Precision::Fp32, OptimizerKind::AdamW, BatchNormMode::Micro);
        setup.config.checkpoint.every = {1, Extent::Unit::Updates};
        setup.config.checkpoint.keep = 10;
        Outcome clean;
        train(setup, clean);
        QVERIFY(!clean.end.error);
        const int calls = stepCalls; // the kernel really is the one that is called
        QVERIFY(calls >= int(windows) && calls % int(windows) == 0);
        for (std::int64_t window = 2; window <= windows; ++window) {
            stepCalls = 0;
            failingCall = calls / int(windows) * int(window);
            stepFault = static_cast<StepFault>(fault);
            Outcome outcome;
            train(setup, outcome);
            if (!outcome.end.error) { // made again
                QCOMPARE(difference(outcome, clean), std::string());
                continue;
            }
            QCOMPARE(outcome.end.error->code, std::string("training.engine"));
            QVERIFY(outcome.end.error->argument("reason").find("planted in the step") != std::string::npos);
            for (const CheckpointRecord& checkpoint : outcome.observer.checkpoints)
                QVERIFY(checkpoint.update < window);
            stepFault = StepFault::None;
            const auto second = Trainer::create(setup).value();
            QVERIFY(second->restore(outcome.observer.checkpoints.back().bundlePath));
            QCOMPARE(second->updatesDone(), window - 1);
            Outcome rest;
            rest.end = second->train(rest.observer);
            QCOMPARE(firstDifference(tensorsOf(rest.observer.checkpoints.back()), clean.tensors), std::string());
        }
    }

    // T18 with BatchNorm: stopped before any micro-step and resumed, under both kinds of statistics.
    void resumeWithBatchNorm_data() {
        QTest::addColumn<int>("mode");
        QTest::addColumn<bool>("lean");
        QTest::addColumn<bool>("deferred");
        for (const BatchNormMode mode : {BatchNormMode::Micro, BatchNormMode::Pooled}) {
            QTest::addRow("statistics %d, host", int(mode)) << int(mode) << false << false;
            QTest::addRow("statistics %d, lean", int(mode)) << int(mode) << true << false;
            QTest::addRow("statistics %d, deferred", int(mode)) << int(mode) << false << true;
        }
    }
    void resumeWithBatchNorm() {
        QFETCH(int, mode);
        QFETCH(bool, lean);
        QFETCH(bool, deferred);
        struct Stops final : RecordingObserver {
            explicit Stops(int at) : left(at) {}
            Wish proceed() override { return --left < 0 ? Wish::StopNow : Wish::GoOn; }
            int left;
        };
        const QTemporaryDir folder;
        const TrainerSetup setup =
            setupOf(folder, Precision::Fp32, OptimizerKind::AdamW, static_cast<BatchNormMode>(mode), 1, lean, deferred);
        Outcome clean;
        train(setup, clean);
        int stops = 0, forgotten = 0;
        for (int at = 1;; ++at) {
            Stops observer(at);
            if (!Trainer::create(setup).value()->train(observer).stopped)
                break;
            ++stops;
            const auto second = Trainer::create(setup).value();
            QVERIFY(second->restore(observer.checkpoints.back().bundlePath));
            RecordingObserver rest;
            QVERIFY(!second->train(rest).error);
            QCOMPARE(firstDifference(tensorsOf(rest.checkpoints.back()), clean.tensors), std::string());
            // The mutant: a bundle without the open window.
            TrainerSetup forgetful = setup;
            forgetful.bug = PlantedBug::ResumeForgetsWindow;
            Stops again(at);
            (void)Trainer::create(forgetful).value()->train(again);
            const auto third = Trainer::create(setup).value();
            QVERIFY(third->restore(again.checkpoints.back().bundlePath));
            RecordingObserver wrong;
            (void)third->train(wrong);
            forgotten += firstDifference(tensorsOf(wrong.checkpoints.back()), clean.tensors).empty() ? 0 : 1;
        }
        QVERIFY(stops >= 8);
        QCOMPARE(forgotten, 5); // wherever a window was open: after 1 or 2 of 3, 3 and 2 micro-steps
    }
};

QTEST_APPLESS_MAIN(TestFaultPlaces)
} // namespace test_fault_places
#include "test_fault_places.moc"
