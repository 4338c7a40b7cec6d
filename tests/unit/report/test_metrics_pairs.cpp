// SPDX-License-Identifier: GPL-3.0-or-later
// Of metrics that are judged together the report tells how many pairs each was judged by.
#include "core/report/metrics_table.h"

#include <QTest>

#include <algorithm>

namespace test_metrics_pairs {
using namespace accumulus;

namespace {

JudgedMetric judged(CompareMetric metric, std::size_t pairs) {
    JudgedMetric one;
    one.metric = metric;
    one.test.n = pairs;
    one.test.margin = 0.01;
    return one;
}

} // namespace

class TestMetricsPairs : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void eachMetricHasItsOwn() {
        Comparison comparison;
        QVERIFY(!judgedTogetherTable(comparison));
        comparison.together = {judged(CompareMetric::TestAccuracy, 5), judged(CompareMetric::TestLoss, 3),
                               judged(CompareMetric::TrainLoss, 0)};
        const auto table = judgedTogetherTable(comparison);
        QVERIFY(table.has_value());
        const auto found = std::ranges::find(table->header, "Pairs");
        QVERIFY(found != table->header.end());
        const auto column = static_cast<std::size_t>(found - table->header.begin());
        QVERIFY(table->numeric[column]);
        QCOMPARE(table->rows.size(), std::size_t{3});
        for (const auto& [row, pairs] : {std::pair(0, "5"), std::pair(1, "3"), std::pair(2, "0")})
            QCOMPARE(table->rows[static_cast<std::size_t>(row)][column], std::string(pairs));
    }
};

QTEST_APPLESS_MAIN(TestMetricsPairs)
} // namespace test_metrics_pairs
#include "test_metrics_pairs.moc"
