// SPDX-License-Identifier: GPL-3.0-or-later
// ResNets: torchvision's parameters, gradients, GroupNorm, channels last, 16 bits. Logits against torchvision itself:
// tests/oracle/torchvision_resnet.py.
#include "core/engine/autocast.h"
#include "tests/unit/model/resnet_fixture.h"

#include <QTest>

#include <cmath>

namespace test_resnet {
using namespace accumulus;
using namespace accumulus::test;

namespace {

std::string described(const ParameterSpec& spec) {
    std::string text = spec.name;
    for (const std::int64_t side : spec.shape)
        text += " " + std::to_string(side);
    return text;
}

} // namespace

class TestResnet : public QObject, protected ResnetCase {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { at::set_num_threads(1); }

    void parametersAreCounted() {
        QCOMPARE(lane.model->layout().parameterCount(), 11'181'642);
        QCOMPARE(resnet("resnet50")->layout().parameterCount(), 23'528'522);
        QCOMPARE(resnet("resnet18", "cifar")->layout().parameterCount(), 11'181'642 - 64 * 3 * (49 - 9));
        QCOMPARE(resnet("resnet50", "imagenet", "group")->layout().parameterCount(), 23'528'522);
    }

    // Written down from torchvision's named_parameters() and named_buffers(); the oracle compares all of them.
    void namesAndOrderAreTorchvisions() {
        const auto& small = lane.model->layout().specs();
        QCOMPARE(small.size(), std::size_t{62});
        QCOMPARE(described(small[0]), std::string("conv1.weight 64 3 7 7"));
        QCOMPARE(described(small[1]), std::string("bn1.weight 64"));
        QCOMPARE(described(small[2]), std::string("bn1.bias 64"));
        QCOMPARE(described(small[6]), std::string("layer1.0.conv2.weight 64 64 3 3"));
        QCOMPARE(described(small[15]), std::string("layer2.0.conv1.weight 128 64 3 3"));
        QCOMPARE(described(small[21]), std::string("layer2.0.downsample.0.weight 128 64 1 1"));
        QCOMPARE(described(small[23]), std::string("layer2.0.downsample.1.bias 128"));
        QCOMPARE(described(small[59]), std::string("layer4.1.bn2.bias 512"));
        QCOMPARE(described(small[60]), std::string("fc.weight 10 512"));
        QCOMPARE(described(small[61]), std::string("fc.bias 10"));

        const auto large = resnet("resnet50");
        const auto& specs = large->layout().specs();
        QCOMPARE(specs.size(), std::size_t{161});
        QCOMPARE(described(specs[3]), std::string("layer1.0.conv1.weight 64 64 1 1"));
        QCOMPARE(described(specs[12]), std::string("layer1.0.downsample.0.weight 256 64 1 1"));
        QCOMPARE(described(specs[156]), std::string("layer4.2.conv3.weight 2048 512 1 1"));
        QCOMPARE(described(specs[159]), std::string("fc.weight 10 2048"));

        QCOMPARE(lane.model->buffers().size(), std::size_t{40});
        QCOMPARE(large->buffers().size(), std::size_t{106});
        QCOMPARE(described(large->buffers().specs()[0]), std::string("bn1.running_mean 64"));
        QCOMPARE(described(large->buffers().specs()[105]), std::string("layer4.2.bn3.running_var 2048"));
        QVERIFY(!resnet("resnet18", "imagenet", "group")->hasBatchNorm());
        QVERIFY(lane.model->hasBatchNorm());
    }

    // Kaiming normal, fan-out: the relative standard error of a deviation is 1 / sqrt(2 n); five of them.
    void initialWeightsAreTorchvisions() {
        for (std::size_t i = 0; i < lane.model->layout().size(); ++i) {
            const ParameterSpec& spec = lane.model->layout().specs()[i];
            const at::Tensor& values = lane.leaves[i];
            if (spec.shape.size() == 4) {
                const double wanted =
                    std::sqrt(2.0 / static_cast<double>(spec.shape[0] * spec.shape[2] * spec.shape[3]));
                QVERIFY2(compareRel(values.std().item<double>(), wanted,
                                    5.0 / std::sqrt(2.0 * static_cast<double>(spec.count()))),
                         spec.name.c_str());
            } else if (!spec.name.starts_with("fc.")) {
                QVERIFY(at::equal(values, at::full_like(values, spec.name.ends_with("weight") ? 1.0 : 0.0)));
            } else {
                QVERIFY(values.abs().max().item<double>() <= 1.0 / std::sqrt(512.0));
            }
        }
        QVERIFY(at::equal(lane.buffers[0], at::zeros({64}, at::kDouble)));
        QVERIFY(at::equal(lane.buffers[1], at::ones({64}, at::kDouble)));
        ModelConfig tutorial; // normalisation layers stay identities where weights are drawn small
        tutorial.init = "normal";
        const at::Tensor drawn = initialWeights(lane.model->layout(), tutorial, 1);
        QVERIFY(at::equal(lane.model->layout().view(drawn, 1), at::ones({64}, at::kDouble)));
    }

    void everyParameterIsTouched() {
        ForwardContext context = lane.context(true);
        const auto gradients = lane.gradients(input, targets, context);
        for (std::size_t i = 0; i < gradients.size(); ++i)
            QVERIFY2(gradients[i].defined() && gradients[i].abs().max().item<double>() > 0.0,
                     lane.model->layout().specs()[i].name.c_str());
    }

    // A change this small passes hardly any kink of a ReLU; the difference is good to the rounding of the loss, 1e-14,
    // by h.
    void gradientsAreDerivatives_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("norm");
        using Row = std::pair<const char*, const char*>;
        for (const auto& [name, norm] : {Row{"resnet18", "batch"}, {"resnet18", "group"}, {"resnet50", "batch"}})
            QTest::addRow("%s, %s", name, norm) << QString(name) << QString(norm);
    }
    void gradientsAreDerivatives() {
        QFETCH(QString, name);
        QFETCH(QString, norm);
        Lane own(resnet(name.toStdString(), "imagenet", norm.toStdString(), 33));
        const at::Tensor some = images(4, 33); // 16 values per channel in the last layers
        const at::Tensor wanted = targets.narrow(0, 0, 4);
        ForwardContext context = own.context(true);
        const auto gradients = own.gradients(some, wanted, context);
        for (const char* parameter :
             {"conv1.weight", "layer2.0.downsample.1.weight", "layer4.1.conv2.weight", "fc.bias"}) {
            const std::size_t index = own.indexOf(parameter);
            const double exact = gradients[index].contiguous().view(-1)[5].item<double>();
            const double measured = centralDifference(own, index, 5, 1e-8, [&] {
                ForwardContext again = own.context(true);
                return own.loss(some, wanted, again).item<double>();
            });
            QVERIFY2(compareRel(measured, exact, 1e-4) || compareAbs(measured, exact, 1e-5),
                     qPrintable(QString("%1: %2 %3").arg(parameter).arg(measured).arg(exact)));
        }
    }

    void theLeastAreaIsWhatTheLastLayerSees_data() {
        QTest::addColumn<QString>("stem");
        QTest::addColumn<int>("side");
        QTest::addColumn<int>("area");
        QTest::newRow("imagenet, 32") << "imagenet" << 32 << 1;
        QTest::newRow("imagenet, 33") << "imagenet" << 33 << 4;
        QTest::newRow("imagenet, 64") << "imagenet" << 64 << 4;
        QTest::newRow("cifar, 8") << "cifar" << 8 << 1;
        QTest::newRow("cifar, 12") << "cifar" << 12 << 4;
        QTest::newRow("cifar, 17") << "cifar" << 17 << 9;
    }
    void theLeastAreaIsWhatTheLastLayerSees() {
        QFETCH(QString, stem);
        QFETCH(int, side);
        QFETCH(int, area);
        const Lane own(resnet("resnet18", stem.toStdString(), "batch", side));
        QCOMPARE(own.model->leastNormalisedArea(), std::int64_t{area});
        ForwardContext context = own.context(true);
        const at::NoGradGuard noGrad;
        (void)own.model->forward(own.leaves, images(2, side), context);
        QCOMPARE(context.statistics.back().at(0).count, std::int64_t{2 * area});
        QCOMPARE(resnet("resnet18", stem.toStdString(), "group", side)->leastNormalisedArea(), std::int64_t{0});
    }

    // With dropout too: its mask belongs to the sample.
    void groupNormLooksAtOneSample() {
        const Lane own(resnet("resnet18", "cifar", "group", 16, false, 0.3));
        const at::Tensor some = images(3, 16);
        const Samples together(3);
        ForwardContext context = own.context(true);
        context.keys = together.keys();
        const at::NoGradGuard noGrad;
        const at::Tensor logits = own.model->forward(own.leaves, some, context);
        for (std::int64_t i = 0; i < 3; ++i) {
            const Samples one(1, i);
            ForwardContext alone = own.context(true);
            alone.keys = one.keys();
            QVERIFY(distance(own.model->forward(own.leaves, some.narrow(0, i, 1), alone), logits.narrow(0, i, 1)) <
                    tolerance);
        }
        QVERIFY(distance(own.evaluate(some), logits) > 1e-3); // dropout did something
        // BatchNorm does look at the others.
        ForwardContext all = lane.context(true);
        ForwardContext few = lane.context(true);
        QVERIFY(distance(lane.model->forward(lane.leaves, input.narrow(0, 0, 4), few),
                         lane.model->forward(lane.leaves, input, all).narrow(0, 0, 4)) > 1e-3);
    }

    // Another order in memory, the same numbers: initial weights, logits, gradients.
    void channelsLastIsAnOrderInMemory_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("norm");
        using Row = std::pair<const char*, const char*>;
        for (const auto& [name, norm] : {Row{"resnet18", "batch"}, {"resnet18", "group"}, {"resnet50", "batch"}})
            QTest::addRow("%s, %s", name, norm) << QString(name) << QString(norm);
    }
    void channelsLastIsAnOrderInMemory() {
        QFETCH(QString, name);
        QFETCH(QString, norm);
        const Lane rows(resnet(name.toStdString(), "imagenet", norm.toStdString(), 33));
        const Lane last(resnet(name.toStdString(), "imagenet", norm.toStdString(), 33, true));
        QVERIFY(last.leaves[0].is_contiguous(at::MemoryFormat::ChannelsLast) && !last.leaves[0].is_contiguous());
        for (std::size_t i = 0; i < rows.leaves.size(); ++i)
            QVERIFY(at::equal(rows.leaves[i], last.leaves[i]));
        ForwardContext one = rows.context(true);
        ForwardContext other = last.context(true);
        one.ghost = other.ghost = 2;
        const at::Tensor some = images(4, 33); // 16 values per channel in the last layers
        const auto wanted = rows.gradients(some, targets.narrow(0, 0, 4), one);
        const double apart = worstDistance(last.gradients(some, targets.narrow(0, 0, 4), other), wanted);
        QVERIFY2(apart < tolerance, qPrintable(QString::number(apart)));
        QVERIFY(distance(last.evaluate(some), rows.evaluate(some)) < tolerance);
    }

    // Autocast computes convolutions in 16 bits; normalisation works with fp32 weights and leaves fp32 statistics.
    void sixteenBitsNormaliseInFp32_data() {
        QTest::addColumn<int>("precision");
        QTest::addColumn<QString>("norm");
        for (const bool batch : {true, false}) {
            const char* norm = batch ? "batch" : "group";
            QTest::addRow("bf16, %s", norm) << int(Precision::Bf16) << norm;
            QTest::addRow("fp16, %s", norm) << int(Precision::Fp16) << norm;
        }
    }
    void sixteenBitsNormaliseInFp32() {
        QFETCH(int, precision);
        QFETCH(QString, norm);
        const Lane own(resnet("resnet18", "imagenet", norm.toStdString(), 32, true), 5, at::kFloat);
        const at::Tensor some = input.to(at::kFloat).narrow(0, 0, 4);
        const at::Tensor wantedLabels = targets.narrow(0, 0, 4);
        const at::Tensor exact = own.evaluate(some);
        ForwardContext context = own.context(true);
        ForwardContext full = own.context(true);
        const auto wanted = own.gradients(some, wantedLabels, full);
        std::vector<at::Tensor> gradients;
        {
            const AutocastScope autocast(static_cast<Precision>(precision));
            const at::Tensor logits = own.evaluate(some);
            QVERIFY(at::isReducedFloatingType(logits.scalar_type()));
            // Each of 20 layers rounds to 2^-9 relative at worst; errors of layers add like a random walk.
            QVERIFY(distance(logits, exact) < 5 * std::sqrt(20.0) * 0x1p-9);
            gradients = own.gradients(some, wantedLabels, context);
        }
        for (std::size_t i = 0; i < gradients.size(); ++i) {
            QCOMPARE(gradients[i].scalar_type(), at::kFloat);
            QVERIFY(gradients[i].isfinite().all().item<bool>());
        }
        for (const auto& layer : context.statistics)
            QCOMPARE(layer.at(0).variance.scalar_type(), at::kFloat);
        QVERIFY(distance(gradients.back(), wanted.back()) < 0.1); // fc.bias; and no other function is computed
    }

    void textIsRefused() {
        ModelConfig config;
        for (const char* name : {"resnet18", "resnet50", "lenet5", "mlp"}) {
            config.name = name;
            const auto made = makeModel(config, {1, 0, 0, 65, 64});
            QVERIFY(!made.has_value());
            QCOMPARE(made.error().code, std::string("model.input"));
            QVERIFY(describe(made.error()).find('{') == std::string::npos);
        }
    }
};

QTEST_APPLESS_MAIN(TestResnet)
} // namespace test_resnet
#include "test_resnet.moc"
