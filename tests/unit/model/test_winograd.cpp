// SPDX-License-Identifier: GPL-3.0-or-later
// Winograd's convolutions against ATen's. With small whole numbers, weights that are multiples of four, and tiles of
// 2x2 outputs, every intermediate result is a multiple of 1/4 below 2^22: fp32 holds it exactly, whatever the order of
// the sums, so results must be equal. Real numbers, and tiles of 4x4, then only differ by rounding.
#include "core/base/machine_features.h"
#include "core/model/winograd.h"
#include "tests/unit/model/same_bits.h"

#include <ATen/ATen.h>
#include <QTest>
#include <array>
#include <cmath>
#include <torch/csrc/autograd/autograd.h>

Q_DECLARE_METATYPE(accumulus::WinogradTiles)

namespace test_winograd {
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

/// winogradConvolution with these tiles.
auto own(WinogradTiles tiles) {
    return [tiles](const at::Tensor& x, const at::Tensor& w) { return winogradConvolution(x, w, tiles); };
}

at::Tensor plain(const at::Tensor& x, const at::Tensor& w) { return at::conv2d(x, w, {}, 1, 1); }

/// The same sums over magnitudes: what rounding errors are measured by. The taps of a filter share their errors.
std::array<at::Tensor, 3> magnitudes(const Case& given) {
    auto sums = all({given.input.abs(), given.weight.abs(), given.gradient.abs()}, at::kDouble, plain);
    sums[2] = sums[2].amax({2, 3}, true);
    return sums;
}

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
        QTest::addColumn<WinogradTiles>("tiles");
        QTest::newRow("bf16, 2x2") << static_cast<int>(at::kBFloat16) << WinogradTiles::Of2x2;
        QTest::newRow("bf16, 4x4") << static_cast<int>(at::kBFloat16) << WinogradTiles::Of4x4;
        QTest::newRow("fp16, 2x2") << static_cast<int>(at::kHalf) << WinogradTiles::Of2x2;
        QTest::newRow("fp16, 4x4") << static_cast<int>(at::kHalf) << WinogradTiles::Of4x4;
    }
    void sixteenBitsAreRoundedOnce() {
        QFETCH(int, type);
        QFETCH(WinogradTiles, tiles);
        const auto sixteen = static_cast<at::ScalarType>(type);
        for (const std::array<std::int64_t, 2>& sides : {std::array<std::int64_t, 2>{5, 7}, {24, 24}}) {
            Case given = wholeNumbers(2, 64, 32, sides[0], sides[1]);
            const auto wanted = all(given, at::kFloat, own(tiles));
            const auto rounded = all(given, sixteen, own(tiles));
            for (std::size_t i = 0; i < rounded.size(); ++i) {
                QCOMPARE(rounded[i].scalar_type(), sixteen);
                QVERIFY2(at::equal(rounded[i], wanted[i].to(sixteen)), qPrintable(QString::number(i)));
                QVERIFY(rounded[i].is_contiguous(channelsLast));
            }
            // The planted bug: the lower half is cut off.
            if (sixteen == at::kBFloat16)
                QVERIFY(
                    !at::equal(rounded[0].to(at::kFloat).view(at::kInt), wanted[0].view(at::kInt).bitwise_and(-65536)));
        }
        // What is not finite stays so.
        Case given = wholeNumbers(1, 32, 32, 6, 6);
        given.input.index_put_({0, 0, 3, 3}, at::scalar_tensor(INFINITY));
        const at::Tensor wanted = winogradConvolution(given.input, given.weight, tiles);
        const at::Tensor rounded = winogradConvolution(given.input.to(sixteen), given.weight.to(sixteen), tiles);
        QVERIFY(wanted.isnan().any().item<bool>() && at::equal(rounded.isnan(), wanted.isnan()));
        QVERIFY(at::equal(rounded.nan_to_num(), wanted.to(sixteen).nan_to_num()));
    }

    void isTheConvolution_data() {
        QTest::addColumn<QList<int>>("sizes"); // samples, in, out, height, width
        QTest::newRow("even sides") << QList<int>{2, 32, 64, 6, 8};
        QTest::newRow("odd sides") << QList<int>{3, 64, 32, 5, 7};
        QTest::newRow("one pixel") << QList<int>{1, 32, 32, 1, 1};
        QTest::newRow("one row") << QList<int>{2, 32, 32, 1, 9};
        QTest::newRow("one column") << QList<int>{2, 32, 32, 9, 1};
        QTest::newRow("smaller than a tile") << QList<int>{3, 32, 32, 2, 3};
        QTest::newRow("several chunks of tiles") << QList<int>{9, 96, 32, 12, 12}; // the last chunk is short
        QTest::newRow("many channels") << QList<int>{2, 256, 288, 4, 4};
        QTest::newRow("sums over chunks") << QList<int>{9, 288, 256, 16, 8}; // 288 tiles of 2x2, 72 of 4x4
    }
    void isTheConvolution() {
        QFETCH(QList<int>, sizes);
        const Case given = wholeNumbers(sizes[0], sizes[1], sizes[2], sizes[3], sizes[4]);
        const auto wanted = all(given, at::kDouble, plain), limits = magnitudes(given);
        const auto small = all(given, at::kFloat, own(WinogradTiles::Of2x2)),
                   large = all(given, at::kFloat, own(WinogradTiles::Of4x4));
        // An error of tiles of 4x4 is at most a few dozen units of the last place of the magnitudes that were added;
        // whatever is in a wrong place is off by thousands.
        constexpr double units = 64.0 / (1 << 24);
        const auto near = [&](const at::Tensor& result, std::size_t i) {
            return ((result.to(at::kDouble) - wanted[i]).abs() <= units * limits[i]).all().item<bool>();
        };
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            QVERIFY2(at::equal(small[i].to(at::kDouble), wanted[i]), qPrintable(QString::number(i)));
            QVERIFY2(near(large[i], i), qPrintable(QString::number(i)));
            QVERIFY(small[i].is_contiguous(channelsLast) && large[i].is_contiguous(channelsLast));
        }
        // The planted bug: filters that are not turned.
        if (sizes[3] > 1) {
            const Case turned{given.input, given.weight.flip({2, 3}).contiguous(channelsLast), given.gradient};
            QVERIFY(!at::equal(all(turned, at::kFloat, own(WinogradTiles::Of2x2))[1].to(at::kDouble), wanted[1]));
            QVERIFY(!near(all(turned, at::kFloat, own(WinogradTiles::Of4x4))[1], 1));
        }
    }

    // By shape: large tiles for the outputs where an image has enough of them for its channels, for the weights'
    // gradient where the batch has.
    void bestTiles_data() {
        QTest::addColumn<QList<int>>("sizes"); // samples, in, out, side
        QTest::addColumn<bool>("largeOutputs");
        QTest::addColumn<bool>("largeSums");
        QTest::newRow("64 channels") << QList<int>{2, 64, 64, 32} << true << true;
        QTest::newRow("256 channels") << QList<int>{8, 256, 256, 8} << true << true;
        QTest::newRow("256 channels, few samples") << QList<int>{2, 256, 256, 8} << true << false;
        QTest::newRow("512 channels, one tile each") << QList<int>{32, 512, 512, 4} << false << true;
        QTest::newRow("512 channels, few samples") << QList<int>{4, 512, 512, 7} << false << false;
        QTest::newRow("512 channels to 64") << QList<int>{2, 512, 64, 8} << true << false;
        QTest::newRow("64 channels to 512") << QList<int>{2, 64, 512, 8} << true << false;
        QTest::newRow("one tile each") << QList<int>{2, 32, 32, 4} << false << false;
        QTest::newRow("mostly edge") << QList<int>{32, 32, 32, 1} << false << false;
    }
    void bestTiles() {
        QFETCH(QList<int>, sizes);
        QFETCH(bool, largeOutputs);
        QFETCH(bool, largeSums);
        const auto images = [&](int channels) {
            return at::randn({sizes[0], channels, sizes[3], sizes[3]}).contiguous(channelsLast);
        };
        const Case given{images(sizes[1]), at::randn({sizes[2], sizes[1], 3, 3}).contiguous(channelsLast),
                         images(sizes[2])};
        const auto best = all(given, at::kFloat, own(WinogradTiles::Best));
        const auto small = all(given, at::kFloat, own(WinogradTiles::Of2x2)),
                   large = all(given, at::kFloat, own(WinogradTiles::Of4x4));
        for (std::size_t i = 0; i < best.size(); ++i) {
            QVERIFY(!at::equal(small[i], large[i]));
            QVERIFY(at::equal(best[i], (i == 2 ? largeSums : largeOutputs) ? large[i] : small[i]));
        }
    }

    // What else is in the batch must not matter: a sample's outputs and their gradients are those that it has alone.
    void batchDoesNotChangeBits() {
        for (const auto& [channels, side] : std::array<std::array<std::int64_t, 2>, 3>{{{64, 9}, {256, 8}, {128, 4}}}) {
            const auto images = [&, c = channels, s = side] {
                return at::randn({37, c, s, s}).contiguous(channelsLast);
            };
            const Case given{images(), at::randn({channels, channels, 3, 3}).contiguous(channelsLast), images()};
            const auto together = all(given, at::kFloat, own(WinogradTiles::Best));
            for (const std::int64_t sample : {0, 17, 36}) {
                const auto alone =
                    all({given.input.narrow(0, sample, 1), given.weight, given.gradient.narrow(0, sample, 1)},
                        at::kFloat, own(WinogradTiles::Best));
                QVERIFY(at::equal(alone[0], together[0].narrow(0, sample, 1)));
                QVERIFY(at::equal(alone[1], together[1].narrow(0, sample, 1)));
            }
        }
    }

    void otherOrdersInMemoryAreRead() {
        const Case given = wholeNumbers(2, 32, 32, 6, 6);
        const Case rows{given.input.contiguous(), given.weight.contiguous(), given.gradient.contiguous()};
        const auto one = all(given, at::kFloat, own(WinogradTiles::Best)),
                   other = all(rows, at::kFloat, own(WinogradTiles::Best));
        for (std::size_t i = 0; i < one.size(); ++i)
            QVERIFY(at::equal(one[i], other[i]));
    }

    // Around the sum over channels stand, with tiles of 2x2, four sums of four terms at most, with tiles of 4x4 sums of
    // six, whose terms partly cancel: up to twice the error of the worse of ATen's two orders in memory (three times is
    // allowed, for ATen sums in other orders on other processors). Our own order is the same everywhere, so the errors
    // of tiles of 4x4 are known, up to a ninth more without fused multiply-adds (as sanitizers have it); with the usual
    // points, or longer sums, those of the outputs are larger by half.
    void roundsLikeTheConvolution_data() {
        QTest::addColumn<QList<int>>("sizes");     // samples, channels, side
        QTest::addColumn<QList<double>>("errors"); // with tiles of 4x4: of the output and both gradients
        QTest::newRow("64 channels") << QList<int>{4, 64, 32} << QList<double>{4.43e-7, 5.34e-7, 6.69e-7};
        QTest::newRow("128 channels") << QList<int>{8, 128, 16} << QList<double>{4.90e-7, 5.76e-7, 6.88e-7};
        QTest::newRow("256 channels") << QList<int>{8, 256, 8} << QList<double>{5.57e-7, 6.55e-7, 5.48e-7};
    }
    void roundsLikeTheConvolution() {
        QFETCH(QList<int>, sizes);
        QFETCH(QList<double>, errors);
        const auto images = [&] { return at::randn({sizes[0], sizes[1], sizes[2], sizes[2]}); };
        const Case rows{images().relu(), 0.05 * at::randn({sizes[1], sizes[1], 3, 3}), images()};
        const Case given{rows.input.contiguous(channelsLast), rows.weight.contiguous(channelsLast),
                         rows.gradient.contiguous(channelsLast)};
        const auto exact = all(given, at::kDouble, plain), aten = all(given, at::kFloat, plain),
                   inRows = all(rows, at::kFloat, plain), small = all(given, at::kFloat, own(WinogradTiles::Of2x2)),
                   large = all(given, at::kFloat, own(WinogradTiles::Of4x4));
        for (std::size_t i = 0; i < exact.size(); ++i) {
            const double inRowsError = relative(inRows[i], exact[i]), lastError = relative(aten[i], exact[i]);
            const double smallError = relative(small[i], exact[i]), largeError = relative(large[i], exact[i]);
            const double worse = std::max({inRowsError, lastError, 6e-8});
            const QString figures = QStringLiteral("%1: ATen %2, channels last %3, 2x2 %4, 4x4 %5")
                                        .arg(i)
                                        .arg(inRowsError)
                                        .arg(lastError)
                                        .arg(smallError)
                                        .arg(largeError);
            qInfo().noquote() << figures;
            QVERIFY2(smallError < 3 * worse && largeError < 3 * worse, qPrintable(figures));
            QVERIFY2(largeError < 1.25 * errors[static_cast<qsizetype>(i)], qPrintable(figures));
        }
    }

    void threadsDoNotChangeBits() {
        const Case given{at::randn({8, 64, 9, 10}), at::randn({96, 64, 3, 3}), at::randn({8, 96, 9, 10})};
        for (const WinogradTiles tiles : {WinogradTiles::Of2x2, WinogradTiles::Of4x4})
            QVERIFY(test::threadsAgree([&] { return all(given, at::kFloat, own(tiles)); }));
    }

    void takesWhatItCan() {
        const auto wins = [](at::IntArrayRef input, at::IntArrayRef weight, std::int64_t stride, std::int64_t padding,
                             at::ScalarType type = at::kFloat, at::MemoryFormat order = channelsLast) {
            return winogradWins(at::zeros(input, type).contiguous(order), at::zeros(weight, type).contiguous(order),
                                stride, padding);
        };
        QCOMPARE(wins({8, 64, 8, 8}, {64, 64, 3, 3}, 1, 1), machineFeatures().vectors);
        QCOMPARE(wins({1, 256, 4, 4}, {256, 256, 3, 3}, 1, 1), machineFeatures().vectors); // whatever the batch
        QVERIFY(!wins({8, 64, 8, 8}, {64, 64, 3, 3}, 2, 1));
        QVERIFY(!wins({8, 64, 8, 8}, {64, 64, 3, 3}, 1, 0));
        QVERIFY(!wins({8, 64, 8, 8}, {64, 64, 1, 1}, 1, 1));
        QVERIFY(!wins({8, 3, 8, 8}, {64, 3, 3, 3}, 1, 1));
        QVERIFY(!wins({8, 32, 8, 8}, {64, 64, 3, 3}, 1, 1)); // do not fit together
        QVERIFY(!wins({8, 64, 8, 8}, {64, 64, 3, 3}, 1, 1, at::kDouble));
        QVERIFY(!wins({8, 64, 8, 8}, {64, 64, 3, 3}, 1, 1, at::kFloat, at::MemoryFormat::Contiguous));
    }
};

QTEST_GUILESS_MAIN(TestWinograd)
} // namespace test_winograd
#include "test_winograd.moc"
