// SPDX-License-Identifier: GPL-3.0-or-later
// Every loss under every split: the window's gradient against the fp64 reference, which has a loss of its own, and a
// window of real units that is stopped in its middle. fp64 1e-12 relative L2 of the whole gradient.
#include "core/train/reference.h"
#include "tests/support/numeric.h"
#include "tests/support/small_nets.h"
#include "tests/support/training.h"

#include <ATen/ATen.h>
#include <QTest>

namespace test_loss_splits {
using namespace accumulus;
using namespace accumulus::test;

namespace {

constexpr std::int64_t window = 37, block = 5;

/// A line through the pixels with `outputs` numbers, or the losses of such a line themselves.
class Line final : public Model {
public:
    enum class Gives { Numbers, Losses, SumAndCount };
    explicit Line(Gives gives) : Model({{"line.weight", {1, 192}, 192, false}}), m_gives(gives) {}
    [[nodiscard]] at::Tensor forward(std::span<const at::Tensor> p, const at::Tensor& input,
                                     ForwardContext& context) const override {
        const at::Tensor numbers = at::linear(input.flatten(1), p[0]); // [n, 1]
        if (m_gives == Gives::Numbers)
            return numbers;
        const at::Tensor targets = context.targets.to(numbers.scalar_type());
        const at::Tensor each = (numbers.squeeze(1) - targets).square() * (1.0 + targets);
        if (m_gives == Gives::Losses)
            return each;
        context.units = (1.0 + targets).sum().item<double>(); // a weighted mean, as a person would write it
        return each.sum();
    }

private:
    Gives m_gives;
};

struct Subject {
    RunConfig config;
    std::shared_ptr<const Dataset> data;
    std::shared_ptr<const Model> model;
};

/// Outputs that tell three classes of four images apart, or what follows of a text.
Subject subjectOf(const QString& name, std::int64_t micro) {
    static const auto images = smallImages(window);
    static const auto text = smallText(window, block);
    Subject subject;
    RunConfig& config = subject.config;
    config = smallConfig(window, window, micro);
    config.optimizer.lr = 1e-30; // the weights stay
    config.data.dataset = "textures-generated";
    config.loss.delta = 0.4;
    subject.data = images;
    if (name.startsWith("text") || name.startsWith("masked")) {
        subject.data = text;
        config.data.dataset = "tinyshakespeare";
        config.data.block = block;
        config.model.name = name.startsWith("text") ? "char-gpt" : "bert-mini";
        config.model.layers = 1;
        config.model.heads = 2;
        config.model.width = 8;
        config.loss.normalise = name.endsWith("tokens") ? Normalise::Tokens : Normalise::Samples;
        config.loss.labelSmoothing = 0.1;
        for (int i = 0; i < 11; ++i)
            config.loss.classWeights.push_back(0.2 + 0.35 * i * i);
        subject.model = makeModel(config.model, {3, 8, 8, 11, block}).value();
    } else if (name.startsWith("weights")) {
        config.loss.classWeights = {0.1, 1.0, 4.0, 0.7};
        config.loss.labelSmoothing = name.endsWith("smoothing") ? 0.1 : 0.0;
        subject.model = std::make_shared<SmallConvNet>(false, 0.3);
    } else if (name.startsWith("model")) {
        config.loss.kind = LossKind::Model;
        subject.model = std::make_shared<Line>(name.endsWith("count") ? Line::Gives::SumAndCount : Line::Gives::Losses);
    } else {
        config.loss.kind = name == "mse"     ? LossKind::Mse
                           : name == "l1"    ? LossKind::L1
                           : name == "huber" ? LossKind::Huber
                                             : LossKind::BceWithLogits;
        subject.model = std::make_shared<Line>(Line::Gives::Numbers);
    }
    return subject;
}

struct Outcome {
    std::vector<double> gradient, weights;
    WindowRecord record;
    std::optional<Error> error;
    std::vector<EvaluationRecord> evaluations;
};

Outcome train(const Subject& subject, bool lean = false) {
    const QTemporaryDir folder;
    TrainerSetup setup;
    setup.config = subject.config;
    setup.config.batch.lean = lean;
    setup.lanes = {lean ? 1 : 2, 1};
    setup.data = subject.data;
    setup.folder = folder.path().toStdString();
    setup.model = subject.model;
    Outcome outcome;
    setup.gradientProbe = [&](const WindowRecord& record, const std::vector<double>& values) {
        outcome.gradient = values;
        outcome.record = record;
    };
    const auto trainer = Trainer::create(std::move(setup)).value();
    outcome.weights = trainer->weights();
    RecordingObserver observer;
    outcome.error = trainer->train(observer).error;
    outcome.evaluations = observer.evaluations;
    return outcome;
}

ReferenceGradient oracle(const Subject& subject, const std::vector<double>& weights) {
    std::vector<std::int64_t> ids(window);
    std::iota(ids.begin(), ids.end(), 0);
    ReferenceSettings settings;
    settings.take(subject.config.loss);
    settings.training = true;
    // The trainer tells weights without the gaps of the arena.
    const ParameterLayout& layout = subject.model->layout();
    const at::Tensor arena = at::zeros({layout.flatSize()}, at::kDouble);
    auto next = weights.begin();
    for (const at::Tensor& view : layout.views(arena)) {
        view.copy_(at::tensor(std::vector<double>(next, next + view.numel()), at::kDouble).view(view.sizes()));
        next += view.numel();
    }
    return referenceGradient(*subject.model, arena, *subject.data, ids, settings);
}

/// Relative L2 of the whole gradient.
double distance(const std::vector<double>& got, const ReferenceGradient& wanted, double factor = 1.0) {
    if (got.empty())
        return std::numeric_limits<double>::infinity();
    std::vector<at::Tensor> flat;
    for (const at::Tensor& tensor : wanted.gradients)
        flat.push_back(tensor.flatten() * factor);
    const at::Tensor all = at::cat(flat);
    return ((at::tensor(got, at::kDouble) - all).norm() / all.norm()).item<double>();
}

} // namespace

class TestLossSplits : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everySplitIsTheLargeBatch_data() {
        QTest::addColumn<QString>("name");
        for (const char* name :
             {"weights", "weights and smoothing", "text of samples", "text of tokens", "masked of samples",
              "masked of tokens", "mse", "l1", "huber", "bce", "model", "model's sum and count"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }
    void everySplitIsTheLargeBatch() {
        QFETCH(QString, name);
        double worst = 0.0;
        for (const std::int64_t micro : {1, 2, 3, 5, 8, 13, 36, 37})
            for (const bool lean : {false, true}) {
                const Subject subject = subjectOf(name, micro);
                const Outcome outcome = train(subject, lean);
                QVERIFY2(!outcome.error, outcome.error ? describe(*outcome.error).c_str() : "");
                const ReferenceGradient wanted = oracle(subject, outcome.weights);
                worst = std::max(worst, distance(outcome.gradient, wanted));
                QVERIFY(compareRel(outcome.record.loss, wanted.loss, 1e-12));
            }
        qInfo("%s: %.1e", qPrintable(name), worst);
        QVERIFY2(worst <= 1e-12, qPrintable(QString::number(worst)));
    }

    // What a program does that counts the samples instead of adding up their weights.
    void countingIsSeen() {
        const Subject subject = subjectOf("weights", 5);
        const Outcome outcome = train(subject);
        QVERIFY(std::abs(outcome.record.units - double(window)) > 0.01 * double(window));
        const ReferenceGradient wanted = oracle(subject, outcome.weights);
        QVERIFY(distance(outcome.gradient, wanted, outcome.record.units / double(window)) > 0.01);
        // Mean of the micro-batches' weighted means, as PyTorch's own mean in a loop gives.
        Subject means = subjectOf("weights", 5);
        means.config.loss.normalise = Normalise::MeanOfMeans;
        QVERIFY(distance(train(means).gradient, wanted) > 0.01);
    }

    void metricsFollowTheLoss() {
        const auto last = [](const char* name) { return train(subjectOf(QLatin1String(name), 5)).evaluations.back(); };
        const EvaluationRecord mse = last("mse");
        QVERIFY(!mse.accuracy && mse.mae && mse.rmse && mse.r2);
        QVERIFY(compareRel(mse.loss, *mse.rmse * *mse.rmse, 1e-12));
        const EvaluationRecord l1 = last("l1");
        QVERIFY(compareRel(l1.loss, *l1.mae, 1e-12));
        const EvaluationRecord bce = last("bce");
        QVERIFY(bce.accuracy && !bce.mae);
        const EvaluationRecord own = last("model");
        QVERIFY(!own.accuracy && !own.mae && std::isfinite(own.loss));
        const EvaluationRecord classes = last("weights");
        QVERIFY(classes.accuracy && !classes.top5 && !classes.r2); // of four classes
        QVERIFY(last("text of tokens").top5);
    }

    void outputsOfAnotherSizeAreAnError() {
        Subject subject = subjectOf("mse", 5);
        subject.model = std::make_shared<SmallConvNet>(false, 0.0); // four outputs against one number
        const Outcome outcome = train(subject);
        QVERIFY(outcome.error && outcome.error->code == "loss.outputs");
        QCOMPARE(outcome.error->argument("outputs"), std::string("4"));
    }

    // Weights of another length than the classes: both numbers, before anything is trained.
    void classWeightsAreCounted() {
        const QTemporaryDir folder;
        RunConfig config = smallConfig(97, 32, 8);
        config.loss.classWeights = {1.0, 2.0};
        const auto trainer = Trainer::create(makeSetup(config, folder));
        QVERIFY(!trainer);
        QCOMPARE(trainer.error().code, std::string("loss.class-weights"));
        QCOMPARE(trainer.error().argument("classes"), std::string("10"));
    }
};

QTEST_APPLESS_MAIN(TestLossSplits)
} // namespace test_loss_splits
#include "test_loss_splits.moc"
