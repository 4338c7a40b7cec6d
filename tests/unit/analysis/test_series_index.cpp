// SPDX-License-Identifier: GPL-3.0-or-later
// The index of a long curve answers as a walk over all its points does: for any range, with gaps and spikes, on linear
// and logarithmic axes, built at once or point by point.
#include "core/analysis/series_index.h"

#include <QTest>
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace test_series_index {
using namespace accumulus;

namespace {

constexpr std::size_t points = 20'011; // no multiple of any block
constexpr std::size_t columns = 150;

struct Case {
    const char* name;
    bool gaps, negative;
};
constexpr Case cases[]{{"plain", false, false}, {"gaps", true, false}, {"both signs", false, true}};

Series seriesOf(const Case& what) {
    std::mt19937 random(7);
    std::normal_distribution<double> noise(0.0, 0.1);
    Series series;
    for (std::size_t i = 0; i < points; ++i) {
        series.x.push_back(static_cast<double>(i + 1) + (i % 3 == 0 ? 0.25 : 0.0));
        double y = std::exp(noise(random)) - (what.negative ? 1.0 : 0.0);
        if (i == 4'711 || i == 15'000)
            y = 80.0;
        if (what.gaps && (i % 97 == 0 || (i > 9'000 && i < 9'400)))
            y = i % 2 == 0 ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
        series.y.push_back(y);
    }
    return series;
}

/// Ranges of indices: all, one point, inside one block, across blocks, the end.
const std::vector<std::pair<std::size_t, std::size_t>> ranges{
    {0, points}, {4'711, 4'712}, {2'100, 2'130}, {63, 4'097}, {8'990, 9'410}, {9'010, 9'390}, {19'900, points}, {5, 5}};

bool sameNumber(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }
bool same(const std::vector<double>& a, const std::vector<double>& b) { return std::ranges::equal(a, b, sameNumber); }

/// The visible values, as robustRange() takes them.
std::vector<double> valuesOf(const Series& series, std::size_t begin, std::size_t end, bool logY) {
    std::vector<double> values;
    for (std::size_t i = begin; i < end; ++i)
        if (std::isfinite(series.y[i]) && (!logY || series.y[i] > 0.0))
            values.push_back(logY ? std::log10(series.y[i]) : series.y[i]);
    return values;
}

ExtremesIndex indexOf(const Series& series) {
    ExtremesIndex index;
    index.update(series.y, 0);
    return index;
}

} // namespace

class TestSeriesIndex : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void extremesAreThoseOfAWalk() {
        for (const Case& what : cases) {
            const Series series = seriesOf(what);
            const ExtremesIndex index = indexOf(series);
            for (const auto& [begin, end] : ranges) {
                Extremes walked;
                for (std::size_t i = begin; i < end; ++i)
                    walked.add(series.y, i);
                QVERIFY2(index.of(series.y, begin, end) == walked, what.name);
            }
        }
    }

    void thinningKeepsTheSamePoints() {
        for (const Case& what : cases) {
            const Series series = seriesOf(what);
            const ExtremesIndex index = indexOf(series);
            for (const auto& [from, to] :
                 {std::pair(0.0, 30'000.0), std::pair(100.5, 19'000.0), std::pair(4'000.0, 8'000.0)}) {
                const Series walked = thinMinMax(series, from, to, columns);
                const Series found = thinMinMax(series, index, from, to, columns, false);
                QVERIFY(walked.size() > columns && walked.size() < points / 2);
                QVERIFY2(same(found.x, walked.x) && same(found.y, walked.y), what.name);
            }
        }
    }

    void columnsOfALogarithmicAxisAreEqualInLogX() {
        const Series series = seriesOf(cases[0]);
        Series logarithms = series;
        for (double& x : logarithms.x)
            x = std::log10(x);
        const Series walked = thinMinMax(logarithms, std::log10(2.0), std::log10(20'000.0), columns);
        const Series found = thinMinMax(series, indexOf(series), 2.0, 20'000.0, columns, true);
        QVERIFY(same(found.y, walked.y));
        QVERIFY(!same(found.y, thinMinMax(series, 2.0, 20'000.0, columns).y)); // linear columns keep others
    }

    void quantilesAreThoseOfAllValues() {
        for (const Case& what : cases) {
            const Series series = seriesOf(what);
            ValueIndex index;
            index.update(series.y);
            for (const auto& [begin, end] : ranges)
                for (const bool logY : {false, true}) {
                    const std::vector<double> values = valuesOf(series, begin, end, logY);
                    const RobustRange walked = robustRange(values);
                    const RobustRange found = index.robustRange(series.y, begin, end, logY);
                    QVERIFY2(sameNumber(found.lower, walked.lower) && sameNumber(found.upper, walked.upper) &&
                                 found.above == walked.above && found.below == walked.below,
                             qPrintable(QStringLiteral("%1, %2 to %3").arg(what.name).arg(begin).arg(end)));
                }
            QCOMPARE(index.robustRange(series.y, 0, points, false).above, std::size_t{2}); // the spikes
        }
    }

    void pointsOutsideAreCountedAndTheEndsInsideFound() {
        for (const Case& what : cases) {
            const Series series = seriesOf(what);
            ValueIndex index;
            index.update(series.y);
            constexpr double lower = 0.05, upper = 1.2;
            for (const auto& [begin, end] : ranges)
                for (const bool positiveOnly : {false, true}) {
                    ValueIndex::Outside walked;
                    std::vector<double> inside;
                    for (std::size_t i = begin; i < end; ++i) {
                        const double y = series.y[i];
                        walked.above += std::isfinite(y) && y > upper ? 1U : 0U;
                        walked.below += std::isfinite(y) && y < lower && (!positiveOnly || y > 0.0) ? 1U : 0U;
                        if (y >= lower && y <= upper)
                            inside.push_back(y);
                    }
                    QVERIFY2(index.outside(series.y, begin, end, lower, upper, positiveOnly) == walked, what.name);
                    const std::vector<double> ends = index.ends(series.y, begin, end, lower, upper);
                    QCOMPARE(ends.empty(), inside.empty());
                    if (!ends.empty())
                        QVERIFY(ends[0] == std::ranges::min(inside) && ends[1] == std::ranges::max(inside));
                }
        }
    }

    void whatGrowsAnswersAsWhatIsBuiltAtOnce() {
        const Series series = seriesOf(cases[1]);
        ExtremesIndex extremes;
        ValueIndex values;
        std::vector<double> grown;
        for (std::size_t i = 0; i < points; i += 37) {
            const std::size_t from = grown.size();
            grown.insert(grown.end(), series.y.begin() + static_cast<std::ptrdiff_t>(i),
                         series.y.begin() + static_cast<std::ptrdiff_t>(std::min(i + 37, points)));
            extremes.update(grown, from);
            values.update(grown);
        }
        for (const auto& [begin, end] : ranges) {
            QVERIFY(extremes.of(grown, begin, end) == indexOf(series).of(series.y, begin, end));
            QVERIFY(sameNumber(values.robustRange(grown, begin, end, false).upper,
                               robustRange(valuesOf(series, begin, end, false)).upper));
        }
        // Values that change near the end, as the means do which new points reach into.
        grown[points - 100] = 500.0;
        extremes.update(grown, points - 100);
        QCOMPARE(extremes.of(grown, 0, points).maximum, points - 100);
    }
};

QTEST_APPLESS_MAIN(TestSeriesIndex)
} // namespace test_series_index
#include "test_series_index.moc"
