// SPDX-License-Identifier: GPL-3.0-or-later
// Training on a person's own tensors: every window against the fp64 reference, whose arithmetic is its own; the same
// bits for any number of lanes, from a map and from memory, after a resume, and in parts made for a device.
#include "core/data/mapped_file.h"
#include "core/engine/batch_source.h"
#include "core/engine/input_shape.h"
#include "core/train/checkpoint_info.h"
#include "core/train/evaluator.h"
#include "core/train/reference.h"
#include "core/window/window_planner.h"
#include "tests/support/numeric.h"
#include "tests/support/training.h"
#include "tests/unit/data/tensor_bytes.h"

#include <QDeadlineTimer>
#include <QTest>
#include <atomic>
#include <thread>

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

/// Tokens of 16 bits, in samples of 8.
RunConfig textConfig(const QTemporaryDir& folder) {
    std::vector<std::uint16_t> tokens;
    for (std::uint16_t i = 0; i < 6000; ++i)
        tokens.push_back(static_cast<std::uint16_t>((i * i + 3 * i) % 300));
    const std::string file = folder.filePath("data.bin").toStdString();
    std::filesystem::remove(file);
    std::ofstream(file, std::ios::binary) << bytesOf(tokens);
    RunConfig config = smallConfig(0, 16, 4);
    config.data.dataset = "text";
    config.data.testLimit = 0;
    config.data.path = file;
    config.data.block = 8;
    config.model.name = "char-gpt";
    config.model.layers = 1;
    config.model.heads = 2;
    config.model.width = 8;
    config.train.length = {6, Extent::Unit::Updates};
    return config;
}

/// In the third window, after its first micro-step or two.
struct StopsInMidWindow : RecordingObserver {
    Wish proceed() override { return committed >= 9 ? Wish::StopNow : Wish::GoOn; }
    std::atomic<std::int64_t> committed{0};
};

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

    // As on a device: made on the CPU and copied, since tensors need not fit. Weights are of order 1 and fp64 sums of
    // some hundred terms are taken in another order, over 6 updates.
    void theDeferredPathIsTheSameGradient() {
        const QTemporaryDir folder;
        const RunConfig config = configOf(folder, npz());
        TrainerSetup setup = makeSetup(config, folder);
        const auto weightsOf = [](const TrainerSetup& of) {
            RecordingObserver observer;
            const auto trainer = Trainer::create(of).value();
            const std::vector<double> before = trainer->weights();
            const TrainingEnd end = trainer->train(observer);
            if (end.error || end.summary.updates != 6 || trainer->weights() == before)
                qFatal("%s", end.error ? describe(*end.error).c_str() : "nothing was trained");
            return trainer->weights();
        };
        const std::vector<double> whole = weightsOf(setup);
        setup.deferred = true;
        const std::vector<double> deferred = weightsOf(setup);
        QCOMPARE(deferred.size(), whole.size());
        double worst = 0.0;
        for (std::size_t i = 0; i < whole.size(); ++i)
            worst = std::max(worst, std::abs(deferred[i] - whole[i]));
        QVERIFY2(worst < 1e-13, qPrintable(QString::number(worst)));
        ResidentData resident(setup.data, at::kDouble, at::kCPU);
        QVERIFY(!resident.part(DataPart::Train));
    }

    // Files larger than memory are read sample by sample and ahead of training: the bits of what was in memory. So on
    // several lanes, and where a run goes on in mid-window.
    void largeFilesHaveTheSameBits_data() {
        QTest::addColumn<bool>("text");
        QTest::newRow("tensors") << false;
        QTest::newRow("tokens") << true;
    }
    void largeFilesHaveTheSameBits() {
        QFETCH(bool, text);
        const QTemporaryDir folder;
        const RunConfig config = text ? textConfig(folder) : configOf(folder, npz());
        const std::string whole = hashOfRun(config, folder);
        QCOMPARE(whole.size(), std::size_t{32});
        const OtherFileLimits limits({.touched = 4096, .scanned = 4096, .ahead = 4096});
        for (const int lanes : {1, 3})
            QCOMPARE(hashOfRun(config, folder, {lanes, 1}), whole);
        TrainerSetup setup = makeSetup(config, folder);
        const TensorColumn inputs = text ? setup.data->trainText.samples() : setup.data->trainTensors.inputs;
        QVERIFY(!inputs.file->isSmall());
        StopsInMidWindow first;
        const auto askedBeyond = [&](std::int64_t bytes) { // by a thread of its own
            const QDeadlineTimer limit(60'000);
            while (inputs.file->bytesAsked() <= bytes && !limit.hasExpired())
                std::this_thread::yield();
            return inputs.file->bytesAsked() > bytes;
        };
        setup.afterCommit = [&](std::int64_t) {
            ++first.committed;
            static_cast<void>(askedBeyond(0));
        };
        QVERIFY(Trainer::create(setup).value()->train(first).stopped);
        const std::int64_t asked = inputs.file->bytesAsked();
        QVERIFY(asked > 0);
        setup.afterCommit = [&](std::int64_t) { static_cast<void>(askedBeyond(asked)); };
        const auto second = Trainer::create(setup).value();
        QVERIFY(second->restore(first.checkpoints.back().bundlePath));
        RecordingObserver rest;
        QCOMPARE(second->train(rest).summary.weightsHash, whole);
        QVERIFY(inputs.file->bytesAsked() > asked);
    }

    // What is evaluated is asked for, the next samples with it; of small files nothing is.
    void evaluationReadsAhead() {
        const QTemporaryDir folder;
        RunConfig config = configOf(folder, npz());
        const auto asked = [&] {
            const TrainerSetup setup = makeSetup(config, folder);
            const auto trainer = Trainer::create(setup).value();
            static_cast<void>(trainer->evaluateNow("test"));
            return setup.data->testTensors.inputs.file->bytesAsked();
        };
        QCOMPARE(asked(), 0);
        const OtherFileLimits limits({.touched = 4096, .ahead = 4096});
        QCOMPARE(asked(), samples * (48 * 4 + 8)); // inputs and targets
    }

    void aFileThatChangesEndsTraining_data() { largeFilesHaveTheSameBits_data(); }
    void aFileThatChangesEndsTraining() {
        QFETCH(bool, text);
        for (const bool large : {false, true}) {
            const QTemporaryDir folder;
            const RunConfig config = text ? textConfig(folder) : configOf(folder, npz());
            TrainerSetup setup = makeSetup(config, folder);
            std::optional<OtherFileLimits> limits;
            if (large)
                limits.emplace(FileLimits{.touched = 4096, .scanned = 4096, .ahead = 4096});
            std::int64_t committed = 0;
            setup.afterCommit = [&](std::int64_t) {
                if (++committed == 6)
                    std::filesystem::resize_file(config.data.path, 100);
            };
            RecordingObserver observer;
            const TrainingEnd end = Trainer::create(setup).value()->train(observer);
            QVERIFY(end.error.has_value());
            QVERIFY2(describe(*end.error).find("was changed while it was read") != std::string::npos,
                     describe(*end.error).c_str());
            QCOMPARE(observer.windows.size(), std::size_t{1});
        }
    }

    // Chunks of evaluation are cut by what their tensors take, and only large ones.
    void chunksFitIntoMemory() {
        Dataset data;
        const auto chunk = [&] { return evaluationChunk(data, DataPart::Test); };
        data.testText = {.count = 1000, .block = 64, .tokens = {}};
        data.trainText = data.testText;
        data.classes = 65;
        QCOMPARE(chunk(), 200);
        data.classes = 50'257; // GPT-2: 13 MB of scores each
        QCOMPARE(chunk(), 5);
        data.testText.block = data.trainText.block = 1024;
        QCOMPARE(chunk(), 1);
        data = {};
        data.train = {.count = 1, .channels = 3, .height = 224, .width = 224, .pixels = {}, .labels = {}};
        data.test = data.train;
        QCOMPARE(chunk(), 111); // 64 MiB of inputs
        data.test.height = data.test.width = 32;
        QCOMPARE(chunk(), 200);
        data = {};
        data.trainTensors.count = data.testTensors.count = 1;
        data.testTensors.inputs.shape = {8};
        data.testTensors.targets.shape = {512, 512};
        data.classes = 21; // a class for each pixel
        QCOMPARE(chunk(), 3);
        data.classes = 0;
        QCOMPARE(chunk(), 64);
    }

    // Where there are no other test samples the validation samples are evaluated once, and both say the same.
    void testOnValidationIsOneEvaluation() {
        const QTemporaryDir folder;
        RunConfig config = configOf(folder, npz());
        const auto evaluations = [&] {
            config.checkpoint.best = true;
            RecordingObserver observer;
            if (Trainer::create(makeSetup(config, folder)).value()->train(observer).error)
                qFatal("it did not train");
            return observer.evaluations;
        };
        const std::string file = folder.filePath("other.npz").toStdString();
        const Made made = makeSamples(samples, 48);
        std::ofstream(file, std::ios::binary)
            << zipBytes({{"inputs.npy", npyBytes("<f4", "(64, 3, 4, 4)", bytesOf(made.inputs)), false},
                         {"targets.npy", npyBytes("<i8", "(64,)", bytesOf(made.targets)), false}});
        config.data.validation = 20;
        const auto apart = evaluations();
        QCOMPARE(apart.size(), std::size_t{2});
        QVERIFY(apart[0].count == 64 && apart[1].count == 20 && apart[1].seconds > 0.0);
        config.data.path = file;
        const auto same = evaluations();
        QCOMPARE(same.size(), std::size_t{2});
        QVERIFY(same[0].split == "test" && same[1].split == "validation" && same[1].count == 20);
        QVERIFY(same[1].loss == same[0].loss && same[1].accuracy == same[0].accuracy);
        QCOMPARE(same[1].seconds, 0.0); // it was not computed again
    }

    // Losses between numbers take no classes beyond theirs and nothing that is to be ignored.
    void targetsFitTheLoss_data() {
        QTest::addColumn<int>("loss");
        QTest::addColumn<QString>("targets"); // of three samples
        QTest::addColumn<QString>("code");
        const auto row = [](LossKind loss, const char* targets, const char* code) {
            QTest::addRow("%d: %s", int(loss), targets) << int(loss) << QString(targets) << QString(code);
        };
        row(LossKind::BceWithLogits, "I64 0 1 1", "");
        row(LossKind::BceWithLogits, "F32 0 0.25 1", "");
        row(LossKind::BceWithLogits, "I64 0 1 2", "loss.targets-beyond");
        row(LossKind::BceWithLogits, "F32 0 1 1.5", "loss.targets-beyond");
        row(LossKind::BceWithLogits, "F32 0 1 -0.5", "loss.targets-beyond");
        row(LossKind::BceWithLogits, "I64 0 1 -100", "loss.targets-ignored");
        row(LossKind::Mse, "I64 0 1 7", "");
        row(LossKind::Mse, "F32 -100 1 7", "");
        row(LossKind::Mse, "I64 0 1 -100", "loss.targets-ignored");
        row(LossKind::L1, "I64 0 -100 2", "loss.targets-ignored");
        row(LossKind::Huber, "I64 -100 1 2", "loss.targets-ignored");
        row(LossKind::CrossEntropy, "I64 0 1 -100", "");
    }
    void targetsFitTheLoss() {
        QFETCH(int, loss);
        QFETCH(QString, targets);
        QFETCH(QString, code);
        const QTemporaryDir folder;
        const QStringList values = targets.split(' ');
        std::string bytes;
        for (const QString& value : values.mid(1))
            bytes +=
                values[0] == "I64" ? bytesOf<std::int64_t>({value.toLongLong()}) : bytesOf<float>({value.toFloat()});
        std::vector<float> inputs(12, 0.5F);
        const auto write = [&](const char* name, bool turned) {
            const std::string file = folder.filePath(name).toStdString();
            std::ofstream(file, std::ios::binary)
                << safetensorsBytes({{"inputs", "F32", "[3,4]", bytesOf(inputs)},
                                     {"targets", values[0].toStdString().c_str(), "[3]",
                                      turned ? bytes : std::string(bytes.size(), '\0')}});
            return file;
        };
        RunConfig config = smallConfig(0, 2, 1);
        config.data.dataset = "tensors";
        config.data.testLimit = 0;
        config.model.hidden = {4};
        config.loss.kind = static_cast<LossKind>(loss);
        // In the training part as well as in the test part.
        for (const bool train : {true, false}) {
            config.data.path = write("train.safetensors", train);
            config.data.testPath = write("test.safetensors", !train);
            const auto created = Trainer::create(makeSetup(config, folder));
            QCOMPARE(QString::fromStdString(created ? "" : created.error().code), code);
            const auto seen = inspectedModel(config, inspectDataset(config.data, {}).value());
            QCOMPARE(QString::fromStdString(seen ? "" : seen.error().code), code);
        }
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
