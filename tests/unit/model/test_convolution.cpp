// SPDX-License-Identifier: GPL-3.0-or-later
// smallConvolution against ATen's conv2d in fp64. Small whole numbers: fp32 holds every intermediate result exactly,
// whatever the order of the sums, so results must be equal. Real numbers then only differ by rounding.
#include "core/model/convolution.h"
#include "core/model/direct_convolution_kernels.h"
#include "core/model/float_data.h"
#include "tests/unit/model/same_bits.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <QTest>
#include <torch/csrc/autograd/autograd.h>
#include <vector>

namespace test_convolution {
using namespace accumulus;

namespace {

struct Case {
    at::Tensor input, weight, bias, gradient; ///< fp32
    std::int64_t margin;
};

template <class Numbers>
Case make(const Numbers& numbers, at::IntArrayRef input, std::int64_t outputs, std::int64_t kernel,
          std::int64_t margin) {
    const std::int64_t less = kernel - 1 - 2 * margin;
    return {numbers(input), numbers({outputs, input[1], kernel, kernel}), numbers({outputs}),
            numbers({input[0], outputs, input[2] - less, input[3] - less}), margin};
}
at::Tensor wholeNumbers(at::IntArrayRef shape) { return at::randint(-3, 4, shape, at::kFloat); }
at::Tensor realNumbers(at::IntArrayRef shape) { return at::randn(shape); }

at::Tensor aten(const at::Tensor& x, const at::Tensor& w, const at::Tensor& b, std::int64_t margin) {
    return at::conv2d(x, w, b, 1, margin);
}

/// Output, gradients of input, weight, bias.
template <class Convolution>
std::vector<at::Tensor> all(const Case& given, at::ScalarType type, const Convolution& convolution) {
    const auto leaf = [type](const at::Tensor& x) { return x.to(type).detach().requires_grad_(true); };
    const at::Tensor x = leaf(given.input), w = leaf(given.weight), b = leaf(given.bias);
    const at::Tensor y = convolution(x, w, b, given.margin);
    auto results = torch::autograd::grad({y}, {x, w, b}, {given.gradient.to(type)});
    results.insert(results.begin(), y.detach());
    return results;
}

double distance(const at::Tensor& a, const at::Tensor& b) {
    return ((a.to(at::kDouble) - b.to(at::kDouble)).norm() / b.to(at::kDouble).norm()).item<double>();
}

} // namespace

class TestConvolution : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { at::manual_seed(4); }

    void isTheConvolution_data() {
        QTest::addColumn<QList<int>>("sizes"); // samples, channels, height, width, outputs, kernel, margin
        QTest::newRow("LeNet-5, first") << QList<int>{3, 1, 32, 32, 6, 5, 0};
        QTest::newRow("LeNet-5, first, with a margin") << QList<int>{3, 1, 28, 28, 6, 5, 2};
        QTest::newRow("LeNet-5, second") << QList<int>{40, 6, 14, 14, 16, 5, 0}; // more than are in memory at once
        QTest::newRow("3x3") << QList<int>{2, 4, 16, 18, 8, 3, 0};
        QTest::newRow("3x3 with a margin") << QList<int>{2, 3, 7, 9, 5, 3, 1};
        QTest::newRow("one output") << QList<int>{1, 2, 5, 5, 1, 5, 0};
        QTest::newRow("one column, many rows") << QList<int>{2, 2, 20, 3, 7, 3, 0};
        QTest::newRow("one row, many columns") << QList<int>{2, 2, 3, 31, 9, 3, 0};
        QTest::newRow("margins that are not square") << QList<int>{2, 16, 9, 32, 32, 5, 4};
    }
    void isTheConvolution() {
        QFETCH(QList<int>, sizes);
        const Case given = make(wholeNumbers, {sizes[0], sizes[1], sizes[2], sizes[3]}, sizes[4], sizes[5], sizes[6]);
        const auto own = all(given, at::kFloat, smallConvolution), wanted = all(given, at::kDouble, aten);
        for (std::size_t i = 0; i < own.size(); ++i)
            QVERIFY2(at::equal(own[i].to(at::kDouble), wanted[i]), qPrintable(QString::number(i)));
        const at::NoGradGuard noGrad;
        QVERIFY(at::equal(smallConvolution(given.input, given.weight, given.bias, given.margin).to(at::kDouble),
                          wanted[0]));
    }

    void whatDoesNotFitTogetherIsRefused() {
        const at::Tensor image = at::randn({2, 3, 12, 12}), bias = at::randn({6});
        for (const std::int64_t channels : {1, 4})
            QVERIFY_EXCEPTION_THROWN((void)smallConvolution(image, at::randn({6, channels, 5, 5}), bias, 0),
                                     c10::Error);
        QVERIFY_EXCEPTION_THROWN((void)smallConvolution(image, at::randn({6, 3, 5, 5}), at::randn({4}), 0), c10::Error);
    }

    // Registers of 512 bits take other tiles: the same sums.
    void tilesDoNotChangeBits() {
        const DirectConvolution shape{3, 14, 5, 19, 27};
        const at::Tensor image = at::randn({shape.imageSize()}), weight = at::randn({14, 3, 5, 5}),
                         bias = at::randn({14});
        at::Tensor wide = at::empty({14, 15, 23}), narrow = at::empty_like(wide);
        convolve(shape, image.const_data_ptr<float>(), weight.const_data_ptr<float>(), bias.const_data_ptr<float>(),
                 true, wide.mutable_data_ptr<float>());
        convolve(shape, image.const_data_ptr<float>(), weight.const_data_ptr<float>(), bias.const_data_ptr<float>(),
                 false, narrow.mutable_data_ptr<float>());
        QVERIFY(at::equal(wide, narrow));
    }

    // The same sums with outputs side by side, in registers of 256 bits and of 512, on any processor.
    void outputsSideBySideAreTheSame_data() {
        QTest::addColumn<int>("kernel");
        QTest::addColumn<int>("columns");
        QTest::addColumn<bool>("registers512");
        for (const bool registers512 : {false, true}) {
            const char* bits = registers512 ? "512" : "256";
            QTest::addRow("5x5, tiles of five or ten, %s", bits) << 5 << 14 << registers512;
            QTest::addRow("5x5, every tile, %s", bits) << 5 << 22 << registers512; // 18 = 10 + 5 + 2 + 1
            QTest::addRow("3x3, %s", bits) << 3 << 9 << registers512;
        }
    }
    void outputsSideBySideAreTheSame() {
        QFETCH(int, kernel);
        QFETCH(int, columns);
        QFETCH(bool, registers512);
        const DirectConvolution shape{3, 32, kernel, 11, columns};
        const std::int64_t samples = 2, pixels = shape.outHeight() * shape.outWidth(), taps = 3 * kernel * kernel;
        const at::Tensor images = at::randn({samples * shape.imageSize()}), weight = at::randn({32, taps}),
                         bias = at::randn({32}), byOutput = weight.t().contiguous();
        at::Tensor plain = at::empty({32, pixels}), sideBySide = at::empty({pixels, 32});
        convolve(shape, read(images), read(weight), read(bias), false, write(plain));
        convolveSideBySide(shape, read(images), read(byOutput), read(bias), registers512, write(sideBySide));
        QVERIFY(at::equal(plain, sideBySide.t()));

        const at::Tensor whole = wholeNumbers({samples * shape.imageSize()});
        const at::Tensor gradient = wholeNumbers({samples, 32, pixels}), turned = gradient.transpose(1, 2).contiguous();
        at::Tensor wide = at::empty({samples, 32, shape.outHeight(), shape.wideRow()});
        for (std::int64_t sample = 0; sample < samples; ++sample)
            widenRows(shape, read(gradient) + sample * 32 * pixels,
                      write(wide) + sample * 32 * shape.outHeight() * shape.wideRow());
        at::Tensor wanted = at::empty({32, taps}), own = at::empty({32, taps});
        for (const bool add : {false, true}) {
            for (std::int64_t part = 0; part < shape.parts(); ++part)
                weightGradientPart(shape, read(whole), read(wide), samples, part, add, registers512, write(wanted));
            for (std::int64_t part = 0; part < shape.partsSideBySide(); ++part)
                weightGradientSideBySide(shape, read(whole), read(turned), samples, part, add, registers512,
                                         write(own));
            QVERIFY(at::equal(own, wanted));
        }
        // The planted bug: a tap is read a column further on.
        const at::Tensor shifted = whole.roll(-1);
        for (std::int64_t part = 0; part < shape.partsSideBySide(); ++part)
            weightGradientSideBySide(shape, read(shifted), read(turned), samples, part, false, registers512,
                                     write(own));
        QVERIFY(!at::equal(own * 2, wanted));
    }

    // Sums of 150 to 3200 products in another order: ATen's own errors, a few times.
    void roundsLikeTheConvolution() {
        const Case given = make(realNumbers, {32, 6, 14, 14}, 16, 5, 0);
        const auto exact = all(given, at::kDouble, aten), usual = all(given, at::kFloat, aten),
                   own = all(given, at::kFloat, smallConvolution);
        for (std::size_t i = 0; i < own.size(); ++i)
            QVERIFY2(distance(own[i], exact[i]) < 4 * std::max(distance(usual[i], exact[i]), 6e-8),
                     qPrintable(QStringLiteral("%1: %2").arg(i).arg(distance(own[i], exact[i]))));
    }

    void threadsDoNotChangeBits() {
        const Case given = make(realNumbers, {37, 3, 14, 15}, 10, 3, 1);
        QVERIFY(test::threadsAgree([&] { return all(given, at::kFloat, smallConvolution); }));
    }

    void otherSizesAndTypesGoThroughAten() {
        const auto same = [](const Case& given, at::ScalarType type) {
            const auto own = all(given, type, smallConvolution), wanted = all(given, type, aten);
            for (std::size_t i = 0; i < own.size(); ++i)
                if (!at::equal(own[i], wanted[i]))
                    return false;
            return true;
        };
        QVERIFY(same(make(realNumbers, {8, 6, 14, 14}, 16, 5, 0), at::kDouble));
        QVERIFY(same(make(realNumbers, {2, 3, 40, 40}, 8, 5, 0), at::kFloat));
        QVERIFY(same(make(realNumbers, {2, 3, 14, 14}, 8, 7, 0), at::kFloat));
        QVERIFY(same(make(realNumbers, {2, 3, 14, 14}, 48, 3, 0), at::kFloat));
    }
};

QTEST_GUILESS_MAIN(TestConvolution)
} // namespace test_convolution
#include "test_convolution.moc"
