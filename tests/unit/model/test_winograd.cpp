// SPDX-License-Identifier: GPL-3.0-or-later
// Winograd's convolutions against ATen's. With small whole numbers, and weights that are multiples of four, every
// intermediate result is a multiple of 1/4 below 2^22: fp32 holds it exactly, whatever the order of the sums, so
// results must be equal. Real numbers then only differ by rounding.
#include "core/base/machine_features.h"
#include "core/model/winograd.h"
#include "tests/unit/model/same_bits.h"

#include <ATen/ATen.h>
#include <QTest>
#include <array>
#include <cmath>
#include <torch/csrc/autograd/autograd.h>

using namespace accumulus;

namespace {

constexpr auto channelsLast = at::MemoryFormat::ChannelsLast;

struct Case {
    at::Tensor input, weight, gradient; ///< channels last, fp32
};

Case wholeNumbers(std::int64_t samples, std::int64_t in, std::int64_t out, std::int64_t height, std::int64_t width) {
    const auto numbers = [](at::IntArrayRef shape) {
        return at::randint(-3, 4, shape, at::kFloat).contiguous(channelsLast);
    };
    return {numbers({samples, in, height, width}), 4.0 * numbers({out, in, 3, 3}),
            numbers({samples, out, height, width})};
}

/// Output, gradient of the input, gradient of the weight.
template <class Convolution>
std::array<at::Tensor, 3> all(const Case& given, at::ScalarType type, const Convolution& convolution) {
    const at::Tensor x = given.input.to(type).requires_grad_(true), w = given.weight.to(type).requires_grad_(true);
    const at::Tensor y = convolution(x, w);
    const auto gradients = torch::autograd::grad({y}, {x, w}, {given.gradient.to(type)});
    return {y.detach(), gradients[0], gradients[1]};
}

at::Tensor plain(const at::Tensor& x, const at::Tensor& w) { return at::conv2d(x, w, {}, 1, 1); }

double relative(const at::Tensor& a, const at::Tensor& exact) {
    return ((a.to(at::kDouble) - exact).norm() / exact.norm()).item<double>();
}

} // namespace

class TestWinograd : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { at::manual_seed(7); }

    // Numbers of 16 bits are read as floats, and the results rounded as LibTorch does, with many ties: whole numbers
    // above 256. Half precision goes by floats.
    void sixteenBitsAreRoundedOnce_data() {
        QTest::addColumn<int>("type");
        QTest::newRow("bf16") << static_cast<int>(at::kBFloat16);
        QTest::newRow("fp16") << static_cast<int>(at::kHalf);
    }
    void sixteenBitsAreRoundedOnce() {
        QFETCH(int, type);
        const auto sixteen = static_cast<at::ScalarType>(type);
        for (const std::array<std::int64_t, 2>& sides : {std::array<std::int64_t, 2>{5, 7}, {24, 24}}) {
            Case given = wholeNumbers(2, 64, 32, sides[0], sides[1]);
            const auto wanted = all(given, at::kFloat, winogradConvolution);
            const auto own = all(given, sixteen, winogradConvolution);
            for (std::size_t i = 0; i < own.size(); ++i) {
                QCOMPARE(own[i].scalar_type(), sixteen);
                QVERIFY2(at::equal(own[i], wanted[i].to(sixteen)), qPrintable(QString::number(i)));
                QVERIFY(own[i].is_contiguous(channelsLast));
            }
            // The planted bug: the lower half is cut off.
            if (sixteen == at::kBFloat16)
                QVERIFY(!at::equal(own[0].to(at::kFloat).view(at::kInt), wanted[0].view(at::kInt).bitwise_and(-65536)));
        }
        // What is not finite stays so.
        Case given = wholeNumbers(1, 32, 32, 6, 6);
        given.input.index_put_({0, 0, 3, 3}, at::scalar_tensor(INFINITY));
        const at::Tensor wanted = winogradConvolution(given.input, given.weight);
        const at::Tensor own = winogradConvolution(given.input.to(sixteen), given.weight.to(sixteen));
        QVERIFY(wanted.isnan().any().item<bool>() && at::equal(own.isnan(), wanted.isnan()));
        QVERIFY(at::equal(own.nan_to_num(), wanted.to(sixteen).nan_to_num()));
    }

    void isTheConvolution_data() {
        QTest::addColumn<QList<int>>("sizes"); // samples, in, out, height, width
        QTest::newRow("even sides") << QList<int>{2, 32, 64, 6, 8};
        QTest::newRow("odd sides") << QList<int>{3, 64, 32, 5, 7};
        QTest::newRow("one pixel") << QList<int>{1, 32, 32, 1, 1};
        QTest::newRow("one row") << QList<int>{2, 32, 32, 1, 9};
        QTest::newRow("several chunks of tiles") << QList<int>{9, 96, 32, 12, 12}; // 324 tiles; the last chunk is short
        QTest::newRow("many channels") << QList<int>{2, 256, 288, 4, 4};
        QTest::newRow("sums over chunks") << QList<int>{5, 288, 256, 16, 8}; // 160 tiles, chunks of 128
    }
    void isTheConvolution() {
        QFETCH(QList<int>, sizes);
        const Case given = wholeNumbers(sizes[0], sizes[1], sizes[2], sizes[3], sizes[4]);
        const auto own = all(given, at::kFloat, winogradConvolution);
        const auto wanted = all(given, at::kDouble, plain);
        for (std::size_t i = 0; i < own.size(); ++i) {
            QVERIFY2(at::equal(own[i].to(at::kDouble), wanted[i]), qPrintable(QString::number(i)));
            QVERIFY(own[i].is_contiguous(channelsLast));
        }
        // The planted bug: filters that are not turned.
        if (sizes[3] > 1) {
            const Case turned{given.input, given.weight.flip({2, 3}).contiguous(channelsLast), given.gradient};
            QVERIFY(!at::equal(all(turned, at::kFloat, winogradConvolution)[1].to(at::kDouble), wanted[1]));
        }
    }

    void otherOrdersInMemoryAreRead() {
        const Case given = wholeNumbers(2, 32, 32, 6, 6);
        const Case rows{given.input.contiguous(), given.weight.contiguous(), given.gradient.contiguous()};
        const auto one = all(given, at::kFloat, winogradConvolution),
                   other = all(rows, at::kFloat, winogradConvolution);
        for (std::size_t i = 0; i < one.size(); ++i)
            QVERIFY(at::equal(one[i], other[i]));
    }

    // Four sums of four terms at most stand around the sum over channels: the rounding errors of the plain sum, a few
    // times.
    void roundsLikeTheConvolution() {
        Case given{at::randn({4, 128, 8, 8}), 0.05 * at::randn({128, 128, 3, 3}), at::randn({4, 128, 8, 8})};
        const auto exact = all(given, at::kDouble, plain), aten = all(given, at::kFloat, plain),
                   own = all(given, at::kFloat, winogradConvolution);
        for (std::size_t i = 0; i < own.size(); ++i) {
            const double limit = 8 * std::max(relative(aten[i], exact[i]), 6e-8);
            QVERIFY2(relative(own[i], exact[i]) < limit,
                     qPrintable(QStringLiteral("%1: %2 > %3").arg(i).arg(relative(own[i], exact[i])).arg(limit)));
        }
    }

    void threadsDoNotChangeBits() {
        const Case given{at::randn({7, 64, 9, 10}), at::randn({96, 64, 3, 3}), at::randn({7, 96, 9, 10})};
        QVERIFY(test::threadsAgree([&] { return all(given, at::kFloat, winogradConvolution); }));
    }

    void takesWhatItCan() {
        const auto wins = [](at::IntArrayRef input, at::IntArrayRef weight, std::int64_t stride, std::int64_t padding,
                             at::ScalarType type = at::kFloat, at::MemoryFormat order = channelsLast) {
            return winogradWins(at::zeros(input, type).contiguous(order), at::zeros(weight, type).contiguous(order),
                                stride, padding);
        };
        QCOMPARE(wins({8, 64, 8, 8}, {64, 64, 3, 3}, 1, 1), machineFeatures().vectors);
        QCOMPARE(wins({1, 64, 4, 4}, {64, 64, 3, 3}, 1, 1), machineFeatures().wideVectors); // four tiles
        QVERIFY(!wins({8, 64, 8, 8}, {64, 64, 3, 3}, 2, 1));
        QVERIFY(!wins({8, 64, 8, 8}, {64, 64, 3, 3}, 1, 0));
        QVERIFY(!wins({8, 64, 8, 8}, {64, 64, 1, 1}, 1, 1));
        QVERIFY(!wins({8, 3, 8, 8}, {64, 3, 3, 3}, 1, 1));
        QVERIFY(!wins({8, 64, 8, 8}, {64, 64, 3, 3}, 1, 1, at::kDouble));
        QVERIFY(!wins({8, 64, 8, 8}, {64, 64, 3, 3}, 1, 1, at::kFloat, at::MemoryFormat::Contiguous));
    }
};

QTEST_GUILESS_MAIN(TestWinograd)
#include "test_winograd.moc"
