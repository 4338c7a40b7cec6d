// SPDX-License-Identifier: GPL-3.0-or-later
// One window of 97 units for every micro-batch from 1 to 97, parameter by parameter, against one backward pass over the
// whole window (tests/support/plain_training.h): images, text, and masked text whose micro-batches may bear no loss.
// Tolerances are those of tests/README.md, at initial weights.
#include "core/model/safetensors.h"
#include "tests/support/numeric.h"
#include "tests/support/plain_training.h"
#include "tests/support/small_nets.h"
#include "tests/support/training.h"

#include <QTest>
#include <algorithm>

namespace test_every_split {
using namespace accumulus;
using namespace accumulus::test;

namespace {

constexpr std::int64_t window = 97, block = 6;

struct Subject {
    std::shared_ptr<const Dataset> data;
    std::shared_ptr<const Model> model;
    RunConfig config;
};

/// `net`: resnet (GroupNorm, or BatchNorm), char-gpt, bert-mini.
Subject subjectOf(const std::string& net, std::int64_t micro, bool batchNorm = false) {
    static const auto images = smallImages(window);
    static const auto text = smallText(window, block);
    Subject subject;
    RunConfig& config = subject.config;
    config = smallConfig(window, window, micro);
    config.optimizer.lr = 1e-30; // the weights stay
    config.data.dataset = net == "resnet" ? "textures-generated" : "tinyshakespeare";
    config.data.block = block;
    config.model.name = net == "resnet" ? "resnet18" : net;
    config.model.layers = 1;
    config.model.heads = 2;
    config.model.width = 8;
    config.model.dropout = 0.2;
    config.loss.normalise = net == "resnet" ? Normalise::Samples : Normalise::Tokens;
    subject.data = net == "resnet" ? images : text;
    if (net == "resnet")
        subject.model = std::make_shared<SmallResNet>(batchNorm, 0.2);
    else
        subject.model = makeModel(config.model, {3, 8, 8, 11, block}).value();
    return subject;
}

struct Outcome {
    std::vector<double> weights, gradient;
    std::vector<WindowRecord> windows;
    std::string weightsFile;
};

Outcome train(const Subject& subject, const QTemporaryDir& folder, PlantedBug bug = PlantedBug::None) {
    TrainerSetup setup;
    setup.config = subject.config;
    setup.lanes = {1, 1};
    setup.data = subject.data;
    setup.folder = folder.path().toStdString();
    setup.model = subject.model;
    setup.bug = bug;
    Outcome outcome;
    setup.gradientProbe = [&](const WindowRecord&, const std::vector<double>& values) { outcome.gradient = values; };
    const auto trainer = Trainer::create(std::move(setup)).value();
    outcome.weights = trainer->weights();
    RecordingObserver observer;
    const TrainingEnd end = trainer->train(observer);
    outcome.windows = observer.windows;
    if (end.error || observer.checkpoints.empty())
        outcome.gradient.clear();
    else
        outcome.weightsFile = observer.checkpoints.back().weightsPath;
    return outcome;
}

std::vector<PlainMicro> microsOf(const Subject& subject) {
    return PlainPlanner(subject.config, window, 0).next(0).micros;
}

PlainGradient oracle(const Subject& subject, const std::vector<double>& weights) {
    std::vector<at::Tensor> running;
    for (const ParameterSpec& spec : subject.model->buffers().specs())
        running.push_back(at::full(spec.shape, spec.initial.value, at::kDouble));
    return plainGradient(*subject.model, weights, running, *subject.data, subject.config, 0, microsOf(subject));
}

/// Infinite when the window was not trained at all.
double worstOf(const Outcome& outcome, const PlainGradient& wanted) {
    if (outcome.gradient.empty() || outcome.windows.size() != 1 ||
        outcome.windows[0].units != static_cast<double>(wanted.units) ||
        outcome.windows[0].microSteps != wanted.microSteps)
        return std::numeric_limits<double>::infinity();
    return worstTensor(outcome.gradient, wanted);
}

std::vector<double> flat(const PlainGradient& gradient) {
    std::vector<double> values;
    for (const at::Tensor& tensor : gradient.gradients) {
        const at::Tensor dense = tensor.contiguous();
        values.insert(values.end(), dense.const_data_ptr<double>(), dense.const_data_ptr<double>() + dense.numel());
    }
    return values;
}

/// Micro-batches of the window in which no token is masked.
std::int64_t withoutUnits(const Subject& subject) {
    std::int64_t count = 0;
    for (const PlainMicro& micro : microsOf(subject))
        count += PlainBatch(*subject.data, subject.config, subject.model->task(), 0, {micro})
                         .targets.ne(ignoredTarget)
                         .any()
                         .item<bool>()
                     ? 0
                     : 1;
    return count;
}

} // namespace

class TestEverySplit : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyParameterOfEverySplit_data() {
        QTest::addColumn<QString>("net");
        QTest::addColumn<int>("precision");
        for (const char* net : {"resnet", "char-gpt", "bert-mini"})
            for (const Precision precision : {Precision::Fp64, Precision::Fp32})
                QTest::addRow("%s, %s", net, precision == Precision::Fp64 ? "fp64" : "fp32")
                    << QString::fromLatin1(net) << int(precision);
    }
    void everyParameterOfEverySplit() {
        QFETCH(QString, net);
        QFETCH(int, precision);
        const bool fp64 = static_cast<Precision>(precision) == Precision::Fp64;
        const QTemporaryDir folder;
        double worst = 0.0;
        for (std::int64_t micro = 1; micro <= window; ++micro) {
            Subject subject = subjectOf(net.toStdString(), micro);
            subject.config.numerics.precision = static_cast<Precision>(precision);
            const Outcome outcome = train(subject, folder);
            worst = std::max(worst, worstOf(outcome, oracle(subject, outcome.weights)));
        }
        qInfo("%.1e", worst);
        QVERIFY2(worst <= (fp64 ? 1e-12 : 1e-5), qPrintable(QString::number(worst)));
    }

    // A tensor of four numbers that is off by 1e-5 is lost in the whole gradient, and not here.
    void aSmallTensorIsSeen() {
        const Subject subject = subjectOf("resnet", 8);
        const QTemporaryDir folder;
        const Outcome outcome = train(subject, folder);
        const PlainGradient wanted = oracle(subject, outcome.weights);
        std::vector<double> wrong = flat(wanted);
        const std::vector<std::int64_t>& shape = subject.model->layout().specs().back().shape;
        for (std::int64_t i = 0; i < shape.front(); ++i)
            wrong[wrong.size() - 1 - std::size_t(i)] *= 1.0 + 1e-5;
        QVERIFY(worstTensor(flat(wanted), wanted) == 0.0);
        QVERIFY(worstTensor(wrong, wanted) > 0.99e-5);
        QVERIFY(relativeL2(wrong, flat(wanted)) < worstTensor(wrong, wanted));
        wrong.back() = std::nan("");
        QVERIFY(!std::isfinite(worstTensor(wrong, wanted)));
    }

    // Masked text in micro-batches of one sample: many bear no loss. Weighted by what they bear; positions, or each
    // micro-batch alike, are another number.
    void microBatchesWithoutUnitsAddNothing() {
        Subject subject = subjectOf("bert-mini", 1);
        QVERIFY(withoutUnits(subject) > 20);
        const QTemporaryDir folder;
        const Outcome outcome = train(subject, folder);
        const PlainGradient wanted = oracle(subject, outcome.weights);
        QCOMPARE(wanted.microSteps, window - withoutUnits(subject));
        QVERIFY(worstOf(outcome, wanted) <= 1e-12);
        QVERIFY(compareRel(outcome.windows[0].loss, wanted.loss, 1e-12));
        for (const Normalise other : {Normalise::Samples, Normalise::MeanOfMeans}) {
            subject.config.loss.normalise = other;
            QVERIFY(worstTensor(train(subject, folder).gradient, wanted) > 1e-3); // not the same thing,
            QVERIFY(worstTensor(train(subject, folder).gradient, oracle(subject, outcome.weights)) <=
                    1e-12); // but right
        }
    }

    void mistakesAreSeen_data() {
        QTest::addColumn<QString>("net");
        QTest::addColumn<int>("bug");
        for (const char* net : {"resnet", "char-gpt", "bert-mini"})
            for (const PlantedBug bug : {PlantedBug::NotDivided, PlantedBug::DividedTwice, PlantedBug::NominalDivisor,
                                         PlantedBug::BoundaryOffByOne, PlantedBug::DrawsByCallOrder})
                if (bug != PlantedBug::NominalDivisor || std::string(net) != "resnet") // there N is B
                    QTest::addRow("%s, %d", net, int(bug)) << QString::fromLatin1(net) << int(bug);
    }
    void mistakesAreSeen() {
        QFETCH(QString, net);
        QFETCH(int, bug);
        const QTemporaryDir folder;
        const Subject subject = subjectOf(net.toStdString(), 8);
        const Outcome outcome = train(subject, folder, static_cast<PlantedBug>(bug));
        QVERIFY(worstOf(outcome, oracle(subject, outcome.weights)) > 1e-3);
    }

    // Pooled statistics of the first layer are those of the whole window, whatever the split. By
    // hand: its convolution over all samples, mean and unbiased variance over samples and places.
    void pooledStatisticsAreTheWindows_data() {
        QTest::addColumn<std::int64_t>("micro");
        for (const std::int64_t micro : {1, 2, 3, 5, 8, 13, 32, 96, 97})
            QTest::addRow("m=%d", int(micro)) << micro;
    }
    void pooledStatisticsAreTheWindows() {
        QFETCH(std::int64_t, micro);
        const auto distanceOf = [&](BatchNormMode mode) {
            const QTemporaryDir folder;
            Subject subject = subjectOf("resnet", micro, /*batchNorm=*/true);
            subject.config.numerics.batchNorm = mode;
            const Outcome outcome = train(subject, folder);
            const auto content = readSafetensors(outcome.weightsFile).value();
            const PlainBatch batch(*subject.data, subject.config, Task::Classify, 0, microsOf(subject));
            const at::Tensor seen = at::conv2d(batch.input, content.find("stem.weight")->to(at::kDouble), {}, 1, 1);
            const at::Tensor places = seen.transpose(0, 1).flatten(1);
            const at::Tensor mean = 0.1 * places.mean(1), variance = 0.9 + 0.1 * places.var(1, /*unbiased=*/true);
            const auto off = [&](const char* name, const at::Tensor& wanted) {
                return ((*content.find(name) - wanted).norm() / wanted.norm()).item<double>();
            };
            return std::max(off("norm0.running_mean", mean), off("norm0.running_var", variance));
        };
        const double pooled = distanceOf(BatchNormMode::Pooled);
        qInfo("%.1e", pooled);
        QVERIFY(pooled <= 1e-12);
        if (micro < window)
            QVERIFY(distanceOf(BatchNormMode::Micro) > 1e-3); // forgets within the window
    }

    // Accumulation in 16 bits is no further from the truth than twice the large batch.
    void sixteenBitsAreAsGoodAsTheLargeBatch_data() {
        QTest::addColumn<QString>("net");
        QTest::addColumn<int>("precision");
        for (const char* net : {"resnet", "char-gpt", "bert-mini"}) {
            QTest::addRow("%s, bf16", net) << QString::fromLatin1(net) << int(Precision::Bf16);
            QTest::addRow("%s, fp16", net) << QString::fromLatin1(net) << int(Precision::Fp16);
        }
    }
    void sixteenBitsAreAsGoodAsTheLargeBatch() {
        QFETCH(QString, net);
        QFETCH(int, precision);
        const QTemporaryDir folder;
        const double u = static_cast<Precision>(precision) == Precision::Bf16 ? 0x1p-8 : 0x1p-11;
        const auto errorOf = [&](std::int64_t micro, PlantedBug bug = PlantedBug::None) {
            Subject subject = subjectOf(net.toStdString(), micro);
            subject.config.numerics.precision = static_cast<Precision>(precision);
            const Outcome outcome = train(subject, folder, bug);
            const auto wanted = flat(oracle(subject, outcome.weights));
            return outcome.gradient.size() == wanted.size() ? relativeL2(outcome.gradient, wanted)
                                                            : std::numeric_limits<double>::infinity();
        };
        const double large = errorOf(window);
        QVERIFY(large > 0.0);
        for (const std::int64_t micro : {1, 3, 8, 32}) {
            const double steps = std::ceil(double(window) / double(micro));
            const double accumulated = errorOf(micro), allowed = 2.0 * large + 0.5 * u * std::sqrt(steps);
            qInfo("m=%d: %.1e, large batch %.1e", int(micro), accumulated, large);
            QVERIFY(accumulated <= allowed);
            QVERIFY(errorOf(micro, PlantedBug::DividedTwice) > allowed);
        }
    }

    // A window in which nothing is masked tells nothing of the loss scale: it stays.
    void aWindowWithoutUnitsLeavesTheLossScale() {
        const QTemporaryDir folder;
        Subject subject = subjectOf("bert-mini", 1);
        subject.config.batch.effective = 1;
        subject.config.numerics.precision = Precision::Fp16;
        const Outcome outcome = train(subject, folder);
        QCOMPARE(outcome.windows.size(), std::size_t(window));
        std::int64_t empty = 0;
        bool stays = true;
        for (std::size_t i = 0; i + 1 < outcome.windows.size(); ++i)
            if (outcome.windows[i].units == 0) {
                ++empty;
                stays = stays && compareBits(outcome.windows[i + 1].lossScale, outcome.windows[i].lossScale);
            }
        QVERIFY(empty > 20);
        QVERIFY(stays);
    }
};

QTEST_APPLESS_MAIN(TestEverySplit)
} // namespace test_every_split
#include "test_every_split.moc"
