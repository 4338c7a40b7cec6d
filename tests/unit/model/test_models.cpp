// SPDX-License-Identifier: GPL-3.0-or-later
// Models and their flat parameters: names and sizes as in Python, initial weights, image sizes, alignment and gaps.
#include "core/model/model.h"
#include "core/model/parameter_arena.h"
#include "core/window/flat_optimizer.h"
#include "core/window/gradient_window.h"
#include "tests/support/numeric.h"
#include "tests/support/training.h"
#include "tests/support/windows.h"

#include <ATen/ATen.h>
#include <QTest>

#include <algorithm>
#include <cmath>

namespace test_models {
using namespace accumulus;
using namespace accumulus::test;

namespace {

std::shared_ptr<const Model> modelOf(const std::string& name, std::int64_t side = 28) {
    ModelConfig config;
    config.name = name;
    return makeModel(config, {1, side, side, 10}).value();
}

std::vector<double> valuesOf(const at::Tensor& tensor) {
    const at::Tensor dense = tensor.to(at::kDouble).contiguous();
    return {dense.const_data_ptr<double>(), dense.const_data_ptr<double>() + dense.numel()};
}

double deviationOf(const std::vector<double>& values) {
    double sum = 0.0;
    double squares = 0.0;
    for (const double value : values) {
        sum += value;
        squares += value * value;
    }
    const auto count = static_cast<double>(values.size());
    return std::sqrt(squares / count - sum / count * (sum / count));
}

at::Tensor someImages(std::int64_t count, std::int64_t side) {
    return at::arange(count * side * side, at::kDouble).mul(0.7).sin().view({count, 1, side, side});
}

/// Elements between the parameters.
std::vector<double> gapsOf(const ParameterLayout& layout, const at::Tensor& flat) {
    std::vector<double> gaps;
    const std::vector<double> values = valuesOf(flat);
    for (std::size_t i = 0; i < layout.size(); ++i)
        for (std::int64_t j = layout.offset(i) + layout.specs()[i].count(); j < layout.offset(i) + layout.extent(i);
             ++j)
            gaps.push_back(values[static_cast<std::size_t>(j)]);
    return gaps;
}

} // namespace

class TestModels : public QObject {
    Q_OBJECT

    ForwardContext context; // evaluation

private Q_SLOTS:
    // 156 + 2416 + 48 120 + 10 164 + 850, and 401 920 + 262 656 + 5130.
    void parametersAreCounted() {
        QCOMPARE(modelOf("lenet5")->layout().parameterCount(), 61'706);
        QCOMPARE(modelOf("lenet5", 32)->layout().parameterCount(), 61'706);
        QCOMPARE(modelOf("mlp")->layout().parameterCount(), 669'706);
    }

    void namesAndShapesAreThoseOfPython() {
        const auto described = [](const Model& model) {
            std::string text;
            for (const ParameterSpec& spec : model.layout().specs()) {
                text += spec.name;
                for (const std::int64_t side : spec.shape)
                    text += " " + std::to_string(side);
                text += spec.bias ? " bias\n" : "\n";
            }
            return text;
        };
        QCOMPARE(described(*modelOf("lenet5")), std::string("conv1.weight 6 1 5 5\nconv1.bias 6 bias\n"
                                                            "conv2.weight 16 6 5 5\nconv2.bias 16 bias\n"
                                                            "fc1.weight 120 400\nfc1.bias 120 bias\n"
                                                            "fc2.weight 84 120\nfc2.bias 84 bias\n"
                                                            "fc3.weight 10 84\nfc3.bias 10 bias\n"));
        QCOMPARE(described(*modelOf("mlp")), std::string("fc1.weight 512 784\nfc1.bias 512 bias\n"
                                                         "fc2.weight 512 512\nfc2.bias 512 bias\n"
                                                         "fc3.weight 10 512\nfc3.bias 10 bias\n"));
    }

    // U(-b, b) with b = 1/sqrt(fan-in): inside the bound, close to it, deviation b/sqrt(3).
    void defaultWeightsFillTheirBounds_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("lenet5") << QString("lenet5");
        QTest::newRow("mlp") << QString("mlp");
    }
    void defaultWeightsFillTheirBounds() {
        QFETCH(QString, name);
        const auto model = modelOf(name.toStdString());
        const ParameterLayout& layout = model->layout();
        const at::Tensor flat = initialWeights(layout, {}, 1);
        for (std::size_t i = 0; i < layout.size(); ++i) {
            const std::vector<double> values = valuesOf(layout.view(flat, i));
            const double bound = 1.0 / std::sqrt(static_cast<double>(layout.specs()[i].fanIn));
            const double largest = std::abs(std::ranges::max(values, {}, [](double value) { return std::abs(value); }));
            QVERIFY(largest <= bound);
            if (values.size() < 100)
                continue;
            const auto count = static_cast<double>(values.size());
            QVERIFY(largest > bound * (1.0 - 10.0 / count)); // missed with probability e^-10
            // The variance of a uniform sample has relative standard error sqrt(0.8 / n), the deviation half of it;
            // five of them.
            QVERIFY(compareRel(deviationOf(values), bound / std::sqrt(3.0), 2.5 * std::sqrt(0.8 / count)));
        }
        const std::vector<double> gaps = gapsOf(layout, flat);
        QVERIFY(std::ranges::all_of(gaps, [](double gap) { return gap == 0.0; }));
    }

    void normalWeightsHaveTheDeviationAskedFor() {
        const auto model = modelOf("mlp");
        const ParameterLayout& layout = model->layout();
        ModelConfig config;
        config.init = "normal";
        config.initStd = 0.03;
        const at::Tensor flat = initialWeights(layout, config, 1);
        for (std::size_t i = 0; i < layout.size(); ++i) {
            const std::vector<double> values = valuesOf(layout.view(flat, i));
            if (layout.specs()[i].bias)
                QVERIFY(std::ranges::all_of(values, [](double value) { return value == 0.0; }));
            else // relative standard error 1 / sqrt(2 n); five of them
                QVERIFY(
                    compareRel(deviationOf(values), 0.03, 5.0 / std::sqrt(2.0 * static_cast<double>(values.size()))));
        }
    }

    void aSeedFixesTheWeights() {
        const auto model = modelOf("lenet5");
        const at::Tensor one = initialWeights(model->layout(), {}, 1);
        QVERIFY(at::equal(one, initialWeights(model->layout(), {}, 1)));
        QVERIFY(!at::equal(one, initialWeights(model->layout(), {}, 2)));
        // 28 x 28 and 32 x 32 share the architecture, so they share the weights.
        QVERIFY(at::equal(one, initialWeights(modelOf("lenet5", 32)->layout(), {}, 1)));
    }

    void bothPrecisionsStartAtTheSamePoint() {
        QTemporaryDir folder;
        RunConfig config = smallConfig(50, 10, 5);
        const std::vector<double> full = Trainer::create(makeSetup(config, folder)).value()->weights();
        config.numerics.precision = Precision::Fp32;
        const std::vector<double> single = Trainer::create(makeSetup(config, folder)).value()->weights();
        QCOMPARE(full.size(), std::size_t{669'706});
        QCOMPARE(single.size(), full.size());
        for (std::size_t i = 0; i < full.size(); ++i)
            QVERIFY(compareRel(full[i], single[i], 0x1p-24)); // rounded once to nearest
        QVERIFY(full != single);
    }

    // LeNet-5 on 28 x 28 pads its first convolution: the same as 32 x 32 images with a frame of zeros.
    void bothLenetSizesAreOneNetwork() {
        const auto small = modelOf("lenet5", 28);
        const auto large = modelOf("lenet5", 32);
        const auto leaves = small->layout().leaves(initialWeights(small->layout(), {}, 3));
        const at::Tensor images = someImages(7, 28);
        const at::Tensor logits = small->forward(leaves, images, context);
        QCOMPARE(logits.sizes().vec(), (std::vector<std::int64_t>{7, 10}));
        const at::Tensor framed = large->forward(leaves, at::constant_pad_nd(images, {2, 2, 2, 2}), context);
        // Sums of at most 400 fp64 terms of order one.
        QVERIFY(relativeL2(valuesOf(framed), valuesOf(logits)) < 1e-13);
        QVERIFY(relativeL2(valuesOf(large->forward(leaves, at::constant_pad_nd(images, {0, 4, 0, 4}), context)),
                           valuesOf(logits)) > 1e-3);
    }

    // No layer mixes samples: what accumulation rests on.
    void aSampleDoesNotSeeItsBatch_data() { defaultWeightsFillTheirBounds_data(); }
    void aSampleDoesNotSeeItsBatch() {
        QFETCH(QString, name);
        const auto model = modelOf(name.toStdString());
        const auto leaves = model->layout().leaves(initialWeights(model->layout(), {}, 3));
        const at::Tensor images = someImages(5, 28);
        const at::Tensor together = model->forward(leaves, images, context);
        for (std::int64_t i = 0; i < 5; ++i) {
            const at::Tensor alone = model->forward(leaves, images.narrow(0, i, 1), context);
            QVERIFY(relativeL2(valuesOf(alone), valuesOf(together.narrow(0, i, 1))) < 1e-13);
        }
    }

    void whatDoesNotFitIsRefused() {
        ModelConfig config;
        config.name = "lenet5";
        for (const InputShape& shape :
             {InputShape{1, 27, 27, 10}, InputShape{1, 28, 32, 10}, InputShape{1, 64, 64, 10}}) {
            const auto model = makeModel(config, shape);
            QVERIFY(!model.has_value());
            QCOMPARE(model.error().code, std::string("model.input"));
            QVERIFY(describe(model.error()).find('{') == std::string::npos);
        }
        InputShape several{8, 1, 1, 3};
        several.kind = SampleKind::Tensors;
        several.sample = {8};
        config.name = "mlp";
        for (const std::vector<std::int64_t>& target : {std::vector<std::int64_t>{5}, {2, 3}}) {
            several.target = target;
            several.loss = LossKind::CrossEntropy;
            const auto model = makeModel(config, several);
            QVERIFY(!model.has_value());
            QCOMPARE(model.error().code, std::string("model.input"));
            QVERIFY(describe(model.error()).find('{') == std::string::npos);
            several.loss = LossKind::Mse; // numbers may be any
            QVERIFY(makeModel(config, several).has_value());
        }
        several.loss = LossKind::CrossEntropy;
        several.target = {1}; // a column of classes is one class each
        QVERIFY(makeModel(config, several).has_value());
        config.name = "lenet6";
        QCOMPARE(makeModel(config, {}).error().code, std::string("model.unknown"));
    }

    void theMlpTakesAnySize() {
        QCOMPARE(modelOf("mlp", 16)->layout().specs()[0].shape, (std::vector<std::int64_t>{512, 256}));
    }

    // Every parameter starts on 64 bytes in every precision, and views share the flat memory.
    void parametersAreAligned() {
        for (const char* name : {"lenet5", "mlp"}) {
            const auto model = modelOf(name);
            const ParameterLayout& layout = model->layout();
            std::int64_t elements = 0;
            for (const at::ScalarType type : {at::kFloat, at::kDouble}) {
                const at::Tensor flat = layout.allocate(type);
                for (std::size_t i = 0; i < layout.size(); ++i) {
                    const at::Tensor view = layout.view(flat, i);
                    QCOMPARE(reinterpret_cast<std::uintptr_t>(view.const_data_ptr()) % 64, std::uintptr_t{0});
                    QVERIFY(view.is_contiguous());
                    view.fill_(1.0);
                    QVERIFY(layout.extent(i) >= view.numel() && layout.extent(i) < view.numel() + 16);
                    elements += view.numel();
                }
                QVERIFY(compareBits(flat.sum().item<double>(), static_cast<double>(layout.parameterCount())));
            }
            QCOMPARE(elements, 2 * layout.parameterCount());
        }
    }

    void leavesShareTheMemoryAndCollectTheirOwnGradients() {
        const ParameterLayout layout({{"w", {3, 5}, 5, false}, {"b", {3}, 5, true}});
        const at::Tensor flat = layout.allocate(at::kDouble);
        const auto first = layout.leaves(flat);
        const auto second = layout.leaves(flat);
        QVERIFY(first[0].is_leaf() && first[0].requires_grad());
        QCOMPARE(first[0].const_data_ptr(), second[0].const_data_ptr());
        layout.view(flat, 0).fill_(2.0); // the flat tensor itself is not tracked
        QVERIFY(compareBits(second[0].sum().item<double>(), 30.0));
    }

    // One fused call runs over parameters and gaps together, which is right only as long as the gaps stay zero in
    // weights, gradients and optimizer state.
    void gapsStayZeroThroughUpdates_data() {
        QTest::addColumn<int>("optimizer");
        QTest::addColumn<int>("type");
        for (const OptimizerKind optimizer : {OptimizerKind::Sgd, OptimizerKind::Adam, OptimizerKind::AdamW})
            for (const at::ScalarType type : {at::kFloat, at::kDouble})
                QTest::addRow("optimizer %d, %s", int(optimizer), at::toString(type)) << int(optimizer) << int(type);
    }
    void gapsStayZeroThroughUpdates() {
        QFETCH(int, optimizer);
        QFETCH(int, type);
        const auto scalar = static_cast<at::ScalarType>(type);
        const ParameterLayout layout(
            {{"a", {3}, 1, false}, {"b", {17}, 1, false}, {"c", {16}, 1, true}, {"d", {5, 5}, 5, false}});
        OptimizerConfig config;
        config.name = static_cast<OptimizerKind>(optimizer);
        config.lr = 0.1;
        config.momentum = 0.9;
        config.nesterov = true;
        config.weightDecay = 0.3;
        at::Tensor parameters = initialWeights(layout, {}, 1).to(scalar);
        const at::Tensor before = parameters.clone();
        FlatOptimizer flatOptimizer(config, layout, scalar);
        GradientWindow window = test::hostWindow(layout, scalar, {.clipNorm = 0.5});
        for (int update = 0; update < 5; ++update) {
            for (int microStep = 0; microStep < 3; ++microStep) {
                MicroGradient micro;
                micro.units = 8;
                for (const ParameterSpec& spec : layout.specs())
                    micro.gradients.push_back(at::full(spec.shape, 3.0 + update - microStep, scalar));
                window.commit(micro);
            }
            (void)window.close();
            flatOptimizer.update(parameters, window.gradient(), window.touched(), 0.1);
            window.clear();
        }
        QVERIFY(!at::equal(parameters, before));
        std::vector<at::Tensor> flats = {parameters, window.gradient()};
        for (const auto& [name, tensor] : flatOptimizer.state())
            flats.push_back(tensor);
        QCOMPARE(flats.size(), config.name == OptimizerKind::Sgd ? std::size_t{3} : std::size_t{4});
        for (const at::Tensor& flat : flats) {
            const std::vector<double> gaps = gapsOf(layout, flat);
            QCOMPARE(gaps.size(), std::size_t{13 + 15 + 0 + 7});
            QVERIFY(std::ranges::all_of(gaps, [](double gap) { return gap == 0.0; }));
        }
    }
};

QTEST_APPLESS_MAIN(TestModels)
} // namespace test_models
#include "test_models.moc"
