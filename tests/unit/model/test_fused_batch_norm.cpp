// SPDX-License-Identifier: GPL-3.0-or-later
// BatchNorm with what follows it, in two passes, against ATen's operators one by one in fp64: output, statistics and
// all gradients, with its rounding beside ATen's in fp32.
#include "core/model/fused_batch_norm.h"
#include "tests/unit/model/same_bits.h"

#include <ATen/ATen.h>
#include <QTest>
#include <algorithm>
#include <limits>
#include <torch/csrc/autograd/autograd.h>
#include <vector>

namespace test_fused_batch_norm {
using namespace accumulus;

namespace {

constexpr auto channelsLast = at::MemoryFormat::ChannelsLast;

struct Case {
    at::Tensor input, weight, bias, added, gradient; ///< fp32; `added` may be undefined
    bool rectify;
};

Case make(at::IntArrayRef shape, bool adds, bool rectify, double offset = 0.0) {
    const auto images = [&] { return at::randn(shape).contiguous(channelsLast); };
    return {(images() * 2.0 + offset).contiguous(channelsLast),
            at::rand({shape[1]}) + 0.5,
            at::randn({shape[1]}),
            adds ? images() : at::Tensor(),
            images(),
            rectify};
}

/// Output, mean, unbiased variance, gradients of input, weight, bias and, where there is one, of what is added.
std::vector<at::Tensor> all(const Case& given, at::ScalarType type, bool own) {
    const at::ScalarType ofChannels = type == at::kBFloat16 ? at::kFloat : type;
    std::vector<at::Tensor> leaves;
    for (const at::Tensor& tensor : {given.input, given.weight, given.bias, given.added})
        if (tensor.defined())
            leaves.push_back(tensor.to(tensor.dim() == 4 ? type : ofChannels).detach().requires_grad_(true));
    NormStatistics seen;
    at::Tensor y;
    const AfterNorm after{leaves.size() > 3 ? leaves[3] : at::Tensor(), given.rectify};
    if (own) {
        y = fusedBatchNorm(leaves[0], leaves[1], leaves[2], after, seen);
    } else {
        seen.mean = at::zeros({given.weight.size(0)}, type);
        seen.variance = at::zeros_like(seen.mean);
        y = at::batch_norm(leaves[0], leaves[1], leaves[2], seen.mean, seen.variance, true, 1.0, normEpsilon, false);
        if (after.added.defined())
            y = y + after.added;
        if (after.rectify)
            y = at::relu(y);
    }
    std::vector<at::Tensor> results{y.detach(), seen.mean, seen.variance};
    for (const at::Tensor& gradient : torch::autograd::grad({y}, leaves, {given.gradient.to(type)}))
        results.push_back(gradient);
    return results;
}

double relative(const at::Tensor& a, const at::Tensor& exact) {
    return ((a.to(at::kDouble) - exact).norm() / exact.norm()).item<double>();
}

} // namespace

class TestFusedBatchNorm : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { at::manual_seed(3); }

    void isTheOperators_data() {
        QTest::addColumn<QList<int>>("shape"); // samples, channels, height, width
        QTest::addColumn<bool>("adds");
        QTest::addColumn<bool>("rectify");
        for (const bool adds : {false, true})
            for (const bool rectify : {false, true}) {
                const auto row = [&](const char* name, const QList<int>& shape) {
                    QTest::addRow("%s%s%s", name, adds ? ", added to" : "", rectify ? ", rectified" : "")
                        << shape << adds << rectify;
                };
                row("two pixels", {2, 16, 1, 1});
                row("an odd number of vectors", {3, 48, 5, 7});
                row("several blocks", {8, 64, 16, 16});
            }
    }
    void isTheOperators() {
        QFETCH(QList<int>, shape);
        QFETCH(bool, adds);
        QFETCH(bool, rectify);
        const Case given = make({shape[0], shape[1], shape[2], shape[3]}, adds, rectify);
        const auto exact = all(given, at::kDouble, false), aten = all(given, at::kFloat, false),
                   own = all(given, at::kFloat, true);
        QCOMPARE(own.size(), exact.size());
        for (std::size_t i = 0; i < own.size(); ++i) {
            // Of two pixels the gradient of the input is nearly all cancellation.
            const double limit = 4 * std::max(relative(aten[i], exact[i]), 3e-7);
            QVERIFY2(relative(own[i], exact[i]) <= limit, qPrintable(QStringLiteral("%1: %2, ATen %3")
                                                                         .arg(i)
                                                                         .arg(relative(own[i], exact[i]))
                                                                         .arg(relative(aten[i], exact[i]))));
        }
        QVERIFY(own[0].is_contiguous(channelsLast));
        if (rectify) { // the planted bug: a gradient that passes where ReLU cut it off
            Case unmasked = given;
            unmasked.rectify = false;
            QVERIFY(relative(all(unmasked, at::kFloat, true)[5], exact[5]) > 1e-3);
        }
    }

    void roundsImagesInBfloat16Once_data() { isTheOperators_data(); }
    void roundsImagesInBfloat16Once() {
        QFETCH(QList<int>, shape);
        QFETCH(bool, adds);
        QFETCH(bool, rectify);
        Case given = make({shape[0], shape[1], shape[2], shape[3]}, adds, rectify);
        for (at::Tensor* images : {&given.input, &given.added, &given.gradient})
            if (images->defined())
                *images = images->to(at::kBFloat16).to(at::kFloat);
        const auto exact = all(given, at::kDouble, false), own = all(given, at::kBFloat16, true);
        QCOMPARE(own.size(), exact.size());
        for (std::size_t i = 0; i < own.size(); ++i) {
            const bool image = exact[i].dim() == 4;
            QCOMPARE(own[i].scalar_type(), image ? at::kBFloat16 : at::kFloat);
            // One rounding to 8 binary places; of two pixels the gradient of the input is nearly all cancellation,
            // in fp32.
            const double limit = (image ? 0x1p-8 : 0.0) + (shape[2] == 1 ? 1e-4 : 2e-6);
            QVERIFY2(relative(own[i], exact[i]) <= limit,
                     qPrintable(QStringLiteral("%1: %2").arg(i).arg(relative(own[i], exact[i]))));
        }
    }

    // What a sum of squares would lose: a variance a millionth of the squared mean.
    void aLargeMeanDoesNotCancelTheVariance() {
        const Case given = make({8, 32, 16, 16}, false, false, 2000.0);
        const auto exact = all(given, at::kDouble, false), own = all(given, at::kFloat, true);
        QVERIFY2(relative(own[2], exact[2]) < 1e-5, qPrintable(QString::number(relative(own[2], exact[2]))));
    }

    void whatIsNotANumberStaysSo() {
        Case given = make({2, 16, 3, 3}, true, true);
        given.input.select(0, 1).select(0, 5).fill_(std::numeric_limits<float>::quiet_NaN());
        NormStatistics seen;
        const at::Tensor y = fusedBatchNorm(given.input, given.weight, given.bias, {given.added, true}, seen);
        QVERIFY(at::isnan(y.select(1, 5)).all().item<bool>());
        QCOMPARE(at::isnan(y).sum().item<std::int64_t>(), 2 * 9);
        QVERIFY(at::isnan(seen.mean).sum().item<std::int64_t>() == 1);
    }

    void threadsDoNotChangeBits() {
        const Case given = make({9, 64, 15, 13}, true, true);
        QVERIFY(test::threadsAgree([&] { return all(given, at::kFloat, true); }));
    }

    void takesWhatItCan() {
        const at::Tensor images = at::zeros({2, 32, 4, 4}).contiguous(channelsLast);
        QVERIFY(fusedBatchNormTakes(images, {}));
        QVERIFY(fusedBatchNormTakes(images, {images, true}));
        QVERIFY(fusedBatchNormTakes(images.to(at::kBFloat16), {images.to(at::kBFloat16), true}));
        QVERIFY(!fusedBatchNormTakes(images, {images.to(at::kBFloat16), true}));
        QVERIFY(!fusedBatchNormTakes(images, {images.contiguous(), true}));
        QVERIFY(!fusedBatchNormTakes(images.contiguous(), {}));
        QVERIFY(!fusedBatchNormTakes(images.to(at::kDouble), {}));
        QVERIFY(!fusedBatchNormTakes(at::zeros({2, 24, 4, 4}).contiguous(channelsLast), {}));
    }
};

QTEST_GUILESS_MAIN(TestFusedBatchNorm)
} // namespace test_fused_batch_norm
#include "test_fused_batch_norm.moc"
