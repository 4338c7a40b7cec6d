// SPDX-License-Identifier: GPL-3.0-or-later
// Attention by blocks against ATen's plain formula in fp64: output and all three gradients, and its rounding beside
// ATen's in fp32.
#include "core/model/attention.h"
#include "tests/unit/model/same_bits.h"

#include <ATen/ATen.h>
#include <QTest>
#include <algorithm>
#include <array>
#include <cmath>
#include <torch/csrc/autograd/autograd.h>

namespace test_attention {
using namespace accumulus;

namespace {

using Results = std::array<at::Tensor, 4>; // output, gradients of query, key, value

struct Case {
    at::Tensor query, key, value, gradient; ///< [samples, heads, length, width], fp32
};

Case make(at::IntArrayRef shape) { return {at::randn(shape), at::randn(shape), at::randn(shape), at::randn(shape)}; }

template <class Function>
Results all(const Case& given, at::ScalarType type, const Function& attend) {
    const auto leaf = [type](const at::Tensor& x) { return x.to(type).detach().requires_grad_(true); };
    const at::Tensor q = leaf(given.query), k = leaf(given.key), v = leaf(given.value);
    const at::Tensor y = attend(q, k, v);
    const auto gradients = torch::autograd::grad({y}, {q, k, v}, {given.gradient.to(type)});
    return {y.detach(), gradients[0], gradients[1], gradients[2]};
}

/// The formula as it stands in the paper.
at::Tensor formula(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, bool causal) {
    at::Tensor scores = at::matmul(q, k.transpose(2, 3)) / std::sqrt(static_cast<double>(q.size(3)));
    if (causal)
        scores = scores.masked_fill(at::ones({q.size(2), q.size(2)}, at::kBool).triu(1),
                                    -std::numeric_limits<double>::infinity());
    return at::matmul(at::softmax(scores, 3), v);
}

double relative(const at::Tensor& a, const at::Tensor& exact) {
    return ((a.to(at::kDouble) - exact).norm() / std::max(exact.norm().item<double>(), 1e-30)).item<double>();
}

} // namespace

class TestAttention : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { at::manual_seed(11); }

    void isTheFormula_data() {
        QTest::addColumn<QList<int>>("shape"); // samples, heads, length, width
        QTest::addColumn<bool>("causal");
        for (const bool causal : {false, true}) {
            const auto row = [causal](const char* name, const QList<int>& shape) {
                QTest::addRow("%s, %s", name, causal ? "causal" : "all positions") << shape << causal;
            };
            row("one position", {2, 3, 1, 8});
            row("odd sizes", {1, 2, 13, 5});
            row("whole vectors", {2, 2, 64, 32});
            row("a short last block", {1, 2, 70, 16});
            row("several blocks", {1, 3, 200, 24});
            row("rows that would fold onto each other", {1, 1, 256, 64});
        }
    }
    void isTheFormula() {
        QFETCH(QList<int>, shape);
        QFETCH(bool, causal);
        const Case given = make({shape[0], shape[1], shape[2], shape[3]});
        const auto exact = all(given, at::kDouble, [&](auto&... x) { return formula(x..., causal); });
        const auto aten =
            all(given, at::kFloat, [&](auto&... x) { return at::scaled_dot_product_attention(x..., {}, 0.0, causal); });
        const auto own = all(given, at::kFloat, [&](auto&... x) { return attention(x..., causal); });
        for (std::size_t i = 0; i < own.size(); ++i) {
            // A gradient that is zero (one position has one probability) has no relative error.
            const double size = std::max(exact[i].abs().max().item<double>(), 1.0);
            const double wrong = (own[i].to(at::kDouble) - exact[i]).abs().max().item<double>() / size;
            const double usual = (aten[i].to(at::kDouble) - exact[i]).abs().max().item<double>() / size;
            QVERIFY2(wrong <= 4 * std::max(usual, 2.4e-7),
                     qPrintable(QStringLiteral("%1: %2, ATen %3").arg(i).arg(wrong).arg(usual)));
        }
        // The planted bug: positions that look ahead, or do not.
        if (shape[2] > 1)
            QVERIFY(relative(attention(given.query, given.key, given.value, !causal), exact[0]) > 1e-2);
    }

    void largeScoresDoNotOverflow() {
        Case given = make({1, 2, 40, 16});
        given.query *= 100.0;
        const auto exact = all(given, at::kDouble, [](auto&... x) { return formula(x..., true); });
        const auto own = all(given, at::kFloat, [](auto&... x) { return attention(x..., true); });
        for (std::size_t i = 0; i < own.size(); ++i)
            QVERIFY2(relative(own[i], exact[i]) < 1e-3, qPrintable(QString::number(relative(own[i], exact[i]))));
    }

    void valuesThatAreNotFiniteStaySo() {
        Case given = make({1, 1, 20, 8});
        given.key.index_put_({at::tensor(0), at::tensor(0), at::tensor(7), at::tensor(0)},
                             at::tensor(std::numeric_limits<float>::quiet_NaN()));
        const at::Tensor y = attention(given.query, given.key, given.value, true);
        QVERIFY(at::isfinite(y.narrow(2, 0, 7)).all().item<bool>()); // those before it do not see it
        QVERIFY(!at::isfinite(y.narrow(2, 7, 13)).any().item<bool>());
    }

    void slicesOfOneTensorAreRead() {
        const at::Tensor together = at::randn({2, 50, 3 * 24}), gradient = at::randn({2, 3, 50, 8});
        const auto heads = [](const at::Tensor& x) { return x.view({2, 50, 3, 8}).transpose(1, 2); };
        const auto parts = together.chunk(3, 2);
        const Case sliced{heads(parts[0]), heads(parts[1]), heads(parts[2]), gradient};
        const Case whole{sliced.query.contiguous(), sliced.key.contiguous(), sliced.value.contiguous(),
                         gradient.transpose(2, 3).contiguous().transpose(2, 3)};
        const auto one = all(sliced, at::kFloat, [](auto&... x) { return attention(x..., true); });
        const auto other = all(whole, at::kFloat, [](auto&... x) { return attention(x..., true); });
        for (std::size_t i = 0; i < one.size(); ++i)
            QVERIFY(at::equal(one[i], other[i]));
        QVERIFY(one[0].transpose(1, 2).is_contiguous());
    }

    // Side by side, and all three in one tensor: the same bits, forward and back.
    void headsMayLieSideBySide_data() {
        QTest::addColumn<QList<int>>("shape"); // samples, heads, length, width
        QTest::newRow("char-gpt") << QList<int>{4, 4, 64, 32};
        QTest::newRow("one head") << QList<int>{2, 1, 70, 5};
        QTest::newRow("odd sizes") << QList<int>{3, 5, 13, 7};
    }
    void headsMayLieSideBySide() {
        QFETCH(QList<int>, shape);
        const std::int64_t samples = shape[0], heads = shape[1], length = shape[2], width = shape[3];
        const at::Tensor packed = at::randn({samples, length, 3 * heads * width}),
                         gradient = at::randn({samples, length, heads * width});
        const auto apart = [&](const at::Tensor& x) { return x.view({samples, length, heads, width}).transpose(1, 2); };
        const auto together = [](const at::Tensor& x) { return x.transpose(1, 2).flatten(2); };
        for (const bool causal : {true, false})
            for (const auto type : {at::kFloat, at::kDouble}) { // the second goes through ATen
                const auto parts = packed.to(type).chunk(3, 2);
                const Case given{apart(parts[0]), apart(parts[1]), apart(parts[2]), apart(gradient)};
                auto wanted = all(given, type, [&](auto&... x) { return attention(x..., causal); });
                std::ranges::transform(wanted, wanted.begin(), together);
                const Case flat{parts[0], parts[1], parts[2], gradient};
                const auto beside = [&](bool seen) {
                    return all(flat, type, [&](auto&... x) { return attentionSideBySide(x..., heads, seen); });
                };
                const auto inOne = [&] {
                    const at::Tensor leaf = packed.to(type).requires_grad_(true);
                    const at::Tensor y = attentionPacked(leaf, heads, causal);
                    const auto back = torch::autograd::grad({y}, {leaf}, {gradient.to(type)})[0].chunk(3, 2);
                    return Results{y.detach(), back[0], back[1], back[2]};
                };
                const auto found = beside(causal), one = inOne();
                for (std::size_t i = 0; i < wanted.size(); ++i) {
                    QVERIFY2(at::equal(found[i], wanted[i]), qPrintable(QString::number(i)));
                    QVERIFY2(at::equal(one[i], wanted[i]), qPrintable(QString::number(i)));
                }
                QVERIFY(!at::equal(beside(!causal)[0], wanted[0]));
                QVERIFY(type == at::kDouble || test::threadsAgree(inOne));
            }
        // A sum hands back one number for all.
        const at::Tensor leaf = packed.detach().requires_grad_(true);
        const at::Tensor spread = torch::autograd::grad({attentionPacked(leaf, heads, true).sum()}, {leaf})[0];
        const at::Tensor ones = torch::autograd::grad({attentionPacked(leaf, heads, true)}, {leaf},
                                                      {at::ones({samples, length, heads * width})})[0];
        QVERIFY(at::equal(spread, ones));
    }

    void headsThatDoNotDivideTheWidthAreRefused() {
        const at::Tensor x = at::randn({2, 5, 12});
        QVERIFY_EXCEPTION_THROWN((void)attentionSideBySide(x, x, x, 5, true), c10::Error);
        QVERIFY_EXCEPTION_THROWN((void)attentionPacked(x, 3, true), c10::Error); // 4 numbers for each of the three
    }

    // A mean over positions hands back one row for all of them, a sum one number.
    void gradientsThatAreSpreadOutAreRead() {
        Case given = make({2, 3, 40, 8});
        for (const at::Tensor& spread : {at::randn({2, 3, 1, 8}), at::randn({2, 1, 40, 1}), at::ones({1, 1, 1, 1})}) {
            given.gradient = spread.expand({2, 3, 40, 8});
            const auto exact = all(given, at::kDouble, [](auto&... x) { return formula(x..., true); });
            const auto own = all(given, at::kFloat, [](auto&... x) { return attention(x..., true); });
            for (std::size_t i = 0; i < own.size(); ++i)
                QVERIFY2(relative(own[i], exact[i]) < 1e-5, qPrintable(QString::number(relative(own[i], exact[i]))));
        }
        const at::Tensor one = at::randn({2, 3, 1, 8}).expand({2, 3, 40, 8}); // all rows in one place
        QVERIFY(at::allclose(attention(one, one, one, false), one, 1e-5, 1e-6));
    }

    void otherLengthsGoThroughATen() {
        const at::Tensor query = at::randn({1, 2, 5, 8}), key = at::randn({1, 2, 9, 8});
        QVERIFY(at::allclose(attention(query, key, key, false), formula(query, key, key, false), 1e-4, 1e-5));
        const at::Tensor exact = query.to(at::kDouble);
        QVERIFY(at::allclose(attention(exact, exact, exact, true), formula(exact, exact, exact, true), 1e-12, 1e-12));
    }

    void threadsDoNotChangeBits() {
        const Case given = make({3, 5, 100, 24});
        QVERIFY(test::threadsAgree(
            [&] { return all(given, at::kFloat, [](auto&... x) { return attention(x..., true); }); }));
    }
};

QTEST_GUILESS_MAIN(TestAttention)
} // namespace test_attention
#include "test_attention.moc"
