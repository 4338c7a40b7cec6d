// SPDX-License-Identifier: GPL-3.0-or-later
// Linear layers by the microkernel against ATen's in fp64. Small whole numbers: fp32 holds every intermediate result
// exactly, whatever the order of the sums, so results must be equal. Real numbers then only differ by rounding.
#include "core/model/linear_layer.h"
#include "tests/unit/model/same_bits.h"

#include <ATen/ATen.h>
#include <QTest>
#include <array>
#include <torch/csrc/autograd/autograd.h>
#include <vector>

namespace test_linear_layer {
using namespace accumulus;

namespace {

struct Case {
    at::Tensor input, weight, bias, gradient; ///< fp32; bias may be undefined
};

template <class Numbers>
Case make(const Numbers& numbers, std::vector<std::int64_t> rows, std::int64_t in, std::int64_t out, bool biased) {
    std::vector<std::int64_t> input = rows, output = rows;
    input.push_back(in);
    output.push_back(out);
    return {numbers(input), numbers({out, in}), biased ? numbers({out}) : at::Tensor(), numbers(output)};
}
at::Tensor wholeNumbers(at::IntArrayRef shape) { return at::randint(-3, 4, shape, at::kFloat); }
at::Tensor realNumbers(at::IntArrayRef shape) { return at::randn(shape); }

/// Output, gradients of input, weight and, where there is one, bias.
template <class Layer>
std::vector<at::Tensor> all(const Case& given, at::ScalarType type, const Layer& layer) {
    std::vector<at::Tensor> leaves;
    for (const at::Tensor& tensor : {given.input, given.weight, given.bias})
        if (tensor.defined())
            leaves.push_back(tensor.to(type).detach().requires_grad_(true));
    const at::Tensor y = layer(leaves[0], leaves[1], leaves.size() > 2 ? leaves[2] : at::Tensor());
    std::vector<at::Tensor> results = torch::autograd::grad({y}, leaves, {given.gradient.to(type)});
    results.insert(results.begin(), y.detach());
    return results;
}

at::Tensor aten(const at::Tensor& x, const at::Tensor& w, const at::Tensor& b) { return at::linear(x, w, b); }

double relative(const at::Tensor& a, const at::Tensor& exact) {
    return ((a.to(at::kDouble) - exact).norm() / exact.norm()).item<double>();
}

} // namespace

class TestLinearLayer : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { at::manual_seed(7); }

    void isTheLayer_data() {
        QTest::addColumn<QList<int>>("sizes"); // rows, in, out
        QTest::newRow("one of everything") << QList<int>{1, 1, 1};
        QTest::newRow("one row") << QList<int>{1, 40, 24};
        QTest::newRow("few rows, the weights stay as they lie") << QList<int>{7, 130, 67};
        QTest::newRow("few rows, deep") << QList<int>{32, 784, 512}; // two blocks of depth
        QTest::newRow("few outputs") << QList<int>{33, 84, 10};
        QTest::newRow("many rows, the weights are turned") << QList<int>{300, 35, 70}; // three blocks of rows
        QTest::newRow("many rows, deep gradients") << QList<int>{1030, 17, 65};
    }
    void isTheLayer() {
        QFETCH(QList<int>, sizes);
        for (const bool biased : {true, false}) {
            const Case given = make(wholeNumbers, {sizes[0]}, sizes[1], sizes[2], biased);
            const auto own = all(given, at::kFloat, linearLayer), wanted = all(given, at::kDouble, aten);
            QCOMPARE(own.size(), wanted.size());
            for (std::size_t i = 0; i < own.size(); ++i)
                QVERIFY2(at::equal(own[i].to(at::kDouble), wanted[i]), qPrintable(QString::number(i)));
        }
    }

    void leadingDimensionsArePassedThrough() {
        const Case given = make(wholeNumbers, {3, 5}, 12, 9, true);
        const auto own = all(given, at::kFloat, linearLayer), wanted = all(given, at::kDouble, aten);
        for (std::size_t i = 0; i < own.size(); ++i)
            QVERIFY(at::equal(own[i].to(at::kDouble), wanted[i]));
    }

    // ATen broadcasts a bias of one number, and refuses other sizes.
    void anyBiasIsTakenAsAtenDoes() {
        const at::Tensor input = at::randn({5, 12}), weight = at::randn({9, 12}), one = at::randn({1});
        QVERIFY(at::equal(linearLayer(input, weight, one), at::linear(input, weight, one)));
        QVERIFY_EXCEPTION_THROWN((void)linearLayer(input, weight, at::randn({4})), c10::Error);
        QVERIFY_EXCEPTION_THROWN((void)linearLayer(at::randn({5, 24}), weight, one), c10::Error);
    }

    // As ReLU(inplace=True) does: autograd refuses that for views that leave a function.
    void outputsMayBeWrittenOver() {
        for (const auto& shape : std::vector<std::vector<std::int64_t>>{{5, 12}, {3, 5, 12}}) {
            const at::Tensor input = at::randn(shape), weight = at::randn({9, 12}).requires_grad_();
            at::Tensor own = linearLayer(input, weight, {}), wanted = at::linear(input, weight);
            own.relu_();
            wanted.relu_();
            const auto found = torch::autograd::grad({own.square().sum()}, {weight})[0];
            const auto expected = torch::autograd::grad({wanted.square().sum()}, {weight})[0];
            QVERIFY(at::allclose(found, expected, 1e-5, 1e-5 * expected.abs().max().item<double>()));
        }
    }

    void otherOrdersInMemoryAreRead() {
        Case given = make(wholeNumbers, {6, 4}, 12, 9, true);
        const auto wanted = all(given, at::kDouble, aten);
        given.input = given.input.transpose(0, 1).contiguous().transpose(0, 1);
        given.gradient = given.gradient.permute({2, 0, 1}).contiguous().permute({1, 2, 0});
        given.weight = given.weight.t().contiguous().t(); // goes through at::linear
        const auto own = all(given, at::kFloat, linearLayer);
        for (std::size_t i = 0; i < own.size(); ++i)
            QVERIFY(at::equal(own[i].to(at::kDouble), wanted[i]));
    }

    void onlyWhatIsAskedForIsComputed() {
        const Case given = make(wholeNumbers, {4}, 6, 5, true);
        const auto wanted = all(given, at::kDouble, aten);
        const at::Tensor bias = given.bias.detach().requires_grad_(true);
        const auto some =
            torch::autograd::grad({linearLayer(given.input, given.weight, bias)}, {bias}, {given.gradient});
        QVERIFY(at::equal(some[0].to(at::kDouble), wanted[3]));
        QVERIFY(!linearLayer(given.input, given.weight, given.bias).requires_grad());
    }

    // Added to what is there already: whichever factor is turned, in parts of blocks and with more than one of depth.
    void isAddedToTheResidual_data() { isTheLayer_data(); }
    void isAddedToTheResidual() {
        QFETCH(QList<int>, sizes);
        for (const bool biased : {true, false}) {
            const Case given = make(wholeNumbers, {sizes[0]}, sizes[1], sizes[2], biased);
            const at::Tensor residual = wholeNumbers({sizes[0], sizes[2]});
            const auto with = [&](at::ScalarType type, const auto& layer) {
                at::Tensor onto = residual.to(type).detach().requires_grad_(true), ofOnto;
                auto results = all(given, type, [&](const auto&... x) {
                    const at::Tensor y = layer(onto, x...);
                    ofOnto = torch::autograd::grad({y}, {onto}, {given.gradient.to(type)}, /*retain_graph=*/true)[0];
                    return y;
                });
                results.push_back(ofOnto);
                return results;
            };
            const auto own = [&] {
                return with(at::kFloat, [](const at::Tensor& onto, const at::Tensor& x, const at::Tensor& w,
                                           const at::Tensor& b) { return linearOnto(onto, x, std::nullopt, w, b); });
            };
            const auto found = own();
            const auto wanted =
                with(at::kDouble, [](const at::Tensor& onto, const auto&... x) { return onto + aten(x...); });
            QCOMPARE(found.size(), wanted.size());
            for (std::size_t i = 0; i < found.size(); ++i)
                QVERIFY2(at::equal(found[i].to(at::kDouble), wanted[i]), qPrintable(QString::number(i)));
            QVERIFY(test::threadsAgree(own));
        }
    }

    void geluIsAddedToTheResidual() {
        const at::Tensor onto = at::randn({70, 33}), x = at::randn({70, 300}), w = at::randn({33, 300}),
                         b = at::randn({33});
        for (const GeluForm form : {GeluForm::Exact, GeluForm::Tanh})
            QVERIFY(at::allclose(linearOnto(onto, x, form, w, b), onto + linearOfGelu(x, form, w, b), 1e-5, 1e-4));
    }

    // What the layer does not compute itself, and what is spread over the output.
    void otherResidualsAreAdded() {
        const at::Tensor x = wholeNumbers({6, 12}), w = wholeNumbers({9, 12}), row = wholeNumbers({9});
        const at::Tensor turned = wholeNumbers({9, 6}).t(), exact = wholeNumbers({6, 9}).to(at::kDouble);
        for (const at::Tensor& onto : {row, turned, exact})
            QVERIFY(at::equal(linearOnto(onto, x, std::nullopt, w, {}), onto + at::linear(x, w)));
    }

    // Products of the same numbers, summed up in another order: the rounding errors of ATen's sums, a few times.
    void roundsLikeTheLayer_data() {
        QTest::addColumn<QList<int>>("sizes");
        QTest::newRow("perceptron") << QList<int>{32, 784, 512};
        QTest::newRow("transformer") << QList<int>{1024, 128, 512};
    }
    void roundsLikeTheLayer() {
        QFETCH(QList<int>, sizes);
        const Case given = make(realNumbers, {sizes[0]}, sizes[1], sizes[2], true);
        const auto exact = all(given, at::kDouble, aten), usual = all(given, at::kFloat, aten),
                   own = all(given, at::kFloat, linearLayer);
        for (std::size_t i = 0; i < own.size(); ++i) {
            const double limit = 4 * std::max(relative(usual[i], exact[i]), 6e-8);
            const QString error = QStringLiteral("%1: %2, ATen %3")
                                      .arg(i)
                                      .arg(relative(own[i], exact[i]))
                                      .arg(relative(usual[i], exact[i]));
            qInfo("%s", qPrintable(error));
            QVERIFY2(relative(own[i], exact[i]) < limit, qPrintable(error));
        }
    }

    void threadsDoNotChangeBits() {
        for (const auto& sizes : std::vector<std::array<std::int64_t, 3>>{{32, 784, 512}, {700, 96, 200}}) {
            const Case given = make(realNumbers, {sizes[0]}, sizes[1], sizes[2], true);
            QVERIFY(test::threadsAgree([&] { return all(given, at::kFloat, linearLayer); }));
        }
    }
};

QTEST_GUILESS_MAIN(TestLinearLayer)
} // namespace test_linear_layer
#include "test_linear_layer.moc"
