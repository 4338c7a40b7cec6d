// SPDX-License-Identifier: GPL-3.0-or-later
// Training with frozen parameters: their bits stay, in every optimizer and executor; the others are trained as if the
// frozen ones were constants; neither gradients nor moments take memory for them.
#include "core/base/path_text.h"
#include "core/engine/engine_trial.h"
#include "core/model/safetensors.h"
#include "core/train/checkpoint.h"
#include "tests/support/numeric.h"
#include "tests/support/training.h"

#include <ATen/ATen.h>
#include <QTest>
#include <cstring>

namespace test_frozen_training {
using namespace accumulus;
using namespace accumulus::test;

namespace {

RunConfig frozenConfig() {
    RunConfig config = smallConfig(80, 16, 4);
    config.model.freeze = {"fc1.*", "fc2.bias"};
    config.optimizer.name = OptimizerKind::AdamW;
    config.optimizer.weightDecay = 0.1;
    config.optimizer.lr = 0.01;
    config.train.length = {5, Extent::Unit::Updates};
    return config;
}

/// Parameters before and after, by the layout without gaps.
struct Trained {
    std::vector<double> before, after;
    std::string hash;
};

Trained train(const RunConfig& config, LanePlan lanes = {1, 1}) {
    const QTemporaryDir folder;
    auto trainer = Trainer::create(makeSetup(config, folder, lanes));
    if (!trainer)
        return {};
    Trained trained;
    trained.before = (*trainer)->weights();
    RecordingObserver observer;
    const TrainingEnd end = (*trainer)->train(observer);
    trained.after = (*trainer)->weights();
    trained.hash = end.error ? "" : end.summary.weightsHash;
    return trained;
}

} // namespace

class TestFrozenTraining : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void frozenBitsStayAndTheOthersMove() {
        for (const OptimizerKind optimizer : {OptimizerKind::Sgd, OptimizerKind::Adam, OptimizerKind::AdamW})
            for (const bool lean : {false, true})
                for (const Precision precision : {Precision::Fp64, Precision::Fp32}) {
                    RunConfig config = frozenConfig();
                    config.optimizer.name = optimizer;
                    config.batch.lean = lean;
                    config.numerics.precision = precision;
                    const Trained trained = train(config);
                    QVERIFY(!trained.hash.empty());
                    std::size_t at = 0;
                    // fc1: 784 -> 512, fc2: 512 -> 512, fc3: 512 -> 10
                    const auto same = [&](std::size_t count) {
                        const bool equal =
                            std::memcmp(&trained.before[at], &trained.after[at], count * sizeof(double)) == 0;
                        at += count;
                        return equal;
                    };
                    QVERIFY(same(512 * 784));
                    QVERIFY(same(512));
                    QVERIFY(!same(512 * 512));
                    QVERIFY(same(512));
                    QVERIFY(!same(10 * 512));
                    QVERIFY(!same(10));
                    QCOMPARE(at, trained.before.size());
                }
    }

    void anyLanesGiveTheSameBits() {
        const std::string one = train(frozenConfig()).hash;
        QVERIFY(!one.empty());
        QCOMPARE(train(frozenConfig(), {2, 1}).hash, one);
        QCOMPARE(train(frozenConfig(), {3, 1}).hash, one);
    }

    /// The gradients of what is trained are those of the whole network.
    void trainedGradientsAreThoseOfTheWholeNetwork() {
        const QTemporaryDir folder;
        RunConfig config = frozenConfig(), whole = frozenConfig();
        whole.model.freeze.clear();
        const std::vector<std::int64_t> ids{0, 5, 9, 13, 2, 70, 41};
        const TrainerSetup someSetup = makeSetup(config, folder),
                           allSetup = makeSetup(whole, folder); // they own the data
        const auto some = EngineTrial::create(someSetup, {.lanes = {1, 1}}).value();
        const auto all = EngineTrial::create(allSetup, {.lanes = {1, 1}}).value();
        QVERIFY(some->compute(ids).has_value());
        QVERIFY(all->compute(ids).has_value());
        const ParameterLayout& layout = some->state().model->layout();
        QCOMPARE(some->gradient().numel(), layout.gradientSize());
        QVERIFY(layout.gradientSize() < layout.flatSize() / 2); // fc1 is the larger part
        for (std::size_t i = 0; i < layout.size(); ++i)
            if (layout.specs()[i].trainable)
                QVERIFY(
                    at::equal(layout.view(some->gradient(), i), all->state().model->layout().view(all->gradient(), i)));
        for (const auto& [name, tensor] : some->state().optimizer.state())
            QCOMPARE(tensor.numel(), layout.gradientSize());
    }

    void aStoppedRunGoesOnWithTheSameBits() {
        const std::string whole = train(frozenConfig()).hash;
        const QTemporaryDir folder;
        TrainerSetup setup = makeSetup(frozenConfig(), folder, {2, 1});
        auto first = Trainer::create(setup).value();
        RecordingObserver observer;
        observer.stopAfterUpdates = 2;
        QVERIFY(first->train(observer).stopped);
        QVERIFY(!observer.checkpoints.empty());
        setup.weightsFollow = true;
        auto second = Trainer::create(setup).value();
        QVERIFY(second->restore(observer.checkpoints.back().bundlePath).has_value());
        RecordingObserver rest;
        QCOMPARE(second->train(rest).summary.weightsHash, whole);
    }

    /// A file replaces the draws in every lane, with a layer drawn anew; a bad one is an error of create().
    void weightsOfAFileAreTrained() {
        const QTemporaryDir folder;
        RunConfig config = frozenConfig();
        const auto model = EngineTrial::create(makeSetup(config, folder), {.lanes = {1, 1}}).value()->state().model;
        const at::Tensor other = initialWeights(model->layout(), {}, 42);
        const std::filesystem::path file = folder.path().toStdString() + "/other.safetensors";
        QVERIFY(saveWeights(file, model->layout(), other, {}).has_value());
        config.model.weights = textOfPath(file);
        config.checkpoint.initial = true;
        TrainerSetup setup = makeSetup(config, folder, {2, 1});
        auto trainer = Trainer::create(setup).value();
        QCOMPARE(trainer->hashWeights(), weightsHash(model->layout(), other));
        QVERIFY(!trainer->startNotes().empty());
        QCOMPARE(trainer->frozenCount(), std::int64_t{784 * 512 + 512 + 512});
        const auto trial = EngineTrial::create(setup, {.lanes = {2, 1}}).value();
        QVERIFY(at::equal(trial->state().parameters, other));

        setup.config.model.weights = folder.path().toStdString() + "/none.pt";
        const auto refused = Trainer::create(setup);
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, std::string("weights.open"));
        setup.weightsFollow = true; // a bundle would bring them
        QVERIFY(Trainer::create(setup).has_value());
    }
};

QTEST_APPLESS_MAIN(TestFrozenTraining)
} // namespace test_frozen_training
#include "test_frozen_training.moc"
