// SPDX-License-Identifier: GPL-3.0-or-later
// patchConvolution against conv2d in fp64. Of -1, 0 and 1 every partial sum is a whole number up to 256, which bfloat16
// holds exactly, so results must be equal whatever the order of the sums.
#include "core/model/patch_convolution.h"

#include "core/base/machine_features.h"
#include "core/engine/autocast.h"
#include "core/model/convolution.h"

#include <ATen/ATen.h>
#include <QTest>
#include <functional>
#include <torch/csrc/autograd/autograd.h>
#include <vector>

using namespace accumulus;

namespace {

constexpr auto channelsLast = at::MemoryFormat::ChannelsLast;

at::Tensor drawn(at::IntArrayRef shape) { return at::randint(-1, 2, shape, at::kFloat); }

using Convolution = std::function<at::Tensor(const at::Tensor&, const at::Tensor&, const at::Tensor&)>;

/// Output, gradients of input, weight and bias.
std::vector<at::Tensor> all(const Convolution& convolution, const std::vector<at::Tensor>& operands,
                            const at::Tensor& back, at::ScalarType type) {
    std::vector<at::Tensor> leaves;
    for (const at::Tensor& operand : operands)
        leaves.push_back(operand.to(type).detach().requires_grad_());
    const at::Tensor output = convolution(leaves[0], leaves[1], leaves.size() > 2 ? leaves[2] : at::Tensor());
    auto results = torch::autograd::grad({output}, leaves, {back.to(output.scalar_type())});
    results.insert(results.begin(), output.detach());
    return results;
}

} // namespace

class TestPatchConvolution : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { at::manual_seed(11); }

    void isTheConvolution_data() {
        QTest::addColumn<int>("kernel");
        QTest::addColumn<int>("stride");
        QTest::addColumn<int>("padding");
        for (const int kernel : {1, 3})
            for (const int stride : {1, 2})
                for (const int padding : {0, 1})
                    QTest::addRow("%dx%d, stride %d, padding %d", kernel, kernel, stride, padding)
                        << kernel << stride << padding;
    }
    void isTheConvolution() {
        QFETCH(int, kernel);
        QFETCH(int, stride);
        QFETCH(int, padding);
        for (const bool biased : {false, true}) {
            std::vector<at::Tensor> operands{drawn({2, 16, 7, 6}).contiguous(channelsLast),
                                             drawn({20, 16, kernel, kernel}).contiguous(channelsLast)};
            if (biased)
                operands.push_back(drawn({20}));
            const Convolution exact = [&](const auto& x, const auto& w, const auto& b) {
                return at::conv2d(x, w, b, stride, padding);
            };
            const Convolution own = [&](const auto& x, const auto& w, const auto& b) {
                return patchConvolution(x, w, b, stride, padding);
            };
            const at::Tensor back = drawn(exact(operands[0], operands[1], {}).sizes());
            const auto expected = all(exact, operands, back, at::kDouble);
            const auto found = all(own, operands, back, at::kBFloat16);
            QCOMPARE(found.size(), expected.size());
            for (std::size_t i = 0; i < found.size(); ++i) {
                QCOMPARE(found[i].scalar_type(), at::kBFloat16);
                QVERIFY2(at::equal(found[i].to(at::kDouble), expected[i]), std::to_string(i).c_str());
            }
            // As a model hands them over: fp32 operands under autocast, and gradients in fp32.
            const AutocastScope autocast(Precision::Bf16);
            const auto cast = all(own, operands, back, at::kFloat);
            QCOMPARE(cast[0].scalar_type(), at::kBFloat16);
            for (std::size_t i = 0; i < cast.size(); ++i)
                QVERIFY(at::equal(cast[i].to(at::kDouble), expected[i]));
        }
    }

    void isTakenWhereItWins() {
        const bool tiles = machineFeatures().fastBf16;
        const auto wins = [](std::int64_t channels, std::int64_t side, std::int64_t kernel, std::int64_t stride) {
            return patchesWin(at::zeros({2, channels, side, side}).contiguous(channelsLast),
                              at::zeros({channels, channels, kernel, kernel}), stride, kernel / 2);
        };
        QVERIFY(!wins(32, 4, 3, 1)); // fp32
        const AutocastScope autocast(Precision::Bf16);
        QCOMPARE(wins(32, 8, 3, 1), tiles);
        QVERIFY(!wins(32, 9, 3, 1)); // 81 outputs
        QCOMPARE(wins(32, 16, 3, 2), tiles);
        QCOMPARE(wins(32, 20, 1, 1), tiles);
        QVERIFY(!wins(32, 8, 5, 1));
        QVERIFY(!patchesWin(at::zeros({2, 32, 4, 4}), at::zeros({32, 32, 3, 3}), 1, 1)); // channels first
    }

    /// The layer of the models goes that way.
    void theLayerIsTheConvolution() {
        const AutocastScope autocast(Precision::Bf16);
        const at::Tensor x = drawn({2, 16, 4, 4}).contiguous(channelsLast), w = drawn({16, 16, 3, 3});
        const Convolution layer = [](const auto& a, const auto& b, const auto&) {
            return convolution2d(a, b, {}, 1, 1);
        };
        const Convolution exact = [](const auto& a, const auto& b, const auto&) { return at::conv2d(a, b, {}, 1, 1); };
        const at::Tensor back = drawn({2, 16, 4, 4});
        const auto found = all(layer, {x, w}, back, at::kFloat);
        const auto expected = all(exact, {x, w}, back, at::kFloat);
        for (std::size_t i = 0; i < found.size(); ++i)
            QVERIFY(at::equal(found[i].to(at::kFloat), expected[i].to(at::kFloat)));
    }
};

QTEST_APPLESS_MAIN(TestPatchConvolution)
#include "test_patch_convolution.moc"
