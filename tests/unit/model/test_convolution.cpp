// SPDX-License-Identifier: GPL-3.0-or-later
// validConvolution against the fp64 gradient of ATen's conv2d.
#include "core/model/convolution.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <QTest>
#include <torch/csrc/autograd/autograd.h>

using namespace accumulus;

namespace {

struct Gradients {
    at::Tensor output;
    std::vector<at::Tensor> of; ///< input, weight, bias
};

template <class Convolution>
Gradients run(at::ScalarType type, Convolution convolution) {
    at::manual_seed(4);
    const at::Tensor input = at::randn({8, 6, 14, 14}, at::kDouble).to(type).set_requires_grad(true);
    const at::Tensor weight = at::randn({16, 6, 5, 5}, at::kDouble).to(type).set_requires_grad(true);
    const at::Tensor bias = at::randn({16}, at::kDouble).to(type).set_requires_grad(true);
    const at::Tensor factors = at::randn({8, 16, 10, 10}, at::kDouble).to(type);
    const at::Tensor output = convolution(input, weight, bias);
    return {output.detach(), torch::autograd::grad({(output * factors).sum()}, {input, weight, bias})};
}

double distance(const at::Tensor& a, const at::Tensor& b) {
    return ((a.to(at::kDouble) - b.to(at::kDouble)).norm() / b.to(at::kDouble).norm()).item<double>();
}

const auto aten = [](const at::Tensor& x, const at::Tensor& w, const at::Tensor& b) { return at::conv2d(x, w, b); };

} // namespace

class TestConvolution : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // fp32 sums of 800 products: about 0.3 x 2^-24 x sqrt(800) = 5e-7, as ATen's own.
    void gradientsAreThoseOfFp64() {
        const Gradients wanted = run(at::kDouble, aten);
        const Gradients ours = run(at::kFloat, validConvolution);
        QVERIFY(distance(ours.output, wanted.output) < 2e-6);
        for (std::size_t i = 0; i < 3; ++i) {
            QCOMPARE(ours.of[i].sizes(), wanted.of[i].sizes());
            QVERIFY(distance(ours.of[i], wanted.of[i]) < 2e-6);
        }
    }

    void fp64GoesThroughAten() {
        const Gradients wanted = run(at::kDouble, aten);
        const Gradients ours = run(at::kDouble, validConvolution);
        for (std::size_t i = 0; i < 3; ++i)
            QVERIFY(at::equal(ours.of[i], wanted.of[i]));
    }

    void withoutGradientsItIsAConvolution() {
        const at::NoGradGuard noGrad;
        const at::Tensor input = at::randn({2, 6, 14, 14});
        const at::Tensor weight = at::randn({16, 6, 5, 5});
        const at::Tensor bias = at::randn({16});
        QVERIFY(at::equal(validConvolution(input, weight, bias), at::conv2d(input, weight, bias)));
    }
};

QTEST_GUILESS_MAIN(TestConvolution)
#include "test_convolution.moc"
