// SPDX-License-Identifier: GPL-3.0-or-later
// tileConvolution against conv2d in fp64. Of -1, 0 and 1 every sum is a whole number that fp32 holds exactly, so
// results must be equal, but for one rounding to bfloat16, whatever the order of the sums.
#include "core/model/tile_convolution.h"

#include "core/base/machine_features.h"
#include "core/engine/autocast.h"
#include "core/model/convolution.h"
#include "core/model/tile_convolution_kernels.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <QTest>
#include <functional>
#include <limits>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/function.h>
#include <vector>

namespace test_tile_convolution {
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

class TestTileConvolution : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { at::manual_seed(11); }

    // Widths below, at and above a tile's, odd samples, and images of which few fit a group.
    void isTheConvolution_data() {
        QTest::addColumn<std::vector<std::int64_t>>("images");
        QTest::addColumn<int>("outputs");
        QTest::addColumn<int>("kernel");
        QTest::addColumn<int>("stride");
        const std::vector<std::vector<std::int64_t>> sizes{{1, 32, 1, 1},   {2, 64, 7, 6},  {3, 32, 4, 4},
                                                           {5, 96, 5, 9},   {1, 32, 3, 40}, {8, 64, 16, 16},
                                                           {17, 32, 32, 32}};
        for (const auto& images : sizes)
            for (const int kernel : {1, 3})
                for (const int stride : {1, 2})
                    for (const int outputs : {32, 64})
                        QTest::addRow("%dx%d/%d of %d %dx%dx%d, %d outputs", kernel, kernel, stride, int(images[0]),
                                      int(images[1]), int(images[2]), int(images[3]), outputs)
                            << images << outputs << kernel << stride;
    }
    void isTheConvolution() {
        if (!matrixTilesWork())
            QSKIP("this processor has no matrix tiles for bfloat16 (AMX)");
        QFETCH(std::vector<std::int64_t>, images);
        QFETCH(int, outputs);
        QFETCH(int, kernel);
        QFETCH(int, stride);
        for (const bool biased : {false, true}) {
            std::vector<at::Tensor> operands{drawn(images).contiguous(channelsLast),
                                             drawn({outputs, images[1], kernel, kernel}).contiguous(channelsLast)};
            if (biased)
                operands.push_back(drawn({outputs}));
            const Convolution exact = [&](const auto& x, const auto& w, const auto& b) {
                return at::conv2d(x, w, b, stride, kernel / 2);
            };
            const Convolution own = [&](const auto& x, const auto& w, const auto& b) {
                return tileConvolution(x, w, b, stride);
            };
            const at::Tensor back = drawn(exact(operands[0], operands[1], {}).sizes());
            const auto expected = all(exact, operands, back, at::kDouble);
            const auto found = all(own, operands, back, at::kBFloat16);
            QCOMPARE(found.size(), expected.size());
            for (std::size_t i = 0; i < found.size(); ++i) {
                QCOMPARE(found[i].scalar_type(), at::kBFloat16);
                QVERIFY2(at::equal(found[i], expected[i].to(at::kBFloat16)), std::to_string(i).c_str());
            }
            // The planted bug: kernels turned by half.
            if (kernel > 1 && images[2] * images[3] > 1)
                QVERIFY(!at::equal(own(operands[0].to(at::kBFloat16), operands[1].flip({2, 3}).to(at::kBFloat16), {}),
                                   own(operands[0].to(at::kBFloat16), operands[1].to(at::kBFloat16), {})));
            // As a model hands them over: fp32 operands under autocast, and gradients in fp32.
            const AutocastScope autocast(Precision::Bf16);
            const auto cast = all(own, operands, back, at::kFloat);
            QCOMPARE(cast[0].scalar_type(), at::kBFloat16);
            for (std::size_t i = 0; i < cast.size(); ++i)
                QVERIFY(at::equal(cast[i].to(at::kBFloat16), found[i]));
        }
    }

    void theSameBitsForAnyNumberOfThreads() {
        if (!matrixTilesWork())
            QSKIP("this processor has no matrix tiles for bfloat16 (AMX)");
        const at::Tensor x = at::randn({6, 64, 8, 8}).contiguous(channelsLast), w = at::randn({96, 64, 3, 3});
        const at::Tensor back = at::randn({6, 96, 8, 8});
        const Convolution own = [](const auto& a, const auto& b, const auto&) { return tileConvolution(a, b, {}, 1); };
        const int before = at::get_num_threads();
        std::vector<std::vector<at::Tensor>> found;
        for (const int threads : {1, 2, 3}) {
            at::set_num_threads(threads);
            found.push_back(all(own, {x, w}, back, at::kBFloat16));
        }
        at::set_num_threads(before);
        for (std::size_t i = 0; i < found[0].size(); ++i) {
            QVERIFY(at::equal(found[1][i], found[0][i]));
            QVERIFY(at::equal(found[2][i], found[0][i]));
        }
    }

    // What lies beside a sample in the tiles does not reach its results.
    void infinityStaysInItsSample() {
        if (!matrixTilesWork())
            QSKIP("this processor has no matrix tiles for bfloat16 (AMX)");
        const at::Tensor x = at::randn({3, 32, 5, 5}).to(at::kBFloat16).contiguous(channelsLast);
        const at::Tensor w = at::randn({32, 32, 3, 3}).to(at::kBFloat16).contiguous(channelsLast);
        const at::Tensor finite = tileConvolution(x, w, {}, 1);
        at::Tensor spoiled = x.clone();
        spoiled[1].fill_(std::numeric_limits<float>::infinity());
        const at::Tensor found = tileConvolution(spoiled, w, {}, 1);
        QVERIFY(at::equal(found[0], finite[0]));
        QVERIFY(at::equal(found[2], finite[2]));
        QVERIFY(!at::isfinite(found[1]).any().item<bool>());
        // And is not lost in the sum over samples.
        const Convolution own = [](const auto& a, const auto& b, const auto&) { return tileConvolution(a, b, {}, 1); };
        const auto gradients = all(own, {spoiled, w}, at::ones({3, 32, 5, 5}), at::kBFloat16);
        QVERIFY(!at::isfinite(gradients[2]).any().item<bool>());
    }

    void isTakenWhereItCan() {
        const bool tiles = matrixTilesWork();
        QVERIFY(!tiles || machineFeatures().fastBf16);
        const auto takes = [](std::int64_t channels, std::int64_t outputs, std::int64_t kernel, std::int64_t stride,
                              std::int64_t padding) {
            return tilesTake(at::zeros({2, channels, 8, 8}).contiguous(channelsLast),
                             at::zeros({outputs, channels, kernel, kernel}), stride, padding);
        };
        QVERIFY(!takes(32, 32, 3, 1, 1)); // fp32
        const AutocastScope autocast(Precision::Bf16);
        QCOMPARE(takes(32, 64, 3, 1, 1), tiles);
        QCOMPARE(takes(32, 32, 3, 2, 1), tiles);
        QCOMPARE(takes(64, 32, 1, 2, 0), tiles);
        QVERIFY(!takes(48, 32, 3, 1, 1));
        QVERIFY(!takes(32, 48, 3, 1, 1));
        QVERIFY(!takes(32, 32, 5, 1, 2));
        QVERIFY(!takes(32, 32, 3, 1, 0));
        QVERIFY(!takes(32, 32, 3, 3, 1));
        QVERIFY(!tilesTake(at::zeros({2, 32, 4, 4}), at::zeros({32, 32, 3, 3}), 1, 1)); // channels first
    }

    /// The layer of the models goes that way.
    void theLayerIsTheConvolution() {
        const AutocastScope autocast(Precision::Bf16);
        const at::Tensor x = drawn({2, 32, 4, 4}).contiguous(channelsLast), w = drawn({32, 32, 3, 3});
        const Convolution layer = [](const auto& a, const auto& b, const auto&) {
            return convolution2d(a, b, {}, 1, 1);
        };
        const Convolution exact = [](const auto& a, const auto& b, const auto&) { return at::conv2d(a, b, {}, 1, 1); };
        const at::Tensor back = drawn({2, 32, 4, 4});
        const auto taken = layer(x.detach().requires_grad_(), w, {}).grad_fn();
        QCOMPARE(taken->name().find("TileConvolution") != std::string::npos, matrixTilesWork());
        const auto found = all(layer, {x, w}, back, at::kFloat);
        const auto expected = all(exact, {x, w}, back, at::kFloat);
        for (std::size_t i = 0; i < found.size(); ++i)
            QVERIFY(at::equal(found[i].to(at::kFloat), expected[i].to(at::kFloat)));
    }
};

QTEST_APPLESS_MAIN(TestTileConvolution)
} // namespace test_tile_convolution
#include "test_tile_convolution.moc"
