// SPDX-License-Identifier: GPL-3.0-or-later
// Student's t and the paired equivalence test against SciPy, and by simulation at the margin.
#include "core/analysis/statistics.h"
#include "tests/support/numeric.h"

#include <QTest>

#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace test_statistics {
using namespace accumulus;
using accumulus::test::compareAbs;
using accumulus::test::compareRel;

namespace {

struct TostCase {
    const char* name;
    std::vector<double> differences;
    double margin;
    double mean, sd, ci95Lower, ci95Upper, ci90Lower, ci90Upper, pEquivalence, pDifference;
    Verdict verdict;
};

// SciPy 1.17 scipy.stats.ttest_rel: two one-sided tests of (a, b -+ margin), the two-sided test and its
// confidence_interval at 95 and 90 %. The first five are the cases of acceptance check A10.
const std::vector<TostCase>& tostCases() {
    static const std::vector<TostCase> cases = {
        {"equal with noise 0.001",
         {-0.0004999999999999449, -0.0006000000000000449, 0.0004999999999999449, 0.00040000000000006697,
          9.999999999998899e-05},
         0.01,
         -1.9999999999997796e-05,
         0.000506951674225462,
         -0.0006494636427148771,
         0.0006094636427148815,
         -0.0005033230958966064,
         0.00046332309589661045,
         7.962192081918364e-07,
         0.9339448844247281,
         Verdict::Equivalent},
        {"shifted by 0.05",
         {0.04909999999999992, 0.04999999999999993, 0.05069999999999997, 0.048699999999999966, 0.04949999999999999},
         0.01,
         0.04959999999999996,
         0.0007810249675906682,
         0.04863022941604436,
         0.05056977058395555,
         0.048855377929493515,
         0.0503446220705064,
         0.9999999818517414,
         1.475029278425005e-08,
         Verdict::Different},
        {"shifted by 0.005 with noise 0.0005",
         {0.0040000000000000036, 0.0043999999999999595, 0.0040999999999999925, 0.0049000000000000155,
          0.0044000000000000705},
         0.01,
         0.004360000000000008,
         0.00035071355833501093,
         0.003924531600933489,
         0.004795468399066527,
         0.004025632896771927,
         0.004694367103228088,
         1.7850043689870348e-06,
         9.961804519780527e-06,
         Verdict::DifferentWithinMargin},
        {"two pairs",
         {0.00029999999999996696, 0.00019999999999997797},
         0.01,
         0.00024999999999997247,
         7.071067811864696e-05,
         -0.00038531023680869227,
         0.0008853102368086372,
         -6.5687575733745e-05,
         0.0005656875757336895,
         0.001632344081392613,
         0.1256659163780024,
         Verdict::NotEnoughSeeds},
        {"noise 0.05",
         {-0.009299999999999975, -0.12580000000000002, -0.026900000000000035, -0.0023999999999999577,
          0.005700000000000038},
         0.01,
         -0.03173999999999999,
         0.05393712079820356,
         -0.09871178106189682,
         0.03523178106189684,
         -0.08316315832720403,
         0.01968315832720402,
         0.790798323433086,
         0.25857243761977855,
         Verdict::Inconclusive},
        {"three seeds",
         {0.00019999999999997797, 0.0008000000000000229, 0.0004999999999999449},
         0.002,
         0.0004999999999999819,
         0.00030000000000002247,
         -0.00024524131352517294,
         0.0012452413135251366,
         -5.7563382541708655e-06,
         0.0010057563382541343,
         0.006536228780174052,
         0.10197348986614481,
         Verdict::Equivalent},
        {"eight seeds, the other side",
         {-0.0048000000000000265, -0.0029000000000000137, -0.0048000000000000265, -0.0040000000000000036,
          -0.0030999999999999917, -0.0045999999999999375, -0.0040999999999999925, -0.0039000000000000146},
         0.002,
         -0.004025000000000001,
         0.000724568837309471,
         -0.004630754707151633,
         -0.003419245292848369,
         -0.004510341342214943,
         -0.003539658657785059,
         0.9999508086314922,
         1.0241580564449358e-06,
         Verdict::Different},
    };
    return cases;
}

constexpr int draws = 20000;

/// How often `draws` samples of n differences with the given mean and a standard deviation of 1 pass as equivalent
/// within 1.
double passRate(std::size_t n, double mean, double alpha) {
    std::mt19937_64 generator(20240607 + n);
    std::normal_distribution<double> normal(mean, 1.0);
    std::vector<double> differences(n);
    int passed = 0;
    for (int draw = 0; draw < draws; ++draw) {
        for (double& difference : differences)
            difference = normal(generator);
        passed += pairedEquivalence(differences, 1.0, alpha).pEquivalence < alpha ? 1 : 0;
    }
    return passed / static_cast<double>(draws);
}

/// Four standard errors of a simulated rate.
double simulationError(double rate) { return 4.0 * std::sqrt(rate * (1.0 - rate) / draws); }

} // namespace

class TestStatistics : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void momentsAgreeWithHand() {
        const std::array values{2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0}; // sum of squared deviations 32
        const Moments result = moments(values);
        QCOMPARE(result.n, std::size_t{8});
        QVERIFY(compareRel(result.mean, 5.0, 1e-15));
        QVERIFY(compareRel(result.sd, std::sqrt(32.0 / 7.0), 1e-15));
        const std::array<double, 1> one{3.0};
        QVERIFY(compareAbs(moments(one).sd, 0.0, 0.0));
        QCOMPARE(moments({}).n, std::size_t{0});
    }

    void equalValuesHaveNoSpread() {
        // 0.1 + 0.1 + 0.1 is not 0.3: a plain sum divided by 3 would leave a spread of rounding errors.
        const std::array values{0.1, 0.1, 0.1};
        QVERIFY(compareAbs(moments(values).sd, 0.0, 0.0));
        QVERIFY(compareAbs(moments(values).mean, 0.1, 0.0));
    }

    void studentDistributionAgreesWithSciPy() {
        struct Point {
            double t, df, p;
        };
        // SciPy 1.17 scipy.stats.t.cdf(t, df). Both sides keep about 12 digits; 1e-11 leaves a factor of ten.
        constexpr std::array points{Point{0.0, 1.0, 0.5},
                                    Point{1.0, 1.0, 0.75},
                                    Point{-6.313751514675043, 1.0, 0.05},
                                    Point{1000000.0, 1.0, 0.9999996816901138},
                                    Point{0.5, 2.0, 0.6666666666666666},
                                    Point{-4.302652729911275, 2.0, 0.024999999998258315},
                                    Point{12.7, 2.0, 0.9969285292002021},
                                    Point{2.13, 4.0, 0.9498960445583489},
                                    Point{-2.776445105197793, 4.0, 0.02500000000000004},
                                    Point{30.0, 4.0, 0.9999963235719511},
                                    Point{1.697260886593957, 30.0, 0.95},
                                    Point{-0.01, 30.0, 0.49604374628658887},
                                    Point{-8.5, 30.0, 8.7204423417329e-10},
                                    Point{2.5, 2.5, 0.9477150184609223},
                                    Point{1.96, 1000000.0, 0.9750019662073651}};
        for (const Point& point : points) {
            const double p = studentCdf(point.t, point.df);
            QVERIFY2(compareRel(p, point.p, 1e-11),
                     qPrintable(QString("t %1 df %2: %3").arg(point.t).arg(point.df).arg(p)));
        }
        QVERIFY(compareAbs(studentCdf(std::numeric_limits<double>::infinity(), 3.0), 1.0, 0.0));
        QVERIFY(compareAbs(studentCdf(-std::numeric_limits<double>::infinity(), 3.0), 0.0, 0.0));
        QVERIFY(std::isnan(studentCdf(std::nan(""), 3.0)));
        QVERIFY(std::isnan(studentCdf(1.0, 0.0)));
    }

    void studentQuantileAgreesWithSciPy() {
        struct Point {
            double p, df, t;
        };
        // SciPy 1.17 scipy.stats.t.ppf(p, df); its own root finding keeps about 12 digits.
        constexpr std::array points{Point{0.95, 1.0, 6.313751514675037},     Point{0.975, 1.0, 12.706204736174694},
                                    Point{0.01, 1.0, -31.82051595377396},    Point{0.95, 2.0, 2.9199855803537242},
                                    Point{0.975, 2.0, 4.302652729749462},    Point{1e-06, 2.0, -707.1057205259339},
                                    Point{0.95, 4.0, 2.1318467863266495},    Point{0.975, 4.0, 2.7764451051977934},
                                    Point{0.6, 4.0, 0.2707222947075976},     Point{0.95, 30.0, 1.697260886593957},
                                    Point{0.975, 30.0, 2.0422724563012378},  Point{0.05, 30.0, -1.6972608865939574},
                                    Point{0.999999, 30.0, 5.87111712040862}, Point{0.975, 2.5, 3.5746548420036817}};
        for (const Point& point : points) {
            const double t = studentQuantile(point.p, point.df);
            QVERIFY2(compareRel(t, point.t, 1e-11),
                     qPrintable(QString("p %1 df %2: %3").arg(point.p).arg(point.df).arg(t)));
        }
        for (const double p : {0.0, 1.0, -0.1, 1.5})
            QVERIFY(std::isnan(studentQuantile(p, 4.0)));
    }

    void equivalenceAgreesWithSciPy_data() {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < tostCases().size(); ++i)
            QTest::newRow(tostCases()[i].name) << static_cast<int>(i);
    }
    void equivalenceAgreesWithSciPy() {
        QFETCH(int, index);
        const TostCase& expected = tostCases()[static_cast<std::size_t>(index)];
        const EquivalenceTest test = pairedEquivalence(expected.differences, expected.margin);
        // SciPy works on a and b near 1, so its differences carry 1e-16 of 1e-4: 1e-12, times up to 100 in a tail
        // probability.
        constexpr double tolerance = 1e-9;
        QVERIFY(compareRel(test.meanDifference, expected.mean, tolerance));
        QVERIFY(compareRel(test.sdDifference, expected.sd, tolerance));
        QVERIFY(compareRel(test.ci95Lower, expected.ci95Lower, tolerance));
        QVERIFY(compareRel(test.ci95Upper, expected.ci95Upper, tolerance));
        QVERIFY(compareRel(test.ci90Lower, expected.ci90Lower, tolerance));
        QVERIFY(compareRel(test.ci90Upper, expected.ci90Upper, tolerance));
        QVERIFY(compareRel(test.pEquivalence, expected.pEquivalence, tolerance));
        QVERIFY(compareRel(test.pDifference, expected.pDifference, tolerance));
        QCOMPARE(static_cast<int>(test.verdict), static_cast<int>(expected.verdict));
        const double smallest = std::max(std::abs(expected.ci90Lower), std::abs(expected.ci90Upper));
        QVERIFY(compareRel(test.smallestMargin, smallest, tolerance));
    }

    void smallestMarginIsTheSmallestThatPasses() {
        for (const TostCase& entry : tostCases()) {
            const double smallest = pairedEquivalence(entry.differences, entry.margin).smallestMargin;
            QVERIFY(pairedEquivalence(entry.differences, smallest * (1.0 + 1e-9)).pEquivalence < 0.05);
            QVERIFY(!(pairedEquivalence(entry.differences, smallest * (1.0 - 1e-9)).pEquivalence < 0.05));
        }
    }

    void identicalRunsAreEquivalentWithoutDivision() {
        const std::array<double, 5> none{};
        const EquivalenceTest same = pairedEquivalence(none, 0.002);
        QCOMPARE(static_cast<int>(same.verdict), static_cast<int>(Verdict::Equivalent));
        QVERIFY(compareAbs(same.pEquivalence, 0.0, 0.0));
        QVERIFY(compareAbs(same.pDifference, 1.0, 0.0));
        QVERIFY(compareAbs(same.smallestMargin, 0.0, 0.0));
        const std::array shifted{0.25, 0.25, 0.25};
        QCOMPARE(static_cast<int>(pairedEquivalence(shifted, 0.002).verdict), static_cast<int>(Verdict::Different));
        QCOMPARE(static_cast<int>(pairedEquivalence(shifted, 0.5).verdict),
                 static_cast<int>(Verdict::DifferentWithinMargin));
        // Exactly at the margin nothing is shown.
        QVERIFY(compareAbs(pairedEquivalence(shifted, 0.25).pEquivalence, 0.5, 0.0));
    }

    void fewOrBrokenDifferencesGiveNoVerdict() {
        const std::array<double, 1> one{0.1};
        const EquivalenceTest test = pairedEquivalence(one, 0.5);
        QCOMPARE(static_cast<int>(test.verdict), static_cast<int>(Verdict::NotEnoughSeeds));
        QVERIFY(std::isinf(test.ci90Upper) && std::isinf(test.smallestMargin));
        QCOMPARE(static_cast<int>(pairedEquivalence({}, 0.5).verdict), static_cast<int>(Verdict::NotEnoughSeeds));
        const std::array broken{0.1, std::nan(""), 0.1};
        QCOMPARE(static_cast<int>(pairedEquivalence(broken, 0.5).verdict), static_cast<int>(Verdict::Inconclusive));
    }

    void falseAlarmsAtTheMarginStayBelowFivePercent() {
        // Expected 4.1 % and 4.6 % for a spread as large as the margin, rounded to 0.05 points.
        for (const auto& [n, expected] : {std::pair<std::size_t, double>{3, 0.041}, {5, 0.046}}) {
            const double rate = passRate(n, 1.0, 0.05);
            QVERIFY2(rate <= 0.05 + simulationError(0.05), qPrintable(QString::number(rate)));
            QVERIFY2(compareAbs(rate, expected, simulationError(expected) + 0.0005), qPrintable(QString::number(rate)));
        }
    }

    void aWrongOneSidedLevelIsCaught() {
        // The mutant takes 2 alpha for each one-sided test, as somebody does who uses the 80 % interval.
        for (const std::size_t n : {3, 5})
            QVERIFY(passRate(n, 1.0, 0.10) > 0.05 + simulationError(0.05));
    }

    void powerAgreesWithTheTable() {
        // Rounded to two decimals: true difference 0, standard deviation equal to the margin.
        const std::array<std::pair<std::size_t, double>, 6> table{
            {{3, 0.13}, {5, 0.29}, {8, 0.64}, {10, 0.80}, {12, 0.89}, {15, 0.96}}};
        for (const auto& [n, power] : table) {
            const double rate = passRate(n, 0.0, 0.05);
            QVERIFY2(compareAbs(rate, power, 0.005 + simulationError(power)),
                     qPrintable(QString("n %1: %2").arg(n).arg(rate)));
        }
    }
};

QTEST_APPLESS_MAIN(TestStatistics)
} // namespace test_statistics
#include "test_statistics.moc"
