// SPDX-License-Identifier: GPL-3.0-or-later
// Smoothing, thinning, alignment and bands, each against values worked out by hand.
#include "core/analysis/series.h"
#include "tests/support/numeric.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace test_series {
using namespace accumulus;
using accumulus::test::compareAbs;
using accumulus::test::compareBits;
using accumulus::test::compareRel;

namespace {

constexpr double gap = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t columns = 800;

/// A noisy, falling curve over x = 0, 1, ...
Series noisyCurve(std::size_t points) {
    Series series;
    for (std::size_t i = 0; i < points; ++i) {
        const auto x = static_cast<double>(i);
        series.x.push_back(x);
        series.y.push_back(std::exp(-3.0 * x / static_cast<double>(points)) + 0.1 * std::sin(12.9898 * x));
    }
    return series;
}

double highest(const Series& series) { return *std::max_element(series.y.begin(), series.y.end()); }

/// The mutant: every n-th point.
Series thinByStride(const Series& series) {
    Series out;
    for (std::size_t i = 0; i < series.size(); i += series.size() / (4 * columns)) {
        out.x.push_back(series.x[i]);
        out.y.push_back(series.y[i]);
    }
    return out;
}

bool sameBits(std::span<const double> a, std::span<const double> b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), compareBits);
}

} // namespace

class TestSeries : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theCentredMeanIsThatOfItsNeighbours() {
        std::mt19937 random(5);
        std::normal_distribution<double> normal;
        std::vector<double> y(1000);
        for (double& value : y)
            value = normal(random);
        y[100] = std::numeric_limits<double>::quiet_NaN();
        y[101] = std::numeric_limits<double>::infinity();
        y[500] = 1e30; // leaves nothing behind
        for (const std::size_t half : {std::size_t{1}, std::size_t{2}, std::size_t{7}, std::size_t{600}}) {
            const auto means = centredMean(y, half);
            QCOMPARE(means.size(), y.size());
            for (std::size_t i = 0; i < y.size(); ++i) {
                double sum = 0.0, count = 0.0;
                for (std::size_t j = i - std::min(i, half); j < std::min(y.size(), i + half + 1); ++j)
                    if (std::isfinite(y[j])) {
                        sum += y[j];
                        count += 1.0;
                    }
                if (!std::isfinite(y[i]))
                    QVERIFY(!std::isfinite(means[i]));
                else
                    QVERIFY2(std::abs(means[i] - sum / count) <= 1e-12 * std::max(1.0, std::abs(sum / count)),
                             qPrintable(QString::number(i)));
            }
        }
        const std::vector<double> some{1.0, 5.0};
        QVERIFY(sameBits(centredMean(some, 0), some));
        QVERIFY(centredMean({}, 3).empty());
    }

    void averageIsBiasCorrected() {
        // beta 1/2: s_2 = (1/4 y_1 + 1/2 y_2) / (3/4), s_3 = (1/8 y_1 + 1/4 y_2 + 1/2 y_3) / (7/8).
        const std::array y{4.0, 1.0, 3.0};
        const auto smooth = debiasedEma(y, 0.5);
        QVERIFY(compareRel(smooth[0], 4.0, 1e-15));
        QVERIFY(compareRel(smooth[1], (1.0 + 0.5) / 0.75, 1e-15));
        QVERIFY(compareRel(smooth[2], (0.5 + 0.25 + 1.5) / 0.875, 1e-15));
        QVERIFY(sameBits(debiasedEma(y, 0.0), y));
        const std::vector<double> constant(1000, 0.1);
        QVERIFY(sameBits(debiasedEma(constant, 0.999), constant)); // no start-up bias at all
    }

    void averageAgreesWithTheDefinition() {
        const Series series = noisyCurve(300);
        const double beta = 0.97;
        const auto smooth = debiasedEma(series.y, beta);
        for (std::size_t t = 0; t < series.size(); ++t) {
            double sum = 0.0;
            for (std::size_t i = 0; i <= t; ++i)
                sum += (1.0 - beta) * std::pow(beta, static_cast<double>(t - i)) * series.y[i];
            // 300 additions of rounding 1e-16 each, weighed by at most 1 / (1 - beta) = 33: 1e-12.
            QVERIFY(compareAbs(smooth[t], sum / (1.0 - std::pow(beta, static_cast<double>(t + 1))), 1e-12));
        }
    }

    void smoothingOfATruncatedCurveIsTheTruncatedSmoothing() {
        const Series series = noisyCurve(100000);
        const auto whole = debiasedEma(series.y, 0.99);
        const auto start = debiasedEma(std::span(series.y).first(10000), 0.99);
        QVERIFY(sameBits(std::span(whole).first(10000), start));
    }

    void gapsStayAndDoNotMoveTheAverage() {
        const std::array y{1.0, gap, 3.0, std::numeric_limits<double>::infinity(), 5.0};
        const std::array closed{1.0, 3.0, 5.0};
        const auto smooth = debiasedEma(y, 0.9);
        const auto reference = debiasedEma(closed, 0.9);
        QVERIFY(std::isnan(smooth[1]) && std::isinf(smooth[3]));
        QVERIFY(compareBits(smooth[0], reference[0]) && compareBits(smooth[2], reference[1]) &&
                compareBits(smooth[4], reference[2]));
    }

    void aSpikeAmongAMillionPointsSurvives() {
        for (const std::size_t place : {0UL, 123457UL, 999999UL}) {
            Series series = noisyCurve(1000000);
            series.y[place] = 40.0;
            const Series thin = thinMinMax(series, 0.0, 999999.0, columns);
            QVERIFY(thin.size() <= 4 * columns);
            QVERIFY(thin.size() >= 3 * columns);
            QVERIFY(compareAbs(highest(thin), 40.0, 0.0));
            QVERIFY(std::is_sorted(thin.x.begin(), thin.x.end()));
            QVERIFY(compareAbs(thin.x.front(), 0.0, 0.0) && compareAbs(thin.x.back(), 999999.0, 0.0));
        }
    }

    void everyNthPointWouldLoseTheSpike() {
        Series series = noisyCurve(1000000);
        series.y[123457] = 40.0;
        QVERIFY(highest(thinByStride(series)) < 2.0);
    }

    void everyColumnKeepsItsExtremes() {
        const Series series = noisyCurve(50000);
        const Series thin = thinMinMax(series, 0.0, 50000.0, 100); // 500 points a column
        for (std::size_t column = 0; column < 100; ++column) {
            const auto extremes = [column](const Series& from) {
                std::pair result{1e9, -1e9};
                for (std::size_t i = 0; i < from.size(); ++i)
                    if (static_cast<std::size_t>(from.x[i]) / 500 == column)
                        result = {std::min(result.first, from.y[i]), std::max(result.second, from.y[i])};
                return result;
            };
            QVERIFY(extremes(series) == extremes(thin));
        }
    }

    void thinningOfARangeKeepsTheNeighbours() {
        const Series series = noisyCurve(10000);
        const Series thin = thinMinMax(series, 999.5, 2000.5, 10);
        QVERIFY(compareAbs(thin.x.front(), 999.0, 0.0));
        QVERIFY(compareAbs(thin.x.back(), 2001.0, 0.0));
        QVERIFY(thin.size() <= 42);
    }

    void fewPointsAndEmptyRangesComeBackUnchanged() {
        const Series series = noisyCurve(100);
        QVERIFY(thinMinMax(series, 0.0, 99.0, 26) == series);
        QVERIFY(thinMinMax(series, 5.0, 5.0, 3) == series);
        QVERIFY(thinMinMax(series, 0.0, 99.0, 0) == series);
        QVERIFY(thinMinMax({}, 0.0, 1.0, 10) == Series{});
    }

    void gapsSurviveThinning() {
        Series series = noisyCurve(10000);
        series.y[5000] = gap;
        series.y[5001] = gap;
        const Series thin = thinMinMax(series, 0.0, 9999.0, 10);
        QCOMPARE(std::count_if(thin.y.begin(), thin.y.end(), [](double y) { return std::isnan(y); }), 2);
        Series empty = noisyCurve(100);
        std::fill(empty.y.begin(), empty.y.end(), gap);
        const Series none = thinMinMax(empty, 0.0, 99.0, 5);
        QVERIFY(!none.y.empty() && std::all_of(none.y.begin(), none.y.end(), [](double y) { return std::isnan(y); }));
    }

    void interpolationIsLinearInsideAndNothingOutside() {
        const Series series{{0.0, 1.0, 3.0, 4.0, 5.0}, {0.0, 2.0, 6.0, gap, 1.0}};
        QVERIFY(compareRel(interpolate(series, 2.0), 4.0, 1e-15));
        QVERIFY(compareRel(interpolate(series, 0.25), 0.5, 1e-15));
        QVERIFY(compareAbs(interpolate(series, 3.0), 6.0, 0.0)); // on a point, although a gap follows
        QVERIFY(compareAbs(interpolate(series, 5.0), 1.0, 0.0));
        for (const double at : {-0.1, 5.1, 3.5, 4.5, 4.0, gap})
            QVERIFY(std::isnan(interpolate(series, at)));
        QVERIFY(std::isnan(interpolate({}, 0.0)));
        const Series repeated{{0.0, 1.0, 1.0, 2.0}, {0.0, 5.0, 7.0, 7.0}};
        QVERIFY(compareAbs(interpolate(repeated, 1.0), 7.0, 0.0)); // the later point counts
    }

    void alignmentTakesTheOverlapAndCounts() {
        const Series a{{0.0, 1.0, 2.0, 3.0, 4.0}, {0.0, 10.0, 20.0, 30.0, 40.0}};
        const Series b{{1.0, 2.5, 3.0}, {1.0, 2.5, 3.0}};
        const Aligned aligned = align({a, b});
        QVERIFY((aligned.x == std::vector<double>{1.0, 2.0, 3.0}));
        QVERIFY((aligned.y[0] == std::vector<double>{10.0, 20.0, 30.0}));
        QCOMPARE(aligned.interpolated, std::size_t{1}); // b at 2
        QVERIFY(compareRel(aligned.y[1][1], 2.0, 1e-15));
        QCOMPARE(align({a, a}).interpolated, std::size_t{0});
        QVERIFY(align({a, Series{{5.0, 6.0}, {0.0, 0.0}}}).x.empty());
        QVERIFY(align({a, Series{}}).x.empty());
        QVERIFY(align({}).x.empty());
    }

    void smoothingHasACode() {
        for (const auto& [smoothing, code] :
             {std::pair(CurveSmoothing(), "none"), std::pair(CurveSmoothing{.beta = 0.95}, "ema 0.95"),
              std::pair(CurveSmoothing{.beta = 0.999}, "ema 0.999"), std::pair(CurveSmoothing{.half = 5}, "mean 5")}) {
            QCOMPARE(smoothingCode(smoothing), std::string(code));
            QVERIFY2(smoothingFromCode(code) == smoothing, code);
        }
        QVERIFY(smoothingFromCode("ema 0.95") == usualLossSmoothing);
        for (const char* code : {"", "ema", "ema 1", "ema -0.5", "ema 0.9x", "mean", "mean 0", "mean -1",
                                 "mean 1000001", "mean 9223372036854775807", "median 5"})
            QVERIFY2(!smoothingFromCode(code), code);
        const std::vector<double> y{1.0, 5.0, 3.0, 7.0};
        QVERIFY(sameBits(smoothed(y, {}), y));
        QVERIFY(sameBits(smoothed(y, {.beta = 0.5}), debiasedEma(y, 0.5)));
        QVERIFY(sameBits(smoothed(y, {.half = 1}), centredMean(y, 1)));
    }

    void bandsAgreeWithHand() {
        // 1, 2, 6: mean 3, SD sqrt(7), SE sqrt(7/3); t_.975 with 2 degrees of freedom 4.302652729749462 (SciPy 1.17).
        const Aligned curves{{10.0}, {{1.0}, {2.0}, {6.0}}, 0};
        const auto check = [&](BandKind kind, double lower, double upper) {
            const Band band = meanBand(curves, kind);
            return band.n == 3 && compareRel(band.mean[0], 3.0, 1e-14) && compareRel(band.lower[0], lower, 1e-11) &&
                   compareRel(band.upper[0], upper, 1e-11);
        };
        const double sd = std::sqrt(7.0);
        const double error = std::sqrt(7.0 / 3.0);
        QVERIFY(check(BandKind::MinMax, 1.0, 6.0));
        QVERIFY(check(BandKind::StandardDeviation, 3.0 - sd, 3.0 + sd));
        QVERIFY(check(BandKind::StandardError, 3.0 - error, 3.0 + error));
        QVERIFY(check(BandKind::Confidence95, 3.0 - 4.302652729749462 * error, 3.0 + 4.302652729749462 * error));
    }

    void oneCurveHasNoBandAndGapsSpread() {
        for (const BandKind kind :
             {BandKind::MinMax, BandKind::StandardDeviation, BandKind::StandardError, BandKind::Confidence95}) {
            const Band single = meanBand({{0.0}, {{2.5}}, 0}, kind);
            QVERIFY(compareAbs(single.lower[0], 2.5, 0.0) && compareAbs(single.upper[0], 2.5, 0.0));
            const Band broken = meanBand({{0.0, 1.0}, {{1.0, 2.0}, {1.0, gap}}, 0}, kind);
            QVERIFY(compareAbs(broken.mean[0], 1.0, 0.0));
            QVERIFY(std::isnan(broken.mean[1]) && std::isnan(broken.lower[1]) && std::isnan(broken.upper[1]));
        }
        QCOMPARE(meanBand({}, BandKind::MinMax).n, std::size_t{0});
    }

    void robustRangeLeavesOutSpikesOnly() {
        std::vector<double> y = noisyCurve(1000000).y; // between -0.1 and 1.1
        const RobustRange plain = robustRange(y);
        QCOMPARE(plain.above + plain.below, std::size_t{0});
        y[123456] = 40.0;
        y[700000] = gap;
        const RobustRange range = robustRange(y);
        QCOMPARE(range.above, std::size_t{1});
        QCOMPARE(range.below, std::size_t{0});
        QVERIFY(compareRel(range.upper, plain.upper, 1e-12) && compareRel(range.lower, plain.lower, 1e-12));
        QVERIFY(range.upper < 1.5 && range.lower > -0.5);
    }

    void robustRangeOfLittleData() {
        const RobustRange empty = robustRange({});
        QVERIFY(empty.lower < empty.upper);
        const std::array constant{0.01, 0.01, 0.01};
        const RobustRange flat = robustRange(constant);
        QVERIFY(compareRel(flat.lower, 0.009, 1e-12) && compareRel(flat.upper, 0.011, 1e-12));
        const std::array few{0.11, 0.95, 0.97}; // nothing is cut off a handful of points
        QCOMPARE(robustRange(few).below, std::size_t{0});
        QVERIFY(robustRange(few).lower < 0.11);
    }
};

QTEST_APPLESS_MAIN(TestSeries)
} // namespace test_series
#include "test_series.moc"
