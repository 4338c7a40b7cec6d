// SPDX-License-Identifier: GPL-3.0-or-later
// Averages and intervals of made-up estimates. That a window's own estimates are right:
// tests/unit/window/test_noise_scale_oracle.cpp.
#include "core/analysis/noise_words.h"

#include "core/analysis/statistics.h"
#include "tests/support/numeric.h"

#include <QTest>
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace test_noise_scale {
using namespace accumulus;
using accumulus::test::compareRel;

namespace {

/// `count` windows whose S and G2 are normal with correlation -0.7.
std::vector<NoiseTerms> drawn(std::mt19937_64& random, std::size_t count, double s, double sdS, double g2,
                              double sdG2) {
    std::normal_distribution<double> normal;
    std::vector<NoiseTerms> terms(count);
    for (NoiseTerms& one : terms) {
        const double x = normal(random);
        const double y = -0.7 * x + std::sqrt(1.0 - 0.49) * normal(random);
        one = {0, s + sdS * x, g2 + sdG2 * y};
    }
    return terms;
}

/// Share of 2000 experiments whose interval holds the true ratio. `pairing` false: the planted bug that forgets the
/// covariance.
double coverage(double g2, bool pairing) {
    std::mt19937_64 random(5);
    int held = 0;
    constexpr int repeats = 2000;
    for (int i = 0; i < repeats; ++i) {
        auto terms = drawn(random, 40, 29.0, 20.0, g2, 2.0);
        if (!pairing) {
            std::vector<NoiseTerms> moved = terms; // G2 of another window: the same two means and variances
            for (std::size_t k = 0; k < terms.size(); ++k)
                moved[k].g2 = terms[(k + 17) % terms.size()].g2;
            terms = moved;
        }
        const NoiseScale noise = estimateNoiseScale(terms);
        held += noise.identified && noise.lower <= 29.0 / g2 && 29.0 / g2 <= noise.upper ? 1 : 0;
    }
    return static_cast<double>(held) / repeats;
}

} // namespace

class TestNoiseScale : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void windowsWithoutAnEstimateAreLeftOut() {
        std::vector<WindowRecord> windows(5);
        windows[0].noiseS = 3.0; // no G2
        windows[1].noiseS = 3.0;
        windows[1].noiseG2 = -1.0;
        windows[1].samples = 64;
        windows[2].noiseS = 3.0;
        windows[2].noiseG2 = std::numeric_limits<double>::quiet_NaN();
        windows[3].noiseS = 3.0;
        windows[3].noiseG2 = 1.0;
        windows[3].nonfinite = true;
        QCOMPARE(noiseTerms(windows), (std::vector<NoiseTerms>{{64, 3.0, -1.0}}));
    }

    // beta = 1/2: averages are sums of powers of two, exact but for the one division.
    void numeratorAndDenominatorAreAveragedApart() {
        const std::vector<NoiseTerms> terms = {{0, 8.0, 1.0}, {0, 4.0, 3.0}, {0, 2.0, -9.0}, {0, 2.0, 9.0}};
        const auto series = noiseScaleSeries(terms, 0.5);
        QVERIFY(compareRel(*series[0], 8.0, 1e-15));
        QVERIFY(compareRel(*series[1], (8.0 + 2 * 4.0) / (1.0 + 2 * 3.0), 1e-15));
        QVERIFY(!series[2]); // 1 + 6 - 36 < 0
        QVERIFY(compareRel(*series[3], (8.0 + 8.0 + 8.0 + 16.0) / (1.0 + 6.0 - 36.0 + 72.0), 1e-15));
        const auto last = noiseScaleSeries(terms, 0.0); // the last window alone
        QVERIFY(compareRel(*last[3], 2.0 / 9.0, 1e-15));
        QVERIFY(noiseScaleSeries({}, 0.9).empty());
        // A constant is itself from the first window on: that is what the correction is for.
        for (const auto& value : noiseScaleSeries(std::vector<NoiseTerms>(50, {0, 58.0, 2.0}), 0.99))
            QVERIFY(compareRel(*value, 29.0, 1e-13)); // 50 windows, a few roundings each
    }

    // Nominal 95 %; 2000 experiments have a standard error of 0.5 %, so 2 % is four of them. The covariance matters:
    // without it too narrow.
    void theIntervalHoldsTheTruthAsOftenAsItSays() {
        for (const double g2 : {2.0, 4.0}) {
            const double held = coverage(g2, true);
            QVERIFY2(std::abs(held - 0.95) < 0.02, qPrintable(QString::number(held)));
            const double planted = coverage(g2, false);
            QVERIFY2(planted < 0.92, qPrintable(QString::number(planted)));
        }
    }

    // Where noise is small Fieller's interval is the delta method's: r +- t r sqrt(vS/S^2 + vG/G^2 - 2 cov/(S G)).
    void itIsTheDeltaMethodWhereNoiseIsSmall() {
        std::mt19937_64 random(11);
        const auto terms = drawn(random, 200, 29.0, 0.29, 1.0, 0.01);
        const NoiseScale noise = estimateNoiseScale(terms);
        double varS = 0.0, varG = 0.0, covariance = 0.0;
        for (const NoiseTerms& one : terms) {
            varS += std::pow(one.s - noise.meanS, 2) / (200.0 * 199.0);
            varG += std::pow(one.g2 - noise.meanG2, 2) / (200.0 * 199.0);
            covariance += (one.s - noise.meanS) * (one.g2 - noise.meanG2) / (200.0 * 199.0);
        }
        const double relative = std::sqrt(varS / std::pow(noise.meanS, 2) + varG / std::pow(noise.meanG2, 2) -
                                          2.0 * covariance / (noise.meanS * noise.meanG2));
        const double half = studentQuantile(0.975, 199.0) * *noise.value * relative;
        // They differ by the square of G2's relative error, 0.01 / sqrt(200) = 7e-4, times t: below 1 % of the width.
        QVERIFY(compareRel((noise.upper - noise.lower) / 2.0, half, 0.01));
        QVERIFY(compareRel((noise.upper + noise.lower) / 2.0, *noise.value, 1e-4));
    }

    void whatCannotBeToldFromZeroIsNotIdentified() {
        std::mt19937_64 random(3);
        int unbounded = 0;
        for (int i = 0; i < 200; ++i) {
            const auto terms = drawn(random, 30, 29.0, 20.0, 0.0, 2.0);
            const NoiseScale noise = estimateNoiseScale(terms);
            unbounded += noise.identified ? 0 : 1;
            // Exactly when G2's own interval leaves out 0.
            std::vector<double> g2;
            for (const NoiseTerms& one : terms)
                g2.push_back(one.g2);
            const Moments own = moments(g2);
            QCOMPARE(noise.identified, own.mean > studentQuantile(0.975, 29.0) * own.sd / std::sqrt(30.0));
        }
        QVERIFY(unbounded > 185); // 97.5 % of 200 in the mean, less four standard errors of 2.2
        const NoiseScale negative = estimateNoiseScale(std::vector<NoiseTerms>{{0, 3.0, -1.0}, {0, 3.0, -1.1}});
        QVERIFY(!negative.value && !negative.identified);
        QCOMPARE(noiseScaleWords(negative),
                 std::string("not identified (2 windows): the gradient's mean cannot be told from its noise"));
        QVERIFY(!estimateNoiseScale({}).value);
        const NoiseScale one = estimateNoiseScale(std::vector<NoiseTerms>{{0, 3.0, 1.0}});
        QVERIFY(one.value && !one.identified); // no spread, no interval
        QVERIFY(noiseScaleWords(one).starts_with("not identified (1 window)"));
    }

    void wordsAndMultipliers() {
        NoiseScale noise;
        noise.identified = true;
        noise.value = 29.1234;
        noise.lower = 27.6;
        noise.upper = 31.4;
        QCOMPARE(noiseScaleWords(noise, "tokens"),
                 std::string("about 29 tokens (95 %: 28 to 31), an order of magnitude"));
        QCOMPARE(
            messageText(*noiseCostMessage(noise, 256.0)),
            std::string("at B = 256: 9.8 times the fewest possible samples, 1.1 times the fewest possible updates"));
        QCOMPARE(noiseAdviceWords(noise, 16.0, "tokens"),
                 std::string("This batch is a good compromise between data and updates. The gradient noise scale is "
                             "about 29 tokens (95 %: 28 to 31), an order of magnitude; at B = 16 tokens: 1.5 times the "
                             "fewest possible tokens, 2.8 times the fewest possible updates."));
        QCOMPARE(messageText(noiseHintMessage(noise, 14.0)),
                 std::string("A larger batch would still save updates and cost little more data: the gradient noise "
                             "scale is roughly 29 samples, and B is 14."));
        QVERIFY(messageText(noiseHintMessage(noise, 256.0, "tokens")).starts_with("A smaller batch would need"));
        QCOMPARE(noiseNumber(1234567.0), std::string("1200000"));
        QCOMPARE(noiseNumber(99.6), std::string("100"));
        QCOMPARE(noiseNumber(0.0123), std::string("0.012"));
        noise.identified = false;
        noise.windows = 3;
        QVERIFY(!noiseCostMessage(noise, 256.0));
        QCOMPARE(noiseAdviceWords(noise, 256.0),
                 std::string("Not identified (3 windows): the gradient's mean cannot be told from its noise."));
        QVERIFY(compareRel(samplesMultiplier(256.0, 64.0), 5.0, 1e-15));
        QVERIFY(compareRel(updatesMultiplier(256.0, 64.0), 1.25, 1e-15));
    }

    void theAverageIsTheSeriesWindowByWindow() {
        std::mt19937_64 random(11);
        const auto terms = drawn(random, 200, 29.0, 20.0, 1.0, 2.0);
        const auto series = noiseScaleSeries(terms, noiseScaleBeta);
        NoiseScaleAverage average(noiseScaleBeta);
        // Independent: the weighted means written out. 200 additions of rounded terms: 200 x 1.1e-16 with some room for
        // the cancellation in G2's sum, whose terms are at most ten times its value once it is away from 0.
        for (std::size_t i = 0; i < terms.size(); ++i) {
            const auto value = average.add(terms[i].s, terms[i].g2);
            QVERIFY(value == series[i]);
            double s = 0.0;
            double g2 = 0.0;
            for (std::size_t k = 0; k <= i; ++k) {
                const double weight = std::pow(noiseScaleBeta, static_cast<double>(i - k));
                s += weight * terms[k].s;
                g2 += weight * terms[k].g2;
            }
            if (g2 > 0.5)
                QVERIFY(value && compareRel(*value, s / g2, 1e-11));
        }
    }

    // 1000 windows in 20 parts whose ratios are 10, 20, ..., 200; the gradients of the last ten parts are small, and
    // yet each part counts alike.
    void theCourseOfARunIsToldByItsParts() {
        std::vector<NoiseTerms> terms(1000);
        for (std::size_t i = 0; i < terms.size(); ++i) {
            const std::size_t part = i / 50;
            const double scale = part < 10 ? 1.0 : 0.01;
            terms[i] = {static_cast<std::int64_t>(i), scale * 10.0 * static_cast<double>(part + 1),
                        scale * (i % 2 == 0 ? 0.9 : 1.1)};
        }
        const NoiseCourse course = noiseCourse(terms);
        QCOMPARE(course.start.windows, std::size_t{20});
        QVERIFY(compareRel(*course.start.value, 10.0, 1e-12));
        QCOMPARE(course.parts, std::size_t{20});
        QVERIFY(compareRel(*course.average, 105.0, 1e-12)); // 10 (1 + ... + 20) / 20
        QVERIFY(compareRel(course.least, 10.0, 1e-12) && compareRel(course.most, 200.0, 1e-12));
        QVERIFY(*estimateNoiseScale(terms).value < 60.0); // the ratio over all windows is something else
        for (NoiseTerms& one : terms)
            one.g2 = -1.0;
        QVERIFY(!noiseCourse(terms).average && noiseCourse(terms).parts == 0);
        QVERIFY(!noiseCourse({}).average && noiseCourse({}).start.windows == 0);
    }

    // Second halves of all runs, each window alike.
    void runsArePooledByTheirSecondHalves() {
        RunNoise a;
        RunNoise b;
        for (int i = 0; i < 40; ++i) {
            const double g2 = i % 2 == 0 ? 0.9 : 1.1;
            a.terms.push_back({i, i < 20 ? 1.0 : 100.0, g2});
            b.terms.push_back({i, i < 20 ? 1.0 : 300.0, g2});
        }
        const std::vector<const RunNoise*> both{&a, &b};
        const NoiseScale pooled = pooledNoiseScale(both);
        QCOMPARE(pooled.windows, std::size_t{40});
        QVERIFY(compareRel(*pooled.value, 200.0, 1e-12));
    }

    void theEndSaysMoreThanTheWhole() {
        std::vector<NoiseTerms> terms(100);
        for (std::size_t i = 0; i < terms.size(); ++i) // B_simple grows from 10 to 1000
            terms[i] = {static_cast<std::int64_t>(i), i < 50 ? 10.0 : 1000.0, i % 2 == 0 ? 0.9 : 1.1};
        const NoiseScale recent = recentNoiseScale(terms);
        QCOMPARE(recent.windows, std::size_t{50});
        QVERIFY(compareRel(*recent.value, 1000.0, 1e-12));
        QVERIFY(*estimateNoiseScale(terms).value < 600.0);
        RunConfig text;
        text.data.dataset = "tinyshakespeare";
        QCOMPARE(lossUnit(text), std::string("samples")); // the mean over samples, each the mean over its tokens
        text.loss.normalise = Normalise::Tokens;
        QCOMPARE(lossUnit(text), std::string("tokens"));
        QCOMPARE(lossUnit(RunConfig{}), std::string("samples"));
        RunConfig weighted; // a sample of a class with weight 3 counts as three
        weighted.loss.classWeights = {1.0, 3.0};
        QCOMPARE(lossUnit(weighted), std::string("units"));
        RunConfig numbers; // each of a sample's targets counts
        numbers.data.dataset = "tensors";
        QCOMPARE(lossUnit(numbers), std::string("samples"));
        numbers.loss.normalise = Normalise::Tokens;
        QCOMPARE(lossUnit(numbers), std::string("units"));
        NoiseScale noise;
        noise.identified = true;
        noise.value = 40.0;
        noise.lower = 20.0;
        noise.upper = 80.0;
        QVERIFY2(noiseAdviceWords(noise, 64.0, "units").find("noise scale is about 40 loss units (95 %: 20 to 80)") !=
                     std::string::npos,
                 noiseAdviceWords(noise, 64.0, "units").c_str());
    }
};

QTEST_APPLESS_MAIN(TestNoiseScale)
} // namespace test_noise_scale
#include "test_noise_scale.moc"
