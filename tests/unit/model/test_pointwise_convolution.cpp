// SPDX-License-Identifier: GPL-3.0-or-later
// pointwiseConvolution against ATen's conv2d in fp64. Small whole numbers: fp32 holds every intermediate result
// exactly, whatever the order of the sums, so results must be equal. Real numbers then only differ by rounding.
#include "core/base/machine_features.h"
#include "core/model/convolution.h"
#include "core/model/pointwise_convolution.h"
#include "tests/unit/model/same_bits.h"

#include <ATen/ATen.h>
#include <QTest>
#include <torch/csrc/autograd/autograd.h>
#include <vector>

namespace test_pointwise_convolution {
using namespace accumulus;

namespace {

constexpr auto channelsLast = at::MemoryFormat::ChannelsLast;

struct Case {
    at::Tensor input, weight, bias, gradient; ///< fp32; no bias: undefined
    std::int64_t stride;
};

template <class Numbers>
Case make(const Numbers& numbers, at::IntArrayRef input, std::int64_t outputs, std::int64_t stride, bool biased) {
    const auto behind = [stride](std::int64_t side) { return (side + stride - 1) / stride; };
    return {numbers(input), numbers({outputs, input[1], 1, 1}), biased ? numbers({outputs}) : at::Tensor(),
            numbers({input[0], outputs, behind(input[2]), behind(input[3])}), stride};
}
at::Tensor wholeNumbers(at::IntArrayRef shape) { return at::randint(-3, 4, shape, at::kFloat); }
at::Tensor realNumbers(at::IntArrayRef shape) { return at::randn(shape); }

at::Tensor aten(const at::Tensor& x, const at::Tensor& w, const at::Tensor& b, std::int64_t stride) {
    return at::conv2d(x, w, b, stride);
}

/// Output, gradients of input, weight, and of bias where there is one.
template <class Convolution>
std::vector<at::Tensor> all(const Case& given, at::ScalarType type, const Convolution& convolution) {
    const auto leaf = [type](const at::Tensor& x) { return x.to(type).detach().requires_grad_(true); };
    std::vector<at::Tensor> leaves{leaf(given.input.contiguous(channelsLast)), leaf(given.weight)};
    if (given.bias.defined())
        leaves.push_back(leaf(given.bias));
    const at::Tensor y =
        convolution(leaves[0], leaves[1], given.bias.defined() ? leaves[2] : at::Tensor(), given.stride);
    auto results = torch::autograd::grad({y}, leaves, {given.gradient.to(type)});
    results.insert(results.begin(), y.detach());
    return results;
}

double distance(const at::Tensor& a, const at::Tensor& b) {
    return ((a.to(at::kDouble) - b.to(at::kDouble)).norm() / b.to(at::kDouble).norm()).item<double>();
}

bool equal(const std::vector<at::Tensor>& own, const std::vector<at::Tensor>& wanted) {
    return std::ranges::equal(own, wanted,
                              [](const at::Tensor& a, const at::Tensor& b) { return at::equal(a.to(at::kDouble), b); });
}

} // namespace

class TestPointwiseConvolution : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { at::manual_seed(5); }

    void isTheConvolution_data() {
        QTest::addColumn<QList<int>>("sizes"); // samples, channels, height, width, outputs, stride
        QTest::newRow("one pixel") << QList<int>{1, 3, 1, 1, 5, 1};
        QTest::newRow("ResNet-50, last") << QList<int>{2, 512, 7, 7, 192, 1};
        QTest::newRow("more pixels than are turned at once") << QList<int>{3, 40, 13, 11, 24, 1};
        QTest::newRow("shortcut") << QList<int>{3, 64, 8, 8, 128, 2};
        QTest::newRow("sides that the stride does not divide") << QList<int>{2, 32, 7, 9, 16, 2};
        QTest::newRow("a stride of three") << QList<int>{2, 16, 10, 3, 70, 3};
    }
    void isTheConvolution() {
        QFETCH(QList<int>, sizes);
        for (const bool biased : {false, true}) {
            const Case given = make(wholeNumbers, {sizes[0], sizes[1], sizes[2], sizes[3]}, sizes[4], sizes[5], biased);
            const auto wanted = all(given, at::kDouble, aten);
            QVERIFY(equal(all(given, at::kFloat, pointwiseConvolution), wanted));
            QVERIFY(pointwiseConvolution(given.input.contiguous(channelsLast), given.weight, given.bias, given.stride)
                        .is_contiguous(channelsLast));
            if (sizes[5] == 1)
                continue;
            // The mutant: the pixels next to those that the stride meets.
            Case shifted = given;
            shifted.input = given.input.roll(1, 3);
            QVERIFY(!equal(all(shifted, at::kFloat, pointwiseConvolution), wanted));
        }
    }

    // Sums of 256 to 1568 products in another order: ATen's own errors, a few times.
    void roundsLikeTheConvolution() {
        const Case given = make(realNumbers, {8, 256, 14, 14}, 64, 1, true);
        const auto exact = all(given, at::kDouble, aten), usual = all(given, at::kFloat, aten),
                   own = all(given, at::kFloat, pointwiseConvolution);
        for (std::size_t i = 0; i < own.size(); ++i)
            QVERIFY2(distance(own[i], exact[i]) < 4 * std::max(distance(usual[i], exact[i]), 6e-8),
                     qPrintable(QStringLiteral("%1: %2").arg(i).arg(distance(own[i], exact[i]))));
    }

    void threadsDoNotChangeBits() {
        for (const std::int64_t stride : {1, 2}) {
            const Case given = make(realNumbers, {5, 160, 17, 14}, 96, stride, false);
            QVERIFY(test::threadsAgree([&] { return all(given, at::kFloat, pointwiseConvolution); }));
        }
    }

    // And convolution2d goes this way: its bits tell.
    void isTakenWherePixelsAreFew() {
        const bool here = machineFeatures().vectors; // elsewhere never
        const auto wins = [](at::IntArrayRef shape, std::int64_t kernel, std::int64_t stride, std::int64_t padding) {
            return pointwiseWins(at::zeros(shape).contiguous(channelsLast), at::zeros({64, shape[1], kernel, kernel}),
                                 stride, padding);
        };
        QCOMPARE(wins({4, 256, 14, 14}, 1, 1, 0), here);
        QVERIFY(!wins({4, 256, 56, 56}, 1, 1, 0));       // 12 544 pixels
        QCOMPARE(wins({4, 256, 56, 56}, 1, 2, 0), here); // 3136
        QVERIFY(!wins({4, 256, 14, 14}, 3, 1, 0));
        QVERIFY(!wins({4, 256, 14, 14}, 1, 1, 1));
        QVERIFY(!wins({0, 256, 14, 14}, 1, 1, 0));
        QVERIFY(!pointwiseWins(at::zeros({4, 256, 14, 14}).contiguous(channelsLast), at::zeros({64, 128, 1, 1}), 1, 0));
        const at::Tensor contiguous = at::zeros({4, 256, 14, 14}), weight = at::zeros({64, 256, 1, 1});
        QVERIFY(!pointwiseWins(contiguous, weight, 1, 0));
        QVERIFY(!pointwiseWins(contiguous.to(at::kDouble).contiguous(channelsLast), weight.to(at::kDouble), 1, 0));

        const Case given = make(realNumbers, {4, 256, 14, 14}, 64, 1, true);
        const auto through = [](const at::Tensor& x, const at::Tensor& w, const at::Tensor& b, std::int64_t stride) {
            return convolution2d(x, w, b, stride, 0);
        };
        const auto taken = all(given, at::kFloat, through),
                   own = all(given, at::kFloat, here ? pointwiseConvolution : aten);
        for (std::size_t i = 0; i < own.size(); ++i)
            QVERIFY(at::equal(taken[i], own[i]));
    }
};

QTEST_GUILESS_MAIN(TestPointwiseConvolution)
} // namespace test_pointwise_convolution
#include "test_pointwise_convolution.moc"
