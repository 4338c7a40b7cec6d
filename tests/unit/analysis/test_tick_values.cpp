// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/tick_values.h"
#include "tests/support/numeric.h"

#include <QtTest>

#include <cmath>
#include <limits>

namespace test_tick_values {
using namespace accumulus;

namespace {

QList<double> labelled(double lower, double upper, int wanted) {
    QList<double> values;
    for (const LogTick& tick : logTickValues(lower, upper, wanted))
        if (tick.labelled)
            values << tick.value;
    return values;
}

/// `first` x 10^n, as it is written.
bool sameAs(const QList<double>& found, const QList<double>& expected) {
    return found.size() == expected.size() && std::ranges::equal(found, expected, [](double a, double b) {
               return std::abs(a - b) <= 1e-12 * std::abs(b); // a power of ten is rounded once
           });
}

} // namespace

class TestTickValues : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void stepsAreRoundNumbers_data() {
        QTest::addColumn<double>("lower");
        QTest::addColumn<double>("upper");
        QTest::addColumn<int>("wanted");
        QTest::addColumn<double>("step");
        QTest::addColumn<int>("count");
        QTest::newRow("whole") << 0.0 << 300'000.0 << 5 << 100'000.0 << 4;
        QTest::newRow("shares") << 0.02 << 0.31 << 4 << 0.1 << 3;
        QTest::newRow("both signs") << -1.0 << 1.0 << 2 << 1.0 << 3;
        QTest::newRow("exactly so many") << 0.0 << 10.0 << 5 << 2.0 << 6;
        QTest::newRow("tiny") << -3e-7 << 3e-7 << 6 << 1e-7 << 7;
        QTest::newRow("an end beside a step") << 0.1 + 0.2 << 0.9 << 6 << 0.1 << 7; // 0.30000000000000004
        QTest::newRow("not one alone") << 0.065 << 0.14 << 2 << 0.02 << 4;
        QTest::newRow("nor none") << 0.051 << 0.099 << 2 << 0.02 << 2;
        QTest::newRow("one is wanted") << 0.0 << 7.0 << 0 << 10.0 << 1;
    }
    void stepsAreRoundNumbers() {
        QFETCH(double, lower);
        QFETCH(double, upper);
        QFETCH(int, wanted);
        QFETCH(double, step);
        QFETCH(int, count);
        const LinearTicks ticks = linearTickValues(lower, upper, wanted);
        QVERIFY(test::compareRel(ticks.step, step, 1e-12)); // powers of ten are rounded
        QCOMPARE(int(ticks.values.size()), count);
        for (const double value : ticks.values) {
            QVERIFY(value >= lower - 1e-9 * (upper - lower) && value <= upper + 1e-9 * (upper - lower));
            QVERIFY(!(value == 0.0 && std::signbit(value)));
        }
    }

    void rangesWithoutALengthHaveNone() {
        constexpr double infinity = std::numeric_limits<double>::infinity();
        constexpr double nan = std::numeric_limits<double>::quiet_NaN();
        for (const auto& [lower, upper] :
             {std::pair(1.0, 1.0), std::pair(2.0, 1.0), std::pair(0.0, infinity), std::pair(nan, 1.0)}) {
            QVERIFY(linearTickValues(lower, upper, 5).values.empty());
            QVERIFY(logTickValues(lower, upper, 5).empty());
        }
        QVERIFY(logTickValues(0.0, 1.0, 5).empty());
        QVERIFY(logTickValues(-1.0, 1.0, 5).empty());
    }

    /// Where the next number that can be held is further away than a step, it still comes to an end.
    void farFromZeroItEnds() {
        for (const double far : {1e17, -1e17, 1e30})
            QVERIFY(linearTickValues(far, std::nextafter(far, 1e300) + 16.0, 5).values.size() <= 7);
    }

    void decades() {
        QVERIFY(sameAs(labelled(0.0005, 3.0, 6), {0.001, 0.01, 0.1, 1.0}));
        QVERIFY(sameAs(labelled(1e-9, 1e3, 6), {1e-8, 1e-6, 1e-4, 1e-2, 1.0, 1e2}));
        QVERIFY(sameAs(labelled(0.05, 3.0, 4), {0.05, 0.1, 0.2, 0.5, 1.0, 2.0})); // few: 2 and 5 as well
    }

    void gridLinesStandBetweenFewDecadesOnly() {
        const auto lines = [](double lower, double upper, int wanted) {
            return std::ranges::count(logTickValues(lower, upper, wanted), false, &LogTick::labelled);
        };
        QCOMPARE(lines(1.0, 10.0, 5), 6L); // 3 4 6 7 8 9
        QCOMPARE(lines(1.0, 1e5, 10), 0L);
    }

    void equalStepsTakeOverWithinADecade() {
        QVERIFY(logTickValues(0.031, 0.034, 6).empty());
        QVERIFY(logTickValues(2.0, 15.0, 1).empty());
        QVERIFY(!logTickValues(1e-8, 1e7, 1).empty()); // but never over many decades
    }
};

QTEST_APPLESS_MAIN(TestTickValues)
} // namespace test_tick_values
#include "test_tick_values.moc"
