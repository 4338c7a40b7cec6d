// SPDX-License-Identifier: GPL-3.0-or-later
// Layers under autocast where the processor is no faster in 16 bits: the products of the rounded operands,
// added up in fp32 and rounded once; gradients likewise.
#include "core/engine/autocast.h"
#include "core/model/attention.h"
#include "core/model/convolution.h"
#include "core/model/linear_layer.h"
#include "core/model/sixteen_bits.h"
#include "core/model/winograd.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <QTest>
#include <functional>
#include <torch/csrc/autograd/autograd.h>

namespace test_sixteen_bits {
using namespace accumulus;

namespace {

using Operands = std::vector<at::Tensor>;

struct Layer {
    std::function<at::Tensor(const Operands&)> own;   ///< as the models call it
    std::function<at::Tensor(const Operands&)> exact; ///< LibTorch's operator
    Operands operands;                                ///< fp32
};

at::Tensor drawn(at::IntArrayRef shape) { return at::randn(shape, at::kFloat); }

Layer layerOf(const QString& name) {
    const auto last = at::MemoryFormat::ChannelsLast;
    if (name.startsWith("linear")) {
        const auto apply = [](const auto& linear) {
            return [linear](const Operands& o) { return linear(o[0], o[1], o.size() > 2 ? o[2] : at::Tensor()); };
        };
        Layer layer{
            apply(linearLayer),
            apply([](const at::Tensor& x, const at::Tensor& w, const at::Tensor& b) { return at::linear(x, w, b); }),
            {drawn({9, 7, 40}), drawn({30, 40})}};
        if (name == "linear")
            layer.operands.push_back(drawn({30}));
        return layer;
    }
    if (name == "attention")
        return {[](const Operands& o) { return attention(o[0], o[1], o[2], true); },
                [](const Operands& o) { return at::scaled_dot_product_attention(o[0], o[1], o[2], {}, 0.0, true); },
                {drawn({2, 2, 70, 16}), drawn({2, 2, 70, 16}), drawn({2, 2, 70, 16})}};
    if (name == "small convolution")
        return {[](const Operands& o) { return smallConvolution(o[0], o[1], o[2], 2); },
                [](const Operands& o) { return at::conv2d(o[0], o[1], o[2], 1, 2); },
                {drawn({5, 3, 14, 14}), drawn({6, 3, 5, 5}), drawn({6})}};
    if (name == "Winograd")
        return {[](const Operands& o) {
                    if (!winogradWins(o[0], o[1], 1, 1))
                        throw std::logic_error("not taken");
                    return winogradConvolution(o[0], o[1]);
                },
                [](const Operands& o) { return at::conv2d(o[0], o[1], {}, 1, 1); },
                {drawn({4, 32, 9, 9}).contiguous(last), drawn({64, 32, 3, 3}).contiguous(last)}};
    return {[](const Operands& o) { return convolution2d(o[0], o[1], o[2], 2, 1); },
            [](const Operands& o) { return at::conv2d(o[0], o[1], o[2], 2, 1); },
            {drawn({4, 5, 11, 11}), drawn({8, 5, 3, 3}), drawn({8})}};
}

/// Output and gradients of `layer` at `operands`, along `back`.
Operands passed(const std::function<at::Tensor(const Operands&)>& layer, Operands operands, const at::Tensor& back) {
    for (at::Tensor& operand : operands)
        operand = operand.detach().requires_grad_();
    const at::Tensor output = layer(operands);
    Operands results = torch::autograd::grad({output}, operands, {back.to(output.scalar_type())});
    results.insert(results.begin(), output.detach());
    return results;
}

/// The largest |found - exact| in units of its bound: half a unit in the last place of the result, and of fp32 for each
/// of some hundred sums of the size of the largest.
double worst(const Operands& found, const Operands& exact, double roundoff) {
    double most = 0.0;
    for (std::size_t i = 0; i < exact.size(); ++i) {
        const double slack = 0x1p-24 * 256 * exact[i].abs().max().item<double>();
        const at::Tensor bound = exact[i].abs() * (1.01 * roundoff) + slack;
        most = std::max(most, ((found[i].to(at::kDouble) - exact[i]).abs() / bound).max().item<double>());
    }
    return most;
}

} // namespace

class TestSixteenBits : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void roundsOnce_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("precision");
        for (const char* name :
             {"linear", "linear without bias", "small convolution", "Winograd", "strided convolution", "attention"})
            for (const char* precision : {"bf16", "fp16"})
                QTest::addRow("%s, %s", name, precision) << name << precision;
    }
    void roundsOnce() {
        QFETCH(QString, name);
        QFETCH(QString, precision);
        const bool bf16 = precision == "bf16";
        const at::ScalarType type = bf16 ? at::kBFloat16 : at::kHalf;
        const AutocastScope autocast(bf16 ? Precision::Bf16 : Precision::Fp16);
        if (!RoundedProducts(name == "small convolution" || name == "attention").active())
            QSKIP("products are left to LibTorch here: this processor is faster in these 16 bits (AMX) or has no AVX2");
        at::manual_seed(7);
        const Layer layer = layerOf(name);
        Operands rounded, exactly, unrounded;
        for (const at::Tensor& operand : layer.operands) {
            rounded.push_back(operand.to(type));
            exactly.push_back(rounded.back().to(at::kDouble));
            unrounded.push_back(operand.to(at::kDouble));
        }
        at::Tensor back;
        {
            const at::NoGradGuard noGrad;
            back = at::randn_like(layer.exact(exactly)).to(type);
        }
        const Operands exact = passed(layer.exact, exactly, back);
        const Operands found = passed(layer.own, rounded, back);
        for (const at::Tensor& result : found)
            QCOMPARE(result.scalar_type(), type);
        const double roundoff = bf16 ? 0x1p-8 : 0x1p-11;
        // The gradient through attention reads the output that was handed on, which is rounded already, and scores'
        // gradients cancel: bounded by the largest instead of each one's own size.
        const auto error = [&](const Operands& results) {
            if (name != "attention")
                return worst(results, exact, roundoff);
            double most = 0.0;
            for (std::size_t i = 0; i < exact.size(); ++i)
                most = std::max(most, (results[i].to(at::kDouble) - exact[i]).abs().max().item<double>() /
                                          (4 * roundoff * exact[i].abs().max().item<double>()));
            return most;
        };
        QVERIFY2(error(found) <= 1.0, qPrintable(QString::number(error(found))));
        // The mutant: operands that were not rounded.
        if (name != "attention")
            QVERIFY(worst(passed(layer.exact, unrounded, back), exact, roundoff) > 1.0);

        // From fp32, as models hand it over: the same bits, and fp32 gradients of the weights.
        const Operands cast = passed(layer.own, layer.operands, back);
        QVERIFY(at::equal(cast[0], found[0]));
        for (std::size_t i = 1; i < cast.size(); ++i) {
            QCOMPARE(cast[i].scalar_type(), at::kFloat);
            QVERIFY(at::equal(cast[i], found[i].to(at::kFloat)));
        }
    }

    // An image without its batch goes to autocast, whatever types meet.
    void anImageAloneIsLeftToAutocast() {
        const at::Tensor image = drawn({5, 11, 11}), weight = drawn({8, 5, 3, 3});
        const AutocastScope autocast(Precision::Bf16);
        const at::Tensor expected = at::conv2d(image, weight, {}, 2, 1);
        for (const at::Tensor& input : {image, image.to(at::kBFloat16)})
            QVERIFY(at::equal(convolution2d(input, weight, {}, 2, 1), expected));
    }

    void leavesEverythingElseAlone() {
        QVERIFY(!RoundedProducts().active());
        const at::Tensor x = drawn({3, 2}), half = x.to(at::kHalf);
        QVERIFY(RoundedProducts().cast(x).is_same(x));
        QVERIFY(inFloat(x).is_same(x));
        QVERIFY(!inFloat(at::Tensor()).defined());
        QVERIFY(at::equal(inFloat(half), half.to(at::kFloat)));
        QVERIFY(productsTake(at::kFloat) && !productsTake(at::kDouble) && !productsTake(at::kLong));
    }
};

QTEST_GUILESS_MAIN(TestSixteenBits)
} // namespace test_sixteen_bits
#include "test_sixteen_bits.moc"
