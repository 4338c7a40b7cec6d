// SPDX-License-Identifier: GPL-3.0-or-later
// reluMaxPool2x2 against ATen's max_pool2d(relu(x), 2): the same bits, forward and backward, ties and odd values
// included.
#include "core/model/pooling.h"

#include <ATen/ATen.h>
#include <QTest>
#include <cmath>
#include <limits>
#include <torch/csrc/autograd/autograd.h>

namespace test_pooling {
using namespace accumulus;

namespace {

struct Both {
    at::Tensor output, gradient;
};

template <class Pool>
Both run(const at::Tensor& input, const at::Tensor& weights, Pool pool) {
    const at::Tensor leaf = input.detach().clone(at::MemoryFormat::Preserve).set_requires_grad(true);
    const at::Tensor output = pool(leaf);
    return {output.detach(), torch::autograd::grad({(output * weights).sum()}, {leaf}).front()};
}

void compare(const at::Tensor& input) {
    at::manual_seed(2);
    const at::Tensor weights =
        at::randn({input.size(0), input.size(1), input.size(2) / 2, input.size(3) / 2}, input.scalar_type());
    const Both ours = run(input, weights, reluMaxPool2x2);
    const Both aten = run(input, weights, [](const at::Tensor& x) { return at::max_pool2d(at::relu(x), 2); });
    QVERIFY(at::equal(ours.output, aten.output));
    QVERIFY(at::equal(ours.gradient, aten.gradient));
}

} // namespace

class TestPooling : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void sameBitsAsAten_data() {
        QTest::addColumn<int>("type");
        QTest::addColumn<int>("height");
        QTest::addColumn<int>("width");
        for (const at::ScalarType type : {at::kFloat, at::kDouble, at::kBFloat16, at::kHalf})
            for (const auto& [height, width] : {std::pair(28, 28), std::pair(10, 10), std::pair(2, 2), std::pair(4, 66),
                                                std::pair(6, 14), std::pair(5, 7)})
                QTest::addRow("%s %dx%d", at::toString(type), height, width)
                    << static_cast<int>(type) << height << width;
    }
    void sameBitsAsAten() {
        QFETCH(const int, type);
        QFETCH(const int, height);
        QFETCH(const int, width);
        at::manual_seed(1);
        const at::Tensor input = at::randn({5, 3, height, width}, static_cast<at::ScalarType>(type));
        compare(input);
        // Whole numbers from -2 to 2: most windows have a tie, many are negative throughout.
        compare((input * 1.5).round().clamp(-2, 2));
        compare(at::full_like(input, 1.0));
        compare(at::full_like(input, -1.0));
        compare(input.contiguous(at::MemoryFormat::ChannelsLast));
    }

    void whatIsNotANumberStaysVisible() {
        at::Tensor input = at::ones({1, 1, 4, 4});
        input[0][0][1][1] = std::numeric_limits<float>::quiet_NaN();
        input[0][0][2][3] = std::numeric_limits<float>::infinity();
        const at::Tensor ours = reluMaxPool2x2(input);
        const at::Tensor aten = at::max_pool2d(at::relu(input), 2);
        QVERIFY(std::isnan(ours[0][0][0][0].item<float>()) && std::isnan(aten[0][0][0][0].item<float>()));
        QVERIFY(at::equal(ours.isnan(), aten.isnan()));
        QCOMPARE(ours[0][0][1][1].item<float>(), aten[0][0][1][1].item<float>());
    }

    // The planted bug: a tie gives its gradient to every maximum.
    void aTieGivesItsGradientOnce() {
        const at::Tensor leaf = at::ones({1, 1, 2, 2}).set_requires_grad(true);
        const at::Tensor gradient = torch::autograd::grad({reluMaxPool2x2(leaf).sum()}, {leaf}).front();
        QCOMPARE(gradient.sum().item<float>(), 1.0F);
        QCOMPARE(gradient[0][0][0][0].item<float>(), 1.0F);
    }
};

QTEST_GUILESS_MAIN(TestPooling)
} // namespace test_pooling
#include "test_pooling.moc"
