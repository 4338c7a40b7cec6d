// SPDX-License-Identifier: GPL-3.0-or-later
// Which layer a forward pass that is not finite is blamed on where attention masks of minus infinity meet parameters
// and buffers: masks are meant, what breaks beside them or is made of them is not.
#include "core/engine/layer_watch.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <QTest>

#include <functional>
#include <limits>
#include <vector>

namespace test_layer_watch {
using namespace accumulus;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::int64_t width = 4;

class Attention final : public Model {
public:
    Attention()
        : Model({{"in.weight", {width, width}, width, false},
                 {"rel.bias", {width}, width, true},
                 {"late.weight", {width, width}, width, false}},
                {{"heads.mask", {width, width}, width, false}}) {}
    [[nodiscard]] at::Tensor forward(std::span<const at::Tensor>, const at::Tensor& input,
                                     ForwardContext&) const override {
        return input;
    }
};

/// The parameters in, rel and late, and the buffer.
struct Parts {
    at::Tensor in, rel, late, mask;
};

/// What a pass over ones finds first; "" before the first layer, "nothing" nowhere.
QString found(const std::function<at::Tensor(const at::Tensor&, Parts&)>& pass) {
    const Attention model;
    const at::Tensor parameters = model.layout().allocate(at::kDouble);
    const at::Tensor buffers = model.buffers().allocate(at::kDouble);
    parameters.fill_(1.0);
    const auto leaves = model.layout().leaves(parameters);
    Parts parts{leaves[0], leaves[1], leaves[2], model.buffers().view(buffers, 0)};
    parts.mask.copy_(at::ones({width, width}, at::kDouble).tril());
    LayerWatch watch(model, parameters, buffers);
    const at::Tensor input = at::ones({width, width}, at::kDouble);
    {
        const LayerWatch::Scope scope(watch);
        (void)pass(input, parts);
    }
    return watch.failed() ? QStringLiteral("failed")
                          : QString::fromStdString(watch.found().value_or(std::string("nothing")));
}

/// Zero on and below the diagonal, minus infinity above it.
at::Tensor causal() { return at::full({width, width}, -infinity, at::kDouble).triu(1); }

at::Tensor overflow(const at::Tensor& x, const at::Tensor& weight) { return at::linear(x * 1e308, weight * 40.0); }

} // namespace

class TestLayerWatch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aMaskThatMeetsAParameterIsNoFinding() {
        const auto masked = [](const at::Tensor& x, Parts& p) {
            return at::softmax(at::linear(x, p.in) + causal() + p.rel, -1);
        };
        QCOMPARE(found(masked), QStringLiteral("nothing"));
        QCOMPARE(found([&](const at::Tensor& x, Parts& p) { return overflow(masked(x, p), p.late); }),
                 QStringLiteral("late"));
    }

    void aMaskFilledInByABufferIsNoFinding() {
        const auto masked = [](const at::Tensor& x, Parts& p) {
            return at::softmax(at::linear(x, p.in).masked_fill(p.mask == 0, -infinity), -1);
        };
        QCOMPARE(found(masked), QStringLiteral("nothing"));
        QCOMPARE(found([&](const at::Tensor& x, Parts& p) { return overflow(masked(x, p), p.late); }),
                 QStringLiteral("late"));
    }

    void aBufferThatHoldsTheMaskIsNoFinding() {
        const auto masked = [](const at::Tensor& x, Parts& p) {
            const at::NoGradGuard noGrad;
            p.mask.copy_(causal());
            return at::softmax(at::linear(x, p.in) + p.mask, -1);
        };
        QCOMPARE(found(masked), QStringLiteral("nothing"));
        QCOMPARE(found([&](const at::Tensor& x, Parts& p) { return overflow(masked(x, p), p.late); }),
                 QStringLiteral("late"));
    }

    void positionsFilledInBeforehandAreNoFinding() {
        const auto masked = [](const at::Tensor& x, Parts& p) {
            const at::Tensor positions = (p.rel * 2.0).expand({width, width}).masked_fill(p.mask == 0, -infinity);
            return at::softmax(at::linear(x, p.in) + positions, -1);
        };
        QCOMPARE(found(masked), QStringLiteral("nothing"));
    }

    // Beside the mask, or to minus infinity without one: the layer's own doing.
    void whatBreaksBesideAMaskIsTheLayers() {
        QCOMPARE(found([](const at::Tensor& x, Parts& p) {
                     return at::linear(x, p.in) + causal() * 1.0 + (p.rel * 1e308 + p.rel * 1e308);
                 }),
                 QStringLiteral("rel"));
        QCOMPARE(found([](const at::Tensor& x, Parts& p) {
                     return x * 1.7e308 + causal() + p.rel * 1.7e308; // each finite below the diagonal, not their sum
                 }),
                 QStringLiteral("rel"));
        QCOMPARE(found([](const at::Tensor& x, Parts& p) { return at::linear(x * -1e308, p.in * 40.0) + p.rel; }),
                 QStringLiteral("in"));
    }

    // A whole row of minus infinity has no softmax, and a product with it no value.
    void whatIsMadeOfAMaskIsAFinding() {
        QCOMPARE(found([](const at::Tensor& x, Parts& p) {
                     const at::Tensor rows = at::linear(x, p.in) + at::full({width, width}, -infinity, at::kDouble);
                     return at::linear(at::softmax(rows + p.rel, -1), p.late);
                 }),
                 QStringLiteral("rel"));
        QCOMPARE(found([](const at::Tensor& x, Parts& p) {
                     return at::linear(at::linear(x, p.in) + causal() + p.rel, p.late);
                 }),
                 QStringLiteral("in"));
        QCOMPARE(found([](const at::Tensor& x, Parts& p) { return at::linear(at::log(x - 1.0), p.in); }), QString());
    }
};

QTEST_GUILESS_MAIN(TestLayerWatch)
} // namespace test_layer_watch
#include "test_layer_watch.moc"
