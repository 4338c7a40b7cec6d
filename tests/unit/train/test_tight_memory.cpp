// SPDX-License-Identifier: GPL-3.0-or-later
// A run on one lane trains within the peak memory that was measured of it, to the byte: its start, evaluations and
// checkpoints take no more, nor does a window that held something before its first micro-step and is kept beside, in
// case that it must be computed anew.
#include "core/train/memory_trial.h"
#include "tests/support/training.h"

#include <QTest>
#include <atomic>

namespace test_tight_memory {
using namespace accumulus;
using namespace accumulus::test;

namespace {

constexpr int stopAfter = 3; ///< micro-steps, of windows of two

struct Stops final : RecordingObserver {
    Wish proceed() override { return committed >= stopAfter ? Wish::StopNow : Wish::GoOn; }
    std::atomic<int> committed = 0;
};

TrainerSetup tightSetup(const QTemporaryDir& folder, OptimizerKind optimizer, bool lean,
                        const std::function<void(RunConfig&)>& change = {}) {
    RunConfig config = smallConfig(76, 16, 8); // 4 windows and 12 samples
    config.numerics.precision = Precision::Fp32;
    config.optimizer.name = optimizer;
    config.optimizer.momentum = 0.0;
    config.batch.lean = lean;
    config.train.length = {8, Extent::Unit::Updates};
    if (change)
        change(config);
    TrainerSetup setup = makeSetup(config, folder);
    const auto peak = measurePeakMemory(setup);
    if (!peak)
        qFatal("%s", describe(peak.error()).c_str());
    setup.config.device.memoryLimit = std::to_string(*peak);
    return setup;
}

std::string described(const TrainingEnd& end) { return end.error ? describe(*end.error) : "trained"; }

} // namespace

class TestTightMemory : public QObject {
    Q_OBJECT

    static void rows() {
        QTest::addColumn<OptimizerKind>("optimizer");
        QTest::addColumn<bool>("lean");
        for (const auto optimizer : {OptimizerKind::Sgd, OptimizerKind::Adam})
            for (const bool lean : {false, true})
                QTest::addRow("%s, %s", optimizer == OptimizerKind::Sgd ? "sgd" : "adam", lean ? "lean" : "plain")
                    << optimizer << lean;
    }

private Q_SLOTS:
    // One micro-step of the second window is done.
    void stoppedInTheMiddle_data() { rows(); }
    void stoppedInTheMiddle() {
        QFETCH(const OptimizerKind, optimizer);
        QFETCH(const bool, lean);
        const QTemporaryDir folder;
        const TrainerSetup setup = tightSetup(folder, optimizer, lean);
        RecordingObserver undisturbed;
        const TrainingEnd whole = Trainer::create(setup).value()->train(undisturbed);
        QCOMPARE(described(whole), std::string("trained"));

        Stops stops;
        TrainerSetup stopped = setup;
        stopped.afterCommit = [&](std::int64_t) { ++stops.committed; };
        QVERIFY(Trainer::create(stopped).value()->train(stops).stopped);
        const auto trainer = Trainer::create(setup).value();
        QVERIFY(trainer->restore(stops.checkpoints.back().bundlePath));
        RecordingObserver rest;
        const TrainingEnd end = trainer->train(rest);
        QCOMPARE(described(end), std::string("trained"));
        QCOMPARE(std::ranges::count(rest.notes, "memory.resplit"), 0);
        QCOMPARE(end.summary.weightsHash, whole.summary.weightsHash);
    }

    void everyEventFits_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<Precision>("precision");
        QTest::addColumn<OptimizerKind>("optimizer");
        QTest::addColumn<bool>("lean");
        const auto add = [](const char* model, Precision precision, OptimizerKind optimizer, bool lean) {
            const char* bits = precision == Precision::Fp32   ? "fp32"
                               : precision == Precision::Bf16 ? "bf16"
                               : precision == Precision::Fp16 ? "fp16"
                                                              : "fp64";
            QTest::addRow("%s, %s, %s, %s", model, bits, optimizer == OptimizerKind::Sgd ? "sgd" : "adamw",
                          lean ? "lean" : "plain")
                << QString(model) << precision << optimizer << lean;
        };
        for (const char* model : {"mlp", "lenet5", "char-gpt"})
            for (const Precision precision : {Precision::Fp32, Precision::Bf16, Precision::Fp16, Precision::Fp64})
                for (const auto optimizer : {OptimizerKind::Sgd, OptimizerKind::AdamW})
                    for (const bool lean : {false, true})
                        add(model, precision, optimizer, lean);
        add("resnet18", Precision::Fp32, OptimizerKind::AdamW, true); // the slowest, for the largest tensors
        add("resnet18", Precision::Bf16, OptimizerKind::AdamW, false);
    }
    // Evaluations, checkpoints and the clipping of gradients.
    void everyEventFits() {
        QFETCH(const QString, model);
        QFETCH(const Precision, precision);
        QFETCH(const OptimizerKind, optimizer);
        QFETCH(const bool, lean);
        const QTemporaryDir folder;
        TrainerSetup setup = tightSetup(folder, optimizer, lean, [&](RunConfig& config) {
            config.model.name = model.toStdString();
            if (model == "resnet18") {
                config.data.dataset = "textures-generated";
                config.data.resize = 16;
                config.model.stem = "cifar";
                config.train.length = {2, Extent::Unit::Updates};
            } else if (model == "char-gpt") {
                config.data.dataset = "tinyshakespeare";
                config.data.block = 8;
                config.model.layers = 1;
                config.model.heads = 2;
                config.model.width = 16;
            }
            config.numerics.precision = precision;
            config.train.clipNorm = 0.5;
            config.evaluate.every = {1, Extent::Unit::Updates};
            config.checkpoint.every = {2, Extent::Unit::Updates};
        });
        RecordingObserver observer;
        const auto trainer = Trainer::create(setup);
        QVERIFY2(trainer, trainer ? "" : describe(trainer.error()).c_str());
        const TrainingEnd end = (*trainer)->train(observer);
        QCOMPARE(described(end), std::string("trained"));
        QCOMPARE(std::ranges::count(observer.notes, "memory.resplit"), 0);
    }

    void leftByALeakingTail_data() { rows(); }
    void leftByALeakingTail() {
        QFETCH(const OptimizerKind, optimizer);
        QFETCH(const bool, lean);
        const QTemporaryDir folder;
        TrainerSetup setup = tightSetup(folder, optimizer, lean);
        setup.config.batch.tail = TailPolicy::Leak;
        RecordingObserver observer;
        const TrainingEnd end = Trainer::create(setup).value()->train(observer);
        QCOMPARE(described(end), std::string("trained"));
        QCOMPARE(std::ranges::count(observer.notes, "memory.resplit"), 0);
    }
};

QTEST_APPLESS_MAIN(TestTightMemory)
} // namespace test_tight_memory
#include "test_tight_memory.moc"
