// SPDX-License-Identifier: GPL-3.0-or-later
// Weights that are cast once a window give what autocast gives, to the bit.
#include "core/engine/cast_weights.h"
#include "core/engine/lane_pool.h"
#include "core/model/model.h"
#include "core/window/flat_kernels.h"
#include "tests/support/numeric.h"
#include "tests/support/training.h"

#include <ATen/ATen.h>
#include <QTest>
#include <algorithm>
#include <memory>
#include <set>

namespace test_cast_weights {
using namespace accumulus;
using namespace accumulus::test;

namespace {

/// Weights after some updates of `config`, and the losses of the evaluations after each. A planted bug that touches
/// nothing but the noise scale leaves casting to autocast.
std::vector<double> trained(const RunConfig& config, int lanes, PlantedBug bug) {
    const QTemporaryDir folder;
    TrainerSetup setup = makeSetup(config, folder, {lanes, 1});
    setup.bug = bug;
    RecordingObserver observer;
    const auto trainer = Trainer::create(std::move(setup)).value();
    const TrainingEnd end = trainer->train(observer);
    if (end.error || end.summary.updates == 0)
        return {};
    std::vector<double> values = trainer->weights();
    for (const EvaluationRecord& evaluation : observer.evaluations)
        values.push_back(evaluation.loss);
    return values;
}

/// Notes in which types its weights come.
class Watched final : public Model {
public:
    Watched() : Model(withAutocast({{"w", {10, 784}, 784, false}})) {}
    [[nodiscard]] at::Tensor forward(std::span<const at::Tensor> p, const at::Tensor& input,
                                     ForwardContext& /*context*/) const override {
        types.insert(p[0].scalar_type());
        return at::linear(input.flatten(1), p[0]);
    }
    mutable std::set<at::ScalarType> types;
};

bool sameBits(const std::vector<double>& a, const std::vector<double>& b) {
    return std::ranges::equal(a, b, [](double x, double y) { return compareBits(x, y); });
}

RunConfig configOf(const QString& model, const QString& precision) {
    const bool slow = model == "resnet18"; // where a processor has no 16-bit convolutions
    RunConfig config = slow ? smallConfig(5, 3, 1) : smallConfig(30, 12, 4); // the last window is short
    if (slow)
        config.data.testLimit = 1;
    config.model.name = model.toStdString();
    config.model.hidden = {20};
    config.numerics.precision = precision == "bf16" ? Precision::Bf16 : Precision::Fp16;
    config.optimizer.momentum = 0.9;
    config.evaluate.every = {1, Extent::Unit::Updates};
    if (model == "resnet18") {
        config.data.dataset = "textures-generated";
        config.data.resize = 16; // BatchNorm sees 4 values of a sample
        config.model.stem = "cifar";
    } else if (model == "char-gpt" || model == "bert-mini") {
        config.data.dataset = "tinyshakespeare";
        config.data.block = 8;
        config.model.layers = 1;
        config.model.heads = 2;
        config.model.width = 16;
    }
    return config;
}

} // namespace

class TestCastWeights : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void trainsAsAutocastDoes_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("precision");
        for (const char* model : {"mlp", "lenet5", "resnet18", "char-gpt", "bert-mini"})
            for (const char* precision : {"bf16", "fp16"})
                QTest::addRow("%s, %s", model, precision) << model << precision;
    }
    void trainsAsAutocastDoes() {
        QFETCH(QString, model);
        QFETCH(QString, precision);
        RunConfig config = configOf(model, precision);
        for (const bool frozen : {false, true}) {
            if (frozen && model == "resnet18")
                continue; // for time
            if (frozen)
                config.model.freeze = {model == "mlp" || model == "lenet5" ? "fc1.*"
                                       : model == "resnet18"               ? "layer1.*"
                                       : model == "char-gpt"               ? "transformer.h.0.mlp.*"
                                                                           : "bert.encoder.layer.0.output.*"};
            for (const bool lean : {false, true}) {
                config.batch.lean = lean; // an overflow computes the whole window again: other bits in fp16
                const auto expected = trained(config, 1, PlantedBug::NoiseUnweighted);
                QVERIFY(!expected.empty());
                for (const int lanes : {1, 3})
                    QVERIFY(sameBits(trained(config, lanes, PlantedBug::None), expected));
            }
        }
    }

    // What is compared above are two ways: cast before the forward pass, and by autocast in it.
    void aRunCastsAndItsReferenceDoesNot() {
        for (const char* precision : {"bf16", "fp16"})
            for (const bool casts : {true, false}) {
                const QTemporaryDir folder;
                TrainerSetup setup = makeSetup(configOf("mlp", precision), folder);
                const auto model = std::make_shared<Watched>();
                setup.model = model;
                setup.bug = casts ? PlantedBug::None : PlantedBug::NoiseUnweighted;
                RecordingObserver observer;
                QVERIFY(!Trainer::create(std::move(setup)).value()->train(observer).error);
                const auto type = qstrcmp(precision, "bf16") == 0 ? at::kBFloat16 : at::kHalf;
                QCOMPARE(model->types.contains(type), casts);
                QVERIFY(casts || model->types == std::set{at::kFloat});
            }
    }

    // The mutant: weights of before the update.
    void takesTheWeightsAsTheyAre() {
        LanePool lanes(2, 1);
        const ParameterLayout layout(withAutocast({{"w", {300, 500}, 500, false}}));
        at::Tensor weights = layout.allocate(at::kFloat);
        weights.normal_();
        for (const Precision precision : {Precision::Bf16, Precision::Fp16}) {
            CastWeights cast(layout, precision);
            const auto type = precision == Precision::Bf16 ? at::kBFloat16 : at::kHalf;
            const void* place = cast.flat().const_data_ptr();
            for (Workers* workers : {static_cast<Workers*>(nullptr), static_cast<Workers*>(&lanes)}) {
                weights.mul_(1.5);
                QVERIFY(!at::equal(cast.flat(), weights.to(type)));
                cast.refresh(weights, workers);
                QVERIFY(at::equal(cast.flat(), weights.to(type)));
            }
            QCOMPARE(cast.flat().const_data_ptr(), place);
        }
        QVERIFY(!CastWeights(layout, Precision::Fp32).flat().defined());
        QVERIFY(!CastWeights(ParameterLayout({{"w", {3}, 3, false}}), Precision::Bf16).flat().defined());
    }

    // Added straight from bfloat16: sums and squares as of its copy in fp32.
    void addsBfloat16AsItsCopy() {
        const at::Tensor gradient = at::randn({5003}).to(at::kBFloat16), copy = gradient.to(at::kFloat);
        for (const std::int64_t count : {1, 15, 16, 4096, 5003})
            for (const bool overwrite : {true, false}) {
                at::Tensor straight = at::full({count}, 0.3F), through = straight.clone();
                const double squares = commitKernel(straight.mutable_data_ptr<float>(),
                                                    gradient.const_data_ptr<at::BFloat16>(), count, 0.7F, overwrite);
                QVERIFY(compareBits(squares, commitKernel(through.mutable_data_ptr<float>(),
                                                          copy.const_data_ptr<float>(), count, 0.7F, overwrite)));
                QVERIFY(at::equal(straight, through));
            }
    }
};

QTEST_GUILESS_MAIN(TestCastWeights)
} // namespace test_cast_weights
#include "test_cast_weights.moc"
