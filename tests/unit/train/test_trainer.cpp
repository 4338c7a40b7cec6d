// SPDX-License-Identifier: GPL-3.0-or-later
// Whole runs of the engine: counters, tails, lanes, resume, evaluation, non-finite values, untouched parameters.
#include "core/model/model.h"

#include "tests/support/numeric.h"
#include "tests/support/training.h"

#include <ATen/ATen.h>
#include <QDir>
#include <QTest>
#include <algorithm>
#include <set>

namespace test_trainer {
using namespace accumulus;
using namespace accumulus::test;

namespace {

/// A linear classifier with a parameter that its output does not depend on.
class WithUnusedParameter final : public Model {
public:
    WithUnusedParameter()
        : Model({{"used", {10, 784}, 784, false}, {"unused", {5}, 5, false}, {"bias", {10}, 784, true}}) {}
    at::Tensor forward(std::span<const at::Tensor> p, const at::Tensor& input,
                       ForwardContext& /*context*/) const override {
        return at::linear(input.flatten(1), p[0], p[2]);
    }
};

/// The loss is the same for every sample and every weight: log 10.
class ConstantLoss final : public Model {
public:
    ConstantLoss() : Model({{"w", {10, 784}, 784, false}}) {}
    at::Tensor forward(std::span<const at::Tensor> p, const at::Tensor& input,
                       ForwardContext& /*context*/) const override {
        return at::linear(input.flatten(1), p[0]) * 0.0;
    }
};

/// The logits become NaN from the given call on, once.
class BreaksOnce final : public Model {
public:
    explicit BreaksOnce(int call) : Model({{"w", {10, 784}, 784, false}}), m_call(call) {}
    at::Tensor forward(std::span<const at::Tensor> p, const at::Tensor& input,
                       ForwardContext& /*context*/) const override {
        const at::Tensor out = at::linear(input.flatten(1), p[0]);
        return m_count++ == m_call ? out * std::nan("") : out;
    }

private:
    int m_call;
    mutable int m_count = 0;
};

std::string finalHash(const TrainerSetup& setup) {
    RecordingObserver observer;
    return Trainer::create(setup).value()->train(observer).summary.weightsHash;
}

} // namespace

class TestTrainer : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void countersAgree() {
        QTemporaryDir folder;
        RunConfig config = tinyConfig(1000, 256, 32);
        config.train.length = {2, Extent::Unit::Epochs};
        config.evaluate.every = {1, Extent::Unit::Epochs};
        RecordingObserver observer;
        const auto trainer = Trainer::create(makeSetup(config, folder)).value();
        const TrainingEnd end = trainer->train(observer);
        QVERIFY(!end.error);
        QCOMPARE(trainer->totalUpdates(), 8);
        QCOMPARE(end.summary.updates, 8);
        QCOMPARE(end.summary.microSteps, 64); // 8 + 8 + 8 + 8 (232 samples) twice
        QCOMPARE(end.summary.samples, 2000);
        QCOMPARE(observer.windows.size(), std::size_t{8});
        QCOMPARE(observer.windows.back().samples, 2000);
        QCOMPARE(observer.windows[3].units, 232);
        QCOMPARE(observer.evaluations.size(), std::size_t{2});
        QCOMPARE(observer.evaluations[0].update, 4);
        QVERIFY(compareRel(observer.windows[3].epochPosition, 1.0, 1e-15));
    }

    // T4: with the right tail every epoch starts from an empty accumulator, so its first window holds exactly B; the
    // leak holds more.
    void onlyTheLeakCarriesLeftOvers() {
        QTemporaryDir folder;
        RunConfig config = tinyConfig(97, 32, 8);
        config.train.length = {2, Extent::Unit::Epochs};
        const auto firstOfSecondEpoch = [&](TailPolicy tail) {
            config.batch.tail = tail;
            RecordingObserver observer;
            (void)Trainer::create(makeSetup(config, folder)).value()->train(observer);
            const auto found =
                std::ranges::find_if(observer.windows, [](const WindowRecord& window) { return window.epoch == 1; });
            return *found;
        };
        QCOMPARE(firstOfSecondEpoch(TailPolicy::Apply).units, 32);
        QCOMPARE(firstOfSecondEpoch(TailPolicy::Drop).units, 32);
        const WindowRecord leaked = firstOfSecondEpoch(TailPolicy::Leak);
        QCOMPARE(leaked.units, 33); // one sample was left over
        QCOMPARE(leaked.microSteps, 5);
    }

    void theTailOfALeakMakesNoUpdate() {
        QTemporaryDir folder;
        RunConfig config = tinyConfig(97, 32, 8);
        config.batch.tail = TailPolicy::Leak;
        RecordingObserver observer;
        const TrainingEnd end = Trainer::create(makeSetup(config, folder)).value()->train(observer);
        QCOMPARE(end.summary.updates, 3);
        QCOMPARE(observer.windows.size(), std::size_t{4});
        QVERIFY(!observer.windows.back().update);
    }

    // Ordered commit: the number of lanes never shows in the weights.
    void lanesAreBitIdentical_data() {
        QTest::addColumn<int>("optimizer");
        QTest::addColumn<QString>("model");
        QTest::newRow("sgd, mlp") << int(OptimizerKind::Sgd) << QStringLiteral("mlp");
        QTest::newRow("adamw, lenet5") << int(OptimizerKind::AdamW) << QStringLiteral("lenet5");
        QTest::newRow("adamw, mlp") << int(OptimizerKind::AdamW) << QStringLiteral("mlp");
    }
    void lanesAreBitIdentical() {
        QFETCH(int, optimizer);
        QFETCH(QString, model);
        QTemporaryDir folder;
        RunConfig config = tinyConfig(600, 100, 16); // ragged: 16 x 6 + 4
        config.model.name = model.toStdString();
        config.model.hidden = {96, 64}; // 82 000 parameters: lanes share the closing of a window, too
        config.numerics.precision = Precision::Fp32;
        config.optimizer.name = static_cast<OptimizerKind>(optimizer);
        config.optimizer.momentum = 0.9;
        config.optimizer.lr = 0.01;
        config.optimizer.weightDecay = 0.01;
        config.train.clipNorm = 1.0;
        config.train.length = {3, Extent::Unit::Epochs};
        std::set<std::string> hashes;
        for (const int lanes : {1, 2, 3, 4})
            hashes.insert(finalHash(makeSetup(config, folder, {lanes, 1})));
        QCOMPARE(hashes.size(), std::size_t{1});
        config.batch.micro = 17; // another split rounds differently, or the hash would see nothing
        hashes.insert(finalHash(makeSetup(config, folder)));
        QCOMPARE(hashes.size(), std::size_t{2});
    }

    // Resume at every boundary, for every tail policy and optimizer, ends with the same bits.
    void resumeIsBitIdentical_data() {
        QTest::addColumn<int>("tail");
        QTest::addColumn<int>("optimizer");
        for (const TailPolicy tail : {TailPolicy::Apply, TailPolicy::Drop, TailPolicy::Carry, TailPolicy::Leak})
            for (const OptimizerKind optimizer : {OptimizerKind::Sgd, OptimizerKind::Adam})
                QTest::addRow("tail %d, optimizer %d", int(tail), int(optimizer)) << int(tail) << int(optimizer);
    }
    void resumeIsBitIdentical() {
        QFETCH(int, tail);
        QFETCH(int, optimizer);
        QTemporaryDir folder;
        RunConfig config = tinyConfig(97, 32, 8);
        config.numerics.precision = Precision::Fp32;
        config.batch.tail = static_cast<TailPolicy>(tail);
        config.optimizer.name = static_cast<OptimizerKind>(optimizer);
        config.optimizer.momentum = 0.9;
        config.optimizer.lr = 0.003;
        config.schedule.kind = ScheduleKind::Cosine;
        config.train.length = {3, Extent::Unit::Epochs};
        const std::string whole = finalHash(makeSetup(config, folder));
        for (std::int64_t stop = 1; stop <= 8; ++stop) {
            RecordingObserver observer;
            observer.stopAfterUpdates = stop;
            const TrainingEnd first = Trainer::create(makeSetup(config, folder)).value()->train(observer);
            QVERIFY(first.stopped);
            const auto second = Trainer::create(makeSetup(config, folder)).value();
            QVERIFY(second->restore(observer.checkpoints.back().bundlePath));
            QCOMPARE(second->updatesDone(), stop);
            RecordingObserver rest;
            QCOMPARE(second->train(rest).summary.weightsHash, whole);
        }
    }

    // T16: a linear schedule reaches its end with the last update. Counting micro-steps leaves it almost at the start.
    void theScheduleCountsUpdates() {
        for (const PlantedBug bug : {PlantedBug::None, PlantedBug::ScheduleCountsMicroSteps}) {
            QTemporaryDir folder;
            RunConfig config = tinyConfig(97, 32, 4);
            config.schedule.kind = ScheduleKind::Linear;
            config.train.length = {5, Extent::Unit::Epochs};
            TrainerSetup setup = makeSetup(config, folder);
            setup.bug = bug;
            RecordingObserver observer;
            (void)Trainer::create(setup).value()->train(observer);
            QCOMPARE(observer.windows.size(), std::size_t{20}); // 5 x ceil(97 / 32)
            const double last = observer.windows.back().lr;
            const bool right =
                compareRel(last, config.optimizer.lr / 20.0, 1e-12); // the last of 20 updates decays to 1/20
            QCOMPARE(right, bug == PlantedBug::None);
        }
    }

    // T17: a constant loss plots as that constant for every split and tail.
    void aConstantLossIsFlat() {
        for (const std::int64_t micro : {1, 5, 32})
            for (const TailPolicy tail : {TailPolicy::Apply, TailPolicy::Drop, TailPolicy::Carry}) {
                QTemporaryDir folder;
                RunConfig config = tinyConfig(97, 32, micro);
                config.batch.tail = tail;
                TrainerSetup setup = makeSetup(config, folder);
                setup.model = std::make_shared<ConstantLoss>();
                RecordingObserver observer;
                QVERIFY(!Trainer::create(setup).value()->train(observer).error);
                QCOMPARE(observer.windows.size(), tail == TailPolicy::Apply ? std::size_t{4} : std::size_t{3});
                for (const WindowRecord& window : observer.windows)
                    QVERIFY(compareRel(window.loss, std::log(10.0), 1e-14));
            }
    }

    // T19: an evaluation inside a window changes nothing. The planted bug leaves its gradient behind.
    void anEvaluationInsideAWindowChangesNothing() {
        QTemporaryDir folder;
        const RunConfig config = tinyConfig(97, 32, 8);
        const std::string quiet = finalHash(makeSetup(config, folder));
        for (const PlantedBug bug : {PlantedBug::None, PlantedBug::EvaluationLeavesGradient}) {
            TrainerSetup setup = makeSetup(config, folder);
            setup.bug = bug;
            Trainer* running = nullptr;
            setup.afterCommit = [&](std::int64_t) { (void)running->evaluateNow(); };
            const auto trainer = Trainer::create(setup).value();
            running = trainer.get();
            RecordingObserver observer;
            QCOMPARE(trainer->train(observer).summary.weightsHash == quiet, bug == PlantedBug::None);
        }
    }

    // T22: AdamW with decay leaves a parameter without a gradient bit-unchanged. The planted bug treats it as zero
    // and decays it.
    void anUntouchedParameterStays() {
        for (const PlantedBug bug : {PlantedBug::None, PlantedBug::StepUntouched}) {
            QTemporaryDir folder;
            RunConfig config = tinyConfig(97, 32, 8);
            config.optimizer.name = OptimizerKind::AdamW;
            config.optimizer.weightDecay = 0.1;
            TrainerSetup setup = makeSetup(config, folder);
            setup.model = std::make_shared<WithUnusedParameter>();
            setup.bug = bug;
            const auto trainer = Trainer::create(setup).value();
            const std::vector<double> before = trainer->weights();
            RecordingObserver observer;
            (void)trainer->train(observer);
            const std::vector<double> after = trainer->weights();
            const auto unchanged = [&](std::size_t first, std::size_t count) {
                return std::equal(before.begin() + std::ptrdiff_t(first),
                                  before.begin() + std::ptrdiff_t(first + count),
                                  after.begin() + std::ptrdiff_t(first));
            };
            QVERIFY(!unchanged(0, 7840));
            QCOMPARE(unchanged(7840, 5), bug == PlantedBug::None);
        }
    }

    void aNonfiniteLossStopsWithItsPlaceAndKeepsTheWeights() {
        QTemporaryDir folder;
        TrainerSetup setup = makeSetup(tinyConfig(96, 32, 8), folder);
        setup.model = std::make_shared<BreaksOnce>(6); // third micro-step of the second window
        RecordingObserver observer;
        const auto trainer = Trainer::create(setup).value();
        const TrainingEnd end = trainer->train(observer);
        QVERIFY(end.error);
        QCOMPARE(end.error->code, std::string("training.nonfinite"));
        QCOMPARE(end.error->argument("update"), std::string("2"));
        QCOMPARE(end.error->argument("microStep"), std::string("3"));
        QCOMPARE(end.summary.updates, 1);
        QVERIFY(observer.windows.back().nonfinite);
        QVERIFY(!observer.checkpoints.empty());
        for (const double weight : trainer->weights())
            QVERIFY(std::isfinite(weight));
    }

    void aSkippedWindowChangesNothing() {
        QTemporaryDir folder;
        RunConfig config = tinyConfig(96, 32, 8);
        config.numerics.nonfinite = NonfinitePolicy::SkipUpdate;
        config.optimizer.momentum = 0.9;
        TrainerSetup setup = makeSetup(config, folder);
        setup.model = std::make_shared<BreaksOnce>(6);
        RecordingObserver observer;
        const TrainingEnd end = Trainer::create(setup).value()->train(observer);
        QVERIFY(!end.error);
        QCOMPARE(end.summary.updates, 2);
        QVERIFY(!observer.windows[1].update);
        QCOMPARE(*observer.windows[2].update, 2);
        QCOMPARE(observer.notes, std::vector<std::string>{"training.skipped"});
    }

    // The trainer removes none: whether the library has the row of what takes its place is not known here.
    void checkpointsAreSavedAtTheirIntervals() {
        QTemporaryDir folder;
        RunConfig config = tinyConfig(96, 32, 8);
        config.train.length = {6, Extent::Unit::Epochs};
        config.checkpoint.every = {1, Extent::Unit::Epochs};
        config.checkpoint.keep = 2;
        config.checkpoint.initial = true;
        RecordingObserver observer;
        (void)Trainer::create(makeSetup(config, folder)).value()->train(observer);
        QCOMPARE(observer.checkpoints.front().kind, CheckpointKind::Initial);
        QCOMPARE(observer.checkpoints.back().kind, CheckpointKind::Last);
        const QStringList files = QDir(folder.path()).entryList({QStringLiteral("update-*.safetensors")});
        QCOMPARE(files.size(), 6);
    }

    void theLossIsReportedBeforeTheUpdate() {
        QTemporaryDir folder;
        RecordingObserver observer;
        (void)Trainer::create(makeSetup(tinyConfig(97, 97, 97), folder)).value()->train(observer);
        QVERIFY(observer.windows[0].loss > 2.2 && observer.windows[0].loss < 2.5); // about log 10 at initial weights
    }

    // Evaluations take chunks of 200, far more than a micro-batch of one: training's own peak must not show it.
    void evaluationsHaveAPeakOfTheirOwn() {
        const auto trained = [](Extent every) {
            QTemporaryDir folder;
            RunConfig config = tinyConfig(32, 8, 1);
            config.model.name = "lenet5";
            config.data.testLimit = 200;
            config.train.length = {2, Extent::Unit::Epochs};
            config.evaluate.every = every;
            RecordingObserver observer;
            const TrainingEnd end = Trainer::create(makeSetup(config, folder)).value()->train(observer);
            return std::pair(end.summary, observer);
        };
        const auto [often, oftenTold] = trained({1, Extent::Unit::Updates});
        const auto [once, onceTold] = trained({0, Extent::Unit::Epochs}); // at its end only
        QVERIFY(once.peakBytes > 0 && oftenTold.evaluations.size() == 8);
        QCOMPARE(often.peakBytes, once.peakBytes);
        for (std::size_t i = 0; i < onceTold.windows.size(); ++i)
            QVERIFY(oftenTold.windows[i].peakBytes <= once.peakBytes);
        QCOMPARE(oftenTold.windows.back().peakBytes, once.peakBytes);
        QVERIFY(often.evaluationPeakBytes > 2 * often.peakBytes);
        QCOMPARE(often.evaluationPeakBytes, once.evaluationPeakBytes);
        for (const EvaluationRecord& evaluation : oftenTold.evaluations)
            QCOMPARE(evaluation.peakBytes, often.evaluationPeakBytes);
    }
};

QTEST_APPLESS_MAIN(TestTrainer)
} // namespace test_trainer
#include "test_trainer.moc"
