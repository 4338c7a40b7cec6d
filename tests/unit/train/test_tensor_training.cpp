// SPDX-License-Identifier: GPL-3.0-or-later
// Training on a person's own tensors: every window against the fp64 reference, whose arithmetic is its own; the same
// bits for any number of lanes, after a resume, and in parts made for a device; which targets fit a loss, and which
// shapes a model.
#include "core/engine/batch_source.h"
#include "core/engine/input_shape.h"
#include "core/train/checkpoint_info.h"
#include "core/train/reference.h"
#include "core/window/window_planner.h"
#include "tests/support/numeric.h"
#include "tests/unit/train/tensor_training_fixture.h"

#include <QTest>

namespace test_tensor_training {
using namespace accumulus;
using namespace accumulus::test;

namespace {

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
        const Made made = makeSamples(madeSamples, 48);
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

    /// Targets [64, 1] are the classes that targets [64] are.
    void aColumnOfClassesTrainsAsAList() {
        const QTemporaryDir folder;
        const Made made = makeSamples(madeSamples, 48);
        const auto hashOf = [&](const char* shape) {
            return hashOfRun(
                configOf(folder,
                         zipBytes({{"inputs.npy", npyBytes("<f4", "(64, 48)", bytesOf(made.inputs)), false},
                                   {"targets.npy", npyBytes("<i8", shape, bytesOf(made.targets)), false},
                                   {"test_inputs.npy", npyBytes("<f4", "(64, 48)", bytesOf(made.inputs)), false},
                                   {"test_targets.npy", npyBytes("<i8", shape, bytesOf(made.targets)), false}})),
                folder);
        };
        QCOMPARE(hashOf("(64, 1)"), hashOf("(64,)"));
    }

    /// Words of a table are classes, and their alphabetical order is no number; two are the 0 and 1 of bce-with-logits.
    void wordsOfATableAreNoNumbers() {
        const QTemporaryDir folder;
        const auto write = [&](const char* name, std::initializer_list<const char*> words) {
            const std::string file = folder.filePath(name).toStdString();
            std::ofstream out(file, std::ios::binary);
            out << "a,t\n";
            for (int i = 0; i < 3; ++i)
                for (const char* word : words)
                    out << i << "," << word << "\n";
            return file;
        };
        RunConfig config = smallConfig(0, 2, 1);
        config.data.dataset = "table";
        config.data.target = "t";
        config.data.validation = 2;
        config.data.testLimit = 0;
        config.model.hidden = {4};
        const auto codeOf = [&](LossKind loss) {
            config.loss.kind = loss;
            const auto created = Trainer::create(makeSetup(config, folder));
            const auto seen = inspectedModel(config, inspectDataset(config.data, {}).value());
            const std::string code = created ? "" : created.error().code;
            return code == (seen ? "" : seen.error().code) ? code : "they differ";
        };
        config.data.path = write("words.csv", {"low", "mid", "high", "none"});
        QCOMPARE(codeOf(LossKind::CrossEntropy), std::string());
        for (const LossKind loss : {LossKind::Mse, LossKind::L1, LossKind::Huber})
            QCOMPARE(codeOf(loss), std::string("loss.targets-words"));
        QCOMPARE(Trainer::create(makeSetup(config, folder)).error().argument("words"),
                 std::string("high, low, mid, ..."));
        QCOMPARE(codeOf(LossKind::BceWithLogits), std::string("loss.targets-beyond"));
        config.data.path = write("two.csv", {"no", "yes"});
        QCOMPARE(codeOf(LossKind::BceWithLogits), std::string());
        config.data.path = write("numbers.csv", {"0", "1", "2"});
        QCOMPARE(codeOf(LossKind::Mse), std::string());
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
} // namespace test_tensor_training
#include "test_tensor_training.moc"
