// SPDX-License-Identifier: GPL-3.0-or-later
// Networks from files through the very loop that trains the built-in ones.
#include "core/engine/memory_counter.h"
#include "core/model/safetensors.h"
#include "core/train/reference.h"
#include "core/train/trainer.h"
#include "tests/support/scripted_nets.h"
#include "tests/support/training.h"

#include <atomic>
#include <thread>
#include <torch/csrc/jit/serialization/import.h>

namespace test_scripted_training {
using namespace accumulus;
using namespace accumulus::test;

class TestScriptedTraining : public QObject {
    Q_OBJECT
    QTemporaryDir m_files;
    std::string net(const char* middle, bool statistics = false) const {
        return saveTwoLayers(m_files.filePath(QStringLiteral("net.pt")).toStdString(), 28 * 28, 10, middle, statistics);
    }
    struct Trained {
        TrainingEnd end;
        RecordingObserver observer;
    };
    static Trained train(const RunConfig& config, LanePlan lanes = {1, 1}) {
        const QTemporaryDir folder;
        Trained trained;
        auto trainer = Trainer::create(makeSetup(config, folder, lanes)).value();
        trained.end = trainer->train(trained.observer);
        return trained;
    }
    RunConfig config(const std::string& path, std::int64_t samples = 48) const {
        RunConfig config = smallConfig(samples, 16, 4);
        config.model.name = "file";
        config.model.path = path;
        return config;
    }

private Q_SLOTS:
    void everyNumberOfLanesHasTheSameBits_data() {
        QTest::addColumn<QString>("middle");
        QTest::addColumn<bool>("statistics");
        QTest::addColumn<bool>("fp64");
        for (const bool fp64 : {false, true}) {
            const char* precision = fp64 ? "fp64" : "fp32";
            QTest::addRow("plain, %s", precision) << plainMiddle << false << fp64;
            QTest::addRow("dropout, %s", precision) << dropoutMiddle << false << fp64;
            QTest::addRow("BatchNorm, %s", precision) << normMiddle << true << fp64;
        }
    }
    void everyNumberOfLanesHasTheSameBits() {
        QFETCH(QString, middle);
        QFETCH(bool, statistics);
        QFETCH(bool, fp64);
        RunConfig run = config(net(middle.toUtf8().constData(), statistics));
        run.numerics.precision = fp64 ? Precision::Fp64 : Precision::Fp32;
        const std::string one = train(run).end.summary.weightsHash;
        QVERIFY(!one.empty());
        for (const int lanes : {2, 3})
            QCOMPARE(train(run, {lanes, 1}).end.summary.weightsHash, one);
    }

    /// A window's gradient is that of the large batch, for every split, against the fp64 reference.
    void everySplitIsTheLargeBatch_data() {
        QTest::addColumn<QString>("middle");
        QTest::addColumn<bool>("statistics");
        QTest::newRow("plain") << plainMiddle << false;
        QTest::newRow("frozen BatchNorm") << normMiddle << true;
    }
    void everySplitIsTheLargeBatch() {
        QFETCH(QString, middle);
        QFETCH(bool, statistics);
        for (const std::int64_t micro : {1, 3, 5, 16}) {
            RunConfig run = config(net(middle.toUtf8().constData(), statistics), 16);
            run.batch.micro = micro;
            run.data.shuffle = false;
            run.numerics.batchNorm = BatchNormMode::Frozen;
            const QTemporaryDir folder;
            TrainerSetup setup = makeSetup(run, folder, {2, 1});
            std::vector<double> gradient;
            setup.gradientProbe = [&](const WindowRecord&, const std::vector<double>& values) { gradient = values; };
            const auto data = setup.data;
            auto trainer = Trainer::create(std::move(setup)).value();
            RecordingObserver observer;
            (void)trainer->train(observer);
            const auto model = makeModel(run.model, {1, 28, 28, 10}).value();
            std::vector<std::int64_t> ids(16);
            std::iota(ids.begin(), ids.end(), 0);
            ReferenceSettings settings;
            settings.training = true;
            settings.buffers = model->ownBuffers();
            const auto reference = referenceGradient(*model, model->ownWeights(at::kDouble), *data, ids, settings);
            std::size_t at = 0;
            for (const at::Tensor& tensor : reference.gradients) {
                const at::Tensor flat = tensor.flatten().contiguous();
                double difference = 0.0, norm = 0.0;
                for (std::int64_t i = 0; i < flat.numel(); ++i, ++at) {
                    const double wanted = flat.const_data_ptr<double>()[i];
                    difference += (gradient.at(at) - wanted) * (gradient.at(at) - wanted);
                    norm += wanted * wanted;
                }
                QVERIFY2(std::sqrt(difference) <= 1e-12 * std::sqrt(norm),
                         std::to_string(std::sqrt(difference / norm)).c_str());
            }
        }
    }

    /// The module itself, run by LibTorch over the same micro-batches, is the oracle.
    void runningStatisticsMoveAsTheModuleMovesThem() {
        RunConfig run = config(net(normMiddle, true), 16);
        run.data.shuffle = false;
        const QTemporaryDir folder;
        TrainerSetup setup = makeSetup(run, folder, {2, 1});
        const auto data = setup.data;
        auto trainer = Trainer::create(std::move(setup)).value();
        RecordingObserver observer;
        (void)trainer->train(observer);
        const auto saved = readSafetensors(observer.checkpoints.back().weightsPath).value();

        torch::jit::Module module = torch::jit::load(run.model.path);
        module.train();
        for (const auto& parameter : module.named_parameters(false))
            module.setattr(parameter.name, parameter.value.to(at::kDouble));
        for (const char* name : {"running_mean", "running_var"})
            module.setattr(name, module.attr(name).toTensor().to(at::kDouble));
        for (std::int64_t first = 0; first < 16; first += 4) {
            const std::vector<std::int64_t> ids{first, first + 1, first + 2, first + 3};
            at::Tensor images = at::empty({4, 1, 28, 28}, at::kDouble);
            gatherImages(data->train, ids, {data->mean, data->deviation}, nullptr, images.mutable_data_ptr<double>());
            (void)module.forward({images});
        }
        for (const char* name : {"running_mean", "running_var"}) {
            const at::Tensor wanted = module.attr(name).toTensor();
            const at::Tensor found = *saved.find(name);
            QVERIFY(wanted.abs().max().item<double>() > 0.0);
            QVERIFY2((found - wanted).abs().max().item<double>() <= 1e-13 * wanted.abs().max().item<double>(), name);
        }
    }

    void aRunIsResumedInMidRunWithTheSameBits_data() {
        QTest::addColumn<QString>("middle");
        QTest::addColumn<bool>("statistics");
        QTest::newRow("dropout") << dropoutMiddle << false;
        QTest::newRow("BatchNorm") << normMiddle << true;
    }
    void aRunIsResumedInMidRunWithTheSameBits() {
        QFETCH(QString, middle);
        QFETCH(bool, statistics);
        RunConfig run = config(net(middle.toUtf8().constData(), statistics), 96);
        const std::string whole = train(run).end.summary.weightsHash;
        run.checkpoint.every = {2, Extent::Unit::Updates};
        const QTemporaryDir folder;
        RecordingObserver first;
        first.stopAfterUpdates = 3;
        {
            auto trainer = Trainer::create(makeSetup(run, folder)).value();
            QVERIFY(trainer->train(first).stopped);
        }
        auto trainer = Trainer::create(makeSetup(run, folder)).value();
        QVERIFY(trainer->restore(first.checkpoints.back().bundlePath));
        RecordingObserver second;
        QCOMPARE(trainer->train(second).summary.weightsHash, whole);
    }

    void leanAndOtherPrecisionsTrain_data() {
        QTest::addColumn<QString>("middle");
        QTest::addColumn<bool>("statistics");
        QTest::addColumn<int>("precision");
        QTest::addColumn<bool>("lean");
        const std::tuple<const char*, const char*, bool> nets[] = {
            {"plain", plainMiddle, false}, {"dropout", dropoutMiddle, false}, {"BatchNorm", normMiddle, true}};
        for (const auto& [name, middle, statistics] : nets)
            for (const auto precision : {Precision::Fp64, Precision::Fp32, Precision::Bf16, Precision::Fp16})
                for (const bool lean : {false, true})
                    QTest::addRow("%s, precision %d, %s", name, int(precision), lean ? "lean" : "lanes")
                        << middle << statistics << int(precision) << lean;
    }
    void leanAndOtherPrecisionsTrain() {
        QFETCH(QString, middle);
        QFETCH(bool, statistics);
        QFETCH(int, precision);
        QFETCH(bool, lean);
        RunConfig run = config(net(middle.toUtf8().constData(), statistics));
        run.numerics.precision = static_cast<Precision>(precision);
        run.batch.lean = lean;
        const Trained trained = train(run);
        QVERIFY2(!trained.end.error, trained.end.error ? describe(*trained.end.error).c_str() : "");
        QCOMPARE(trained.end.summary.updates, 3);
        QVERIFY(std::isfinite(*trained.end.summary.finalTrainLoss));
    }

    void aFailureInsideTheModuleIsAnError() {
        // It computes the few samples that it is tried with, but not the sixteen of the run.
        RunConfig run = config(net("if x.size(0) > 8:\n        x = x.view(4, 6)"));
        run.batch.micro = 16;
        const auto error = train(run).end.error;
        QVERIFY(error.has_value());
        QCOMPARE(error->code, std::string("training.engine"));
    }

    /// TorchScript's interpreter would turn it into a fault like any other.
    void outOfMemoryInTheModuleMakesSmallerParts_data() {
        QTest::addColumn<QString>("middle");
        QTest::addColumn<int>("lanes");
        QTest::addColumn<bool>("lean");
        QTest::newRow("one lane") << plainMiddle << 1 << false;
        QTest::newRow("two lanes") << plainMiddle << 2 << false;
        QTest::newRow("lean") << plainMiddle << 1 << true;
        QTest::newRow("dropout") << dropoutMiddle << 1 << false;
    }
    void outOfMemoryInTheModuleMakesSmallerParts() {
        QFETCH(QString, middle);
        QFETCH(int, lanes);
        QFETCH(bool, lean);
        // 6 x 3000 numbers of each sample: they weigh more than the parameters.
        RunConfig run = config(
            net((middle + "\n    x = torch.tanh(x.repeat(1, 3000)).view(-1, 3000, 6).mean(1)").toUtf8().constData()),
            256);
        run.batch.effective = 128;
        run.batch.micro = 64;
        run.batch.lean = lean;
        const std::int64_t before = MemoryCounter::current();
        const Trained clean = train(run, {lanes, 1});
        const std::int64_t needed = clean.end.summary.peakBytes - before;
        QVERIFY(needed > (4 << 20));
        run.device.memoryLimit = std::to_string(MemoryCounter::current() + needed * 6 / 10);
        const Trained limited = train(run, {lanes, 1});
        QVERIFY2(!limited.end.error, limited.end.error ? describe(*limited.end.error).c_str() : "");
        QVERIFY(std::ranges::count(limited.observer.notes, "memory.resplit") > 0);
        run.device.onOom = OnOutOfMemory::Stop;
        const Trained stopped = train(run, {lanes, 1});
        QVERIFY(stopped.end.error);
        QCOMPARE(stopped.end.error->code, std::string("training.memory"));
    }

    /// Both seed and draw from the stream of the process.
    void tryingAnotherNetworkDisturbsNoRun() {
        const RunConfig run = config(net(dropoutMiddle), 480);
        const std::string alone = train(run, {2, 1}).end.summary.weightsHash;
        std::atomic<bool> ends{false};
        int tried = 0;
        std::thread other([&] {
            for (int number = 0; !ends || tried == 0; ++number) {
                ModelConfig model; // a new file each time: what was tried is remembered
                model.name = "file";
                model.path = saveTwoLayers(m_files.filePath(QString::number(number) + ".pt").toStdString(), 28 * 28, 10,
                                           dropoutMiddle);
                tried += makeModel(model, {1, 28, 28, 10}) ? 1 : 0;
            }
        });
        const std::string disturbed = train(run, {2, 1}).end.summary.weightsHash;
        ends = true;
        other.join();
        QVERIFY(tried > 0);
        QCOMPARE(disturbed, alone);
    }

    /// Before training begins, and by the first samples of the data.
    void whatTheLossCannotUseIsRefused() {
        RunConfig run = config(net(plainMiddle));
        run.loss.classWeights = {1.0, 2.0, 3.0};
        const QTemporaryDir folder;
        auto trainer = Trainer::create(makeSetup(run, folder));
        QVERIFY(!trainer);
        QCOMPARE(trainer.error().code, std::string("loss.class-weights"));
        run.loss.classWeights.assign(10, 2.0);
        QVERIFY(Trainer::create(makeSetup(run, folder)));
    }
};

QTEST_APPLESS_MAIN(TestScriptedTraining)
} // namespace test_scripted_training
#include "test_scripted_training.moc"
