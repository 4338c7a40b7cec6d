// SPDX-License-Identifier: GPL-3.0-or-later
// Metrics against values computed by hand, and sums of chunks against the whole.
#include "core/config/metric_rows.h"
#include "core/train/evaluator.h"
#include "core/train/metric_sums.h"
#include "tests/support/numeric.h"

#include <ATen/ATen.h>
#include <QTest>

namespace test_metric_sums {
using namespace accumulus;
using namespace accumulus::test;

namespace {

Batch batchOf(const at::Tensor& targets) {
    Batch batch;
    batch.targets = targets;
    batch.samples = targets.size(0);
    if (targets.scalar_type() == at::kLong) {
        const auto bearing = targets.ne(ignoredTarget).sum().item<std::int64_t>();
        batch.bearing = {bearing, bearing};
    }
    return batch;
}

LossSettings settingsOf(LossKind kind) {
    LossConfig config;
    config.kind = kind;
    config.normalise = Normalise::Tokens;
    return lossSettings(config);
}

Evaluation evaluated(const MetricSums& sums, LossKind kind) {
    Evaluation evaluation;
    sums.tell(settingsOf(kind), evaluation);
    return evaluation;
}

Evaluation evaluated(const at::Tensor& output, const at::Tensor& targets, LossKind kind) {
    return evaluated(metricSums(output, batchOf(targets), settingsOf(kind), -1.0), kind);
}

} // namespace

class TestMetricSums : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void errorsOfNumbers() {
        // Errors 1, -2, 0, 3: MAE 6/4, RMSE sqrt(14/4); targets 1, 2, 3, 6 about 3: 14; R2 = 1 - 14/14 = 0.
        const at::Tensor targets = at::tensor({1.0, 2.0, 3.0, 6.0});
        const at::Tensor output = at::tensor({2.0, 0.0, 3.0, 9.0}).reshape({4, 1});
        const Evaluation found = evaluated(output, targets, LossKind::Huber);
        QVERIFY(compareRel(*found.mae, 1.5, 1e-15));
        QVERIFY(compareRel(*found.rmse, std::sqrt(3.5), 1e-15));
        QVERIFY(compareAbs(*found.r2, 0.0, 1e-15));
        QVERIFY(!found.accuracy && !found.top5);
        QVERIFY(compareRel(found.loss, (0.5 + 1.5 + 0.0 + 2.5) / 4.0, 1e-15)); // Huber, delta 1
    }

    // Two outputs: 1 - 2/8 and 1 - 3/4, their mean. A constant target: 1 without error, 0 with one.
    void r2IsTheMeanOverOutputs() {
        const at::Tensor targets = at::tensor({0.0, 1.0, 4.0, 1.0, 2.0, 3.0, 2.0, 3.0}).reshape({4, 2});
        const at::Tensor output = at::tensor({1.0, 1.0, 3.0, 2.0, 2.0, 2.0, 2.0, 4.0}).reshape({4, 2});
        QVERIFY(compareRel(*evaluated(output, targets, LossKind::Mse).r2, (0.75 + (1.0 - 3.0 / 4.0)) / 2.0, 1e-14));
        const at::Tensor constant = at::full({3, 1}, 2.0, at::kDouble);
        QVERIFY(compareBits(*evaluated(constant, constant, LossKind::Mse).r2, 1.0));
        QVERIFY(compareBits(*evaluated(constant + 1.0, constant, LossKind::Mse).r2, 0.0));
        QVERIFY(!evaluated(constant.slice(0, 0, 1), constant.slice(0, 0, 1), LossKind::Mse).r2); // one sample
    }

    void chunksAddUp() {
        const at::Tensor targets = (at::arange(90, at::kDouble) * 0.37).sin().reshape({30, 3}) + 1000.0;
        const at::Tensor output = targets + (at::arange(90, at::kDouble) * 0.91).cos().reshape({30, 3}) * 0.1;
        const Evaluation whole = evaluated(output, targets, LossKind::Mse);
        MetricSums sums;
        for (std::int64_t first = 0; first < 30; first += 7) {
            const std::int64_t last = std::min<std::int64_t>(30, first + 7);
            sums.add(metricSums(output.slice(0, first, last), batchOf(targets.slice(0, first, last)),
                                settingsOf(LossKind::Mse), -1.0));
        }
        const Evaluation parts = evaluated(sums, LossKind::Mse);
        QVERIFY(compareRel(*parts.r2, *whole.r2, 1e-9)); // about 1000: six digits of the targets cancel
        QVERIFY(compareRel(*parts.rmse, *whole.rmse, 1e-12));
        QVERIFY(*whole.r2 > 0.9 && *whole.r2 < 1.0);
        Packed packed;
        sums.put(packed);
        Unpacked message(packed.bytes());
        QVERIFY(compareBits(*evaluated(MetricSums::from(message), LossKind::Mse).r2, *parts.r2));
        QVERIFY(message.atEnd());
    }

    void answers() {
        at::Tensor output = at::zeros({3, 7}, at::kDouble);
        for (std::int64_t i = 0; i < 3; ++i)
            output[i] = at::arange(7, 0, -1, at::kDouble); // class 0 is the likeliest, 6 the least
        const Evaluation found = evaluated(output, at::tensor({0L, 4L, 5L}), LossKind::CrossEntropy);
        QVERIFY(compareBits(*found.accuracy, 1.0 / 3.0));
        QVERIFY(compareBits(*found.top5, 2.0 / 3.0));
        const Evaluation some = evaluated(output, at::tensor({0L, ignoredTarget, 5L}), LossKind::CrossEntropy);
        QVERIFY(compareBits(*some.accuracy, 0.5));
        const Evaluation few = evaluated(output.slice(1, 0, 5), at::tensor({0L, 1L, 2L}), LossKind::CrossEntropy);
        QVERIFY(!few.top5 && few.accuracy);
    }

    void yesAndNo() {
        const at::Tensor output = at::tensor({0.1, -3.0, 2.0, -0.1}).reshape({2, 2});
        const Evaluation found =
            evaluated(output, at::tensor({1.0, 0.0, 0.0, 1.0}).reshape({2, 2}), LossKind::BceWithLogits);
        QVERIFY(compareBits(*found.accuracy, 0.5));
        QVERIFY(!found.mae && !found.r2);
    }

    // Which of two values a checkpoint or a verdict calls better.
    void directions() {
        using enum CompareMetric;
        for (const CompareMetric metric : {TestAccuracy, TestTop5, TestR2})
            QVERIFY(isBetter(metric, 0.9, 0.8) && !isBetter(metric, 0.8, 0.9));
        for (const CompareMetric metric : {TestLoss, TestMae, TestRmse, TestPerplexity})
            QVERIFY(!isBetter(metric, 0.9, 0.8) && isBetter(metric, 0.8, 0.9));
        QVERIFY(!isBetter(TestLoss, std::nan(""), 1.0) && isBetter(TestLoss, 1.0, std::nan("")));
        QVERIFY(compareBits(defaultMargin(TestAccuracy, 0.5), 0.002));
        QVERIFY(compareRel(defaultMargin(TestRmse, 40.0), 0.4, 1e-15));
    }
};

QTEST_APPLESS_MAIN(TestMetricSums)
} // namespace test_metric_sums
#include "test_metric_sums.moc"
