// SPDX-License-Identifier: GPL-3.0-or-later
// A trial computes through the code that trains and leaves nothing behind.
#include "core/engine/engine_trial.h"
#include "core/engine/memory_counter.h"
#include "core/train/checkpoint.h"
#include "core/train/reference.h"
#include "tests/support/numeric.h"
#include "tests/support/training.h"

#include <ATen/ATen.h>
#include <QTest>
#include <numeric>

namespace test_engine_trial {
using namespace accumulus;
using namespace accumulus::test;

namespace {

std::vector<std::int64_t> firstIds(std::int64_t count) {
    std::vector<std::int64_t> ids(static_cast<std::size_t>(count));
    std::iota(ids.begin(), ids.end(), 0);
    return ids;
}

std::vector<double> valuesOf(const at::Tensor& tensor) {
    const at::Tensor dense = tensor.detach().to(at::kDouble).contiguous();
    return {dense.const_data_ptr<double>(), dense.const_data_ptr<double>() + dense.numel()};
}

} // namespace

class TestEngineTrial : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // Any micro-batch, any lanes, lean or not: the reference's gradient, tensor by tensor.
    void anyMicroBatchGivesTheReferencesGradient() {
        const QTemporaryDir folder;
        const std::vector<std::int64_t> ids = firstIds(37);
        for (const bool lean : {false, true})
            for (const std::int64_t micro : {1, 5, 37}) {
                RunConfig config = smallConfig(64, 32, 8);
                config.batch.lean = lean;
                const TrainerSetup setup = makeSetup(config, folder);
                const auto trial = EngineTrial::create(setup, {.micro = micro, .lanes = {lean ? 1 : 3, 1}}).value();
                const auto& state = trial->state();
                const at::Tensor weights = state.parameters.clone();
                const auto window = trial->compute(ids);
                QVERIFY(window.has_value());
                QCOMPARE(window->units, 37);
                QCOMPARE(window->microSteps, (37 + micro - 1) / micro);
                const auto reference = referenceGradient(*state.model, state.parameters, *setup.data, ids);
                QVERIFY(compareRel(window->loss, reference.loss, 1e-12));
                const auto gradients = state.model->layout().views(trial->gradient());
                for (std::size_t i = 0; i < gradients.size(); ++i)
                    QVERIFY(relativeL2(valuesOf(gradients[i]), valuesOf(reference.gradients[i])) < 1e-12);
                QVERIFY(at::equal(weights, state.parameters));
            }
    }

    void computingTwiceGivesTheSameBits() {
        const QTemporaryDir folder;
        const TrainerSetup setup = makeSetup(smallConfig(64, 32, 8), folder);
        const auto trial = EngineTrial::create(setup, {.lanes = {2, 1}}).value();
        QVERIFY(trial->compute(firstIds(32)).has_value());
        const at::Tensor first = trial->gradient().clone();
        QVERIFY(trial->secondsPerSample(0.0).has_value());
        QVERIFY(trial->peakBytes().value() > 0);
        QVERIFY(trial->compute(firstIds(32)).has_value());
        QVERIFY(at::equal(first, trial->gradient()));
    }

    // Weights of a checkpoint: the gradient is the reference's there; another model's file changes nothing.
    void aCheckpointsWeightsTakeThePlaceOfTheInitialOnes() {
        const QTemporaryDir folder;
        RunConfig config = smallConfig(64, 16, 8);
        config.model.name = "resnet18"; // BatchNorm: running statistics come along
        config.model.stem = "cifar";
        config.data.trainLimit = 16;
        config.numerics.batchNorm = BatchNormMode::Frozen;
        const TrainerSetup setup = makeSetup(config, folder);
        const auto trial = EngineTrial::create(setup, {.lanes = {2, 1}}).value();
        const ModelState& state = trial->state();
        const at::Tensor parameters = state.parameters * 1.5;
        const at::Tensor statistics = state.statistics.flat() + 0.25;
        const auto& buffers = state.model->buffers();
        const std::filesystem::path file = setup.folder / "moved.safetensors";
        QVERIFY(saveWeights(file, state.model->layout(), parameters, {}, buffers, statistics).has_value());
        QVERIFY(trial->compute(firstIds(8)).has_value());
        const at::Tensor before = trial->gradient().clone();
        QVERIFY(trial->loadWeights(file).has_value());
        for (std::size_t i = 0; i < state.model->layout().size(); ++i) // gaps are not in the file
            QVERIFY(
                at::equal(state.model->layout().view(state.parameters, i), state.model->layout().view(parameters, i)));
        for (std::size_t i = 0; i < buffers.size(); ++i)
            QVERIFY(at::equal(buffers.view(state.statistics.flat(), i), buffers.view(statistics, i)));
        QVERIFY(trial->compute(firstIds(8)).has_value()); // the lanes see them
        QVERIFY(!at::allclose(before, trial->gradient()));

        const at::Tensor kept = state.parameters.clone();
        const ParameterLayout other({{"another", {3}, 1, false}});
        QVERIFY(saveWeights(setup.folder / "other.safetensors", other, other.allocate(at::kDouble), {}).has_value());
        const auto refused = trial->loadWeights(setup.folder / "other.safetensors");
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, std::string("checkpoint.mismatch"));
        QCOMPARE(trial->loadWeights(setup.folder / "none").error().code, std::string("checkpoint.open"));
        QVERIFY(at::equal(kept, state.parameters));
    }

    void memoryThatDoesNotSufficeIsAnErrorAndTheLimitEndsWithIt() {
        MemoryCounter::setLimit(0);
        const QTemporaryDir folder;
        const TrainerSetup setup = makeSetup(smallConfig(512, 512, 512), folder);
        const auto roomy = EngineTrial::create(setup, {.lanes = {1, 1}}).value();
        const auto peak = roomy->peakBytes();
        QVERIFY(peak.has_value());
        const auto tight =
            EngineTrial::create(setup, {.lanes = {1, 1}, .memoryLimit = MemoryCounter::current() + *peak / 2});
        const auto refused = tight ? (*tight)->peakBytes() : failure(tight.error());
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, std::string("training.memory"));
        QCOMPARE(MemoryCounter::limit(), 0);
    }
};

QTEST_GUILESS_MAIN(TestEngineTrial)
} // namespace test_engine_trial
#include "test_engine_trial.moc"
