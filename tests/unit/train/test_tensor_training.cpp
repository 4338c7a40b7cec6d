// SPDX-License-Identifier: GPL-3.0-or-later
// Training on a person's own tensors: every window against the fp64 reference, whose arithmetic is its own; the same
// bits for any number of lanes, from a map and from memory, after a resume, and in parts made for a device.
#include "core/engine/batch_source.h"
#include "core/engine/input_shape.h"
#include "core/train/reference.h"
#include "core/window/window_planner.h"
#include "tests/support/numeric.h"
#include "tests/support/training.h"
#include "tests/unit/data/tensor_bytes.h"

#include <QTest>

using namespace accumulus;
using namespace accumulus::test;

namespace {

constexpr std::int64_t samples = 64;

/// Learnable: the class is the place of the largest of the first five numbers.
struct Made {
    std::vector<float> inputs;
    std::vector<std::int64_t> targets;
};
Made makeSamples(std::int64_t count, std::int64_t size) {
    Made made;
    std::mt19937_64 engine(7);
    for (std::int64_t i = 0; i < count; ++i) {
        for (std::int64_t j = 0; j < size; ++j)
            made.inputs.push_back(static_cast<float>(engine() % 2001) / 1000.0F - 1.0F);
        const auto first = made.inputs.end() - size;
        made.targets.push_back(std::max_element(first, first + 5) - first);
    }
    return made;
}

/// Samples [3, 4, 4] with labels; every tenth target is ignored where `ignored`.
std::string npz(bool deflated = false, bool ignored = false) {
    Made made = makeSamples(samples, 48);
    for (std::size_t i = 0; ignored && i < made.targets.size(); i += 10)
        made.targets[i] = -100;
    return zipBytes({{"inputs.npy", npyBytes("<f4", "(64, 3, 4, 4)", bytesOf(made.inputs)), deflated},
                     {"targets.npy", npyBytes("<i8", "(64,)", bytesOf(made.targets)), deflated},
                     {"test_inputs.npy", npyBytes("<f4", "(64, 3, 4, 4)", bytesOf(made.inputs)), deflated},
                     {"test_targets.npy", npyBytes("<i8", "(64,)", bytesOf(made.targets)), deflated}});
}

RunConfig configOf(const QTemporaryDir& folder, const std::string& bytes, std::int64_t micro = 4) {
    const std::string file = folder.filePath("data.npz").toStdString();
    std::filesystem::remove(file);
    std::ofstream(file, std::ios::binary) << bytes;
    RunConfig config = smallConfig(0, 16, micro);
    config.data.dataset = "tensors";
    config.data.testLimit = 0;
    config.data.path = file;
    config.model.hidden = {16};
    config.train.length = {6, Extent::Unit::Updates};
    return config;
}

std::string hashOfRun(const RunConfig& config, const QTemporaryDir& folder, LanePlan lanes = {1, 1}) {
    RecordingObserver observer;
    const TrainingEnd end = Trainer::create(makeSetup(config, folder, lanes)).value()->train(observer);
    return end.error ? describe(*end.error) : end.summary.weightsHash;
}

/// The largest difference of a window's gradient and loss from the reference, at weights that stay initial.
double worstOfWindows(RunConfig config, const QTemporaryDir& folder) {
    config.optimizer.lr = 1e-30;
    TrainerSetup setup = makeSetup(config, folder, {2, 1});
    const auto model = makeModel(config.model, inputShape(*setup.data, config.loss.kind)).value();
    const at::Tensor initial = initialWeights(model->layout(), config.model, 0);
    WindowPlanner planner(resolveBatch(config.batch).value(), config.batch.tail, setup.data->trainCount(), true, 0, 0);
    double worst = 0.0;
    setup.gradientProbe = [&](const WindowRecord& record, const std::vector<double>& gradient) {
        const auto reference = referenceGradient(*model, initial, *setup.data, planner.next()->ids);
        std::size_t place = 0;
        for (const at::Tensor& tensor : reference.gradients) {
            const at::Tensor wanted = tensor.contiguous().view({-1});
            for (std::int64_t i = 0; i < wanted.numel(); ++i, ++place)
                worst = std::max(worst, std::abs(gradient[place] - wanted[i].item<double>()));
        }
        worst = std::max(worst, std::abs(record.loss - reference.loss));
    };
    RecordingObserver observer;
    const TrainingEnd end = Trainer::create(setup).value()->train(observer);
    return end.error || observer.windows.size() < 4 ? 1.0 : worst;
}

} // namespace

class TestTensorTraining : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // Elements of gradients are below 1, sums of some hundred products of such: rounding is far below 1e-14.
    void everyWindowIsTheLargeBatch() {
        const QTemporaryDir folder;
        RunConfig config = configOf(folder, npz());
        double worst = worstOfWindows(config, folder);
        QVERIFY2(worst < 1e-14, qPrintable(QString::number(worst)));
        config.data.mean = {0.1, -0.2, 0.3};
        config.data.deviation = {0.5, 0.6, 0.7};
        worst = worstOfWindows(config, folder);
        QVERIFY2(worst < 1e-14, qPrintable(QString::number(worst)));
        config = configOf(folder, npz(false, true)); // targets that bear no loss
        config.loss.normalise = Normalise::Tokens;
        worst = worstOfWindows(config, folder);
        QVERIFY2(worst < 1e-14, qPrintable(QString::number(worst)));
    }

    void itLearns() {
        const QTemporaryDir folder;
        RunConfig config = configOf(folder, npz());
        config.optimizer.lr = 0.2;
        config.train.length = {60, Extent::Unit::Epochs};
        RecordingObserver observer;
        const TrainingEnd end = Trainer::create(makeSetup(config, folder)).value()->train(observer);
        QVERIFY(!end.error);
        QVERIFY2(end.summary.testAccuracy.value_or(0.0) > 0.95,
                 qPrintable(QString::number(end.summary.testAccuracy.value_or(0.0))));
    }

    // Whether the file is mapped or was unpacked makes no difference either.
    void lanesHaveTheSameBits() {
        const QTemporaryDir folder;
        std::set<std::string> hashes;
        for (const bool deflated : {false, true})
            for (const int lanes : {1, 2, 3}) {
                RunConfig config = configOf(folder, npz(deflated));
                config.numerics.precision = Precision::Fp32;
                hashes.insert(hashOfRun(config, folder, {lanes, 1}));
            }
        QCOMPARE(hashes.size(), std::size_t{1});
        QCOMPARE(hashes.begin()->size(), std::size_t{32});
    }

    void resumeIsBitIdentical() {
        const QTemporaryDir folder;
        const RunConfig config = configOf(folder, npz());
        const std::string whole = hashOfRun(config, folder);
        RecordingObserver observer;
        observer.stopAfterUpdates = 3;
        QVERIFY(Trainer::create(makeSetup(config, folder)).value()->train(observer).stopped);
        const auto second = Trainer::create(makeSetup(config, folder)).value();
        QVERIFY(second->restore(observer.checkpoints.back().bundlePath));
        RecordingObserver rest;
        QCOMPARE(second->train(rest).summary.weightsHash, whole);
    }

    // As on a device: made on the CPU and copied, since tensors need not fit.
    void theDeferredPathIsTheSameGradient() {
        const QTemporaryDir folder;
        const RunConfig config = configOf(folder, npz());
        const std::string whole = hashOfRun(config, folder);
        TrainerSetup setup = makeSetup(config, folder);
        setup.deferred = true;
        RecordingObserver observer;
        const TrainingEnd end = Trainer::create(setup).value()->train(observer);
        QVERIFY2(!end.error, end.error ? describe(*end.error).c_str() : "");
        QCOMPARE(end.summary.updates, 6);
        ResidentData resident(setup.data, at::kDouble, at::kCPU);
        QVERIFY(!resident.part(DataPart::Train));
    }

    void batchesHaveTheShapesOfTheFile() {
        const QTemporaryDir folder;
        const std::string file = folder.filePath("a").toStdString();
        std::ofstream(file, std::ios::binary)
            << safetensorsBytes({{"inputs", "I32", "[3,2]", bytesOf<std::int32_t>({1, 2, 3, 4, 5, -6})},
                                 {"targets", "F16", "[3,1,2]", bytesOf<std::uint16_t>({0, 0x3C00, 0, 0, 0xC000, 0})}});
        DataConfig config;
        config.dataset = "tensors";
        config.path = file;
        config.validation = 1;
        const auto data = loadDataset(config, {}).value();
        BatchSource source(*data, DataPart::Validation, Task::Classify, true, at::kFloat, 4);
        const std::array<std::int64_t, 3> ids{0, 0, 0}, epochs{};
        const Batch batch = source.fill({0, ids, epochs});
        QCOMPARE(batch.input.scalar_type(), at::kLong);
        QVERIFY(batch.input.sizes() == at::IntArrayRef({3, 2}) && batch.targets.sizes() == at::IntArrayRef({3, 1, 2}));
        QCOMPARE(batch.targets.scalar_type(), at::kFloat);
        QVERIFY(batch.input[2][1].item<std::int64_t>() == -6 && batch.targets[1][0][0].item<float>() == -2.0F);
        QVERIFY(batch.bearing.targets == 6 && batch.bearing.samples == 3);
    }

    void modelsSayWhatTheyTake() {
        const auto made = [](const char* name, InputShape shape) {
            ModelConfig config;
            config.name = name;
            shape.kind = SampleKind::Tensors;
            const auto model = makeModel(config, shape);
            return model ? QString("made") : QString::fromStdString(model.error().argument("input"));
        };
        const InputShape planes{3, 32, 32, 5, 0, SampleKind::Tensors, {3, 32, 32}};
        const InputShape row{7, 1, 1, 5, 0, SampleKind::Tensors, {7}};
        InputShape tokens = row;
        tokens.wholeNumbers = true;
        InputShape numbers = row;
        numbers.classes = 0;
        for (const char* name : {"mlp", "lenet5", "resnet18"})
            QCOMPARE(made(name, planes), "made");
        QCOMPARE(made("mlp", row), "made");
        QCOMPARE(made("lenet5", row), "phrase.samples-of-dimensions");
        QCOMPARE(made("resnet50", row), "phrase.samples-of-dimensions");
        QCOMPARE(made("mlp", tokens), "phrase.whole-numbers");
        QCOMPARE(made("mlp", numbers), "phrase.real-targets");
        QCOMPARE(made("char-gpt", row), "phrase.tensors");
    }
};

QTEST_GUILESS_MAIN(TestTensorTraining)
#include "test_tensor_training.moc"
