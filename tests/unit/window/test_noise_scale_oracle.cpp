// SPDX-License-Identifier: GPL-3.0-or-later
// The noise scale out of real windows, against a problem whose noise scale is known: x ~ N(0, I_d), y = x.w* + s e,
// loss (x.w - y)^2 / 2. With delta = w - w* a sample's gradient is (x.delta - s e) x, |G|^2 = |delta|^2, tr Sigma = (d
// + 1)|delta|^2 + d s^2, so B_simple = (d + 1) + d s^2 / |delta|^2.
#include "core/analysis/noise_scale.h"
#include "core/window/gradient_window.h"
#include "tests/support/numeric.h"
#include "tests/support/windows.h"

#include <ATen/ATen.h>
#include <QTest>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace test_noise_scale_oracle {
using namespace accumulus;
using accumulus::test::compareRel;

namespace {

constexpr std::int64_t dimension = 20;
constexpr double noiseOfTargets = 0.7;
constexpr double squaredDistance = 1.224;
constexpr double traceSigma = (dimension + 1) * squaredDistance + dimension * noiseOfTargets * noiseOfTargets; // 35.504
constexpr double noiseScale = traceSigma / squaredDistance;                                                    // 29.006
constexpr std::size_t windowCount = 20000;

/// Sum of the gradients of `n` samples at fixed weights.
class LeastSquares {
public:
    MicroGradient micro(std::int64_t n) {
        MicroGradient result;
        result.units = static_cast<double>(n);
        result.gradients = {at::zeros({dimension}, at::kDouble)};
        double* sum = result.gradients[0].mutable_data_ptr<double>();
        for (std::int64_t i = 0; i < n; ++i) {
            double projection = 0.0;
            for (double& x : m_x) {
                x = m_normal(m_random);
                projection += x * m_component;
            }
            const double residual = projection - noiseOfTargets * m_normal(m_random);
            for (std::size_t k = 0; k < m_x.size(); ++k)
                sum[k] += residual * m_x[k];
            result.lossSum += residual * residual / 2.0;
        }
        return result;
    }

private:
    std::mt19937_64 m_random{20240607};
    std::normal_distribution<double> m_normal;
    std::array<double, dimension> m_x{};
    double m_component = std::sqrt(squaredDistance / dimension); ///< of delta, each
};

std::vector<NoiseTerms> windowsOf(LeastSquares& problem, const std::vector<std::int64_t>& sizes, std::size_t count,
                                  Normalise normalise, PlantedBug bug) {
    const ParameterLayout layout({{"w", {dimension}, 1, false}});
    GradientWindow window = test::hostWindow(layout, at::kDouble, {.normalise = normalise, .bug = bug});
    std::vector<WindowRecord> records(count);
    for (WindowRecord& record : records) {
        for (const std::int64_t n : sizes)
            window.commit(problem.micro(n));
        const WindowGradient gradient = window.close();
        window.clear();
        record.noiseS = gradient.noiseS;
        record.noiseG2 = gradient.noiseG2;
    }
    return noiseTerms(records);
}

std::vector<NoiseTerms> windows(const std::vector<std::int64_t>& sizes, std::size_t count = windowCount,
                                Normalise normalise = Normalise::Samples, PlantedBug bug = PlantedBug::None) {
    LeastSquares problem;
    return windowsOf(problem, sizes, count, normalise, bug);
}

bool holdsTheTruth(const std::vector<NoiseTerms>& terms) {
    const NoiseScale noise = estimateNoiseScale(terms);
    return noise.identified && noise.lower <= noiseScale && noiseScale <= noise.upper;
}

/// In how many studies of 100 windows the interval holds the problem's noise scale.
struct Coverage {
    int held = 0;
    int withoutCovariance = 0; ///< G2 comes from the next window: the same means and variances, no covariance
};
Coverage coverage(int studies, PlantedBug bug) {
    LeastSquares problem;
    Coverage coverage;
    for (int i = 0; i < studies; ++i) {
        auto terms = windowsOf(problem, {1, 1, 30}, 100, Normalise::Samples, bug);
        coverage.held += holdsTheTruth(terms) ? 1 : 0;
        const double first = terms.front().g2;
        for (std::size_t k = 0; k + 1 < terms.size(); ++k)
            terms[k].g2 = terms[k + 1].g2;
        terms.back().g2 = first;
        coverage.withoutCovariance += holdsTheTruth(terms) ? 1 : 0;
    }
    return coverage;
}

} // namespace

class TestNoiseScaleOracle : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void plainAveragesFindTheNoiseScale_data() {
        QTest::addColumn<std::vector<std::int64_t>>("sizes");
        QTest::newRow("equal") << std::vector<std::int64_t>(4, 8);
        QTest::newRow("unequal") << std::vector<std::int64_t>{4, 12, 16};
        QTest::newRow("ragged last, one empty") << std::vector<std::int64_t>{10, 10, 0, 10, 4};
    }
    // Over 20 000 windows of N >= 32 the ratio has a standard error of 0.2 to 0.4 %: 2 % is five of the largest.
    void plainAveragesFindTheNoiseScale() {
        QFETCH(std::vector<std::int64_t>, sizes);
        const auto terms = windows(sizes);
        QCOMPARE(terms.size(), windowCount);
        const NoiseScale noise = estimateNoiseScale(terms);
        QVERIFY(compareRel(noise.meanS, traceSigma, 0.02));
        QVERIFY(compareRel(noise.meanG2, squaredDistance, 0.02));
        QVERIFY2(compareRel(*noise.value, noiseScale, 0.02), qPrintable(QString::number(*noise.value)));
        QVERIFY(noise.identified && noise.lower < noise.upper);
        // The interval is as wide as that standard error says: 2 x 1.96 x 0.2 to 0.4 %, with some room.
        const double width = (noise.upper - noise.lower) / *noise.value;
        QVERIFY2(width > 0.004 && width < 0.03, qPrintable(QString::number(width)));
        // A long moving average is a plain average of about (1 + beta) / (1 - beta) = 2000 windows: sqrt(10) times the
        // error.
        QVERIFY(compareRel(*noiseScaleSeries(terms, 0.999).back(), noiseScale, 0.06));
    }

    // The planted bug: averaging each window's own ratio. G2 of one window is as often near 0, or below, as near
    // |G|^2.
    void averagedRatiosAreFarOff() {
        const auto terms = windows(std::vector<std::int64_t>(4, 8));
        double sum = 0.0;
        for (const NoiseTerms& one : terms)
            sum += one.s / one.g2;
        const double mean = sum / static_cast<double>(windowCount);
        QVERIFY2(!compareRel(mean, noiseScale, 0.2), qPrintable(QString::number(mean)));
        std::vector<double> ratios; // and so is their median: no matter of a few outliers
        for (const NoiseTerms& one : terms)
            ratios.push_back(one.s / one.g2);
        std::ranges::nth_element(ratios, ratios.begin() + windowCount / 2);
        QVERIFY2(!compareRel(ratios[windowCount / 2], noiseScale, 0.05),
                 qPrintable(QString::number(ratios[windowCount / 2])));
    }

    // The planted bug: micro-batches of 4, 12 and 16 samples count alike. tr Sigma comes out as 32 (1/4 + 1/12 + 1/16)
    // / 3
    // - 1, halved: 1.6 of what it is.
    void unequalMicroBatchesAreWeighted() {
        const auto terms = windows({4, 12, 16}, windowCount, Normalise::Samples, PlantedBug::NoiseUnweighted);
        QVERIFY(compareRel(estimateNoiseScale(terms).meanS, 1.61 * traceSigma, 0.02));
    }

    // 1 000 studies of 100 windows: G2's mean is about six of its standard errors from 0, so practically all are
    // identified. An interval that covers 95 % is right in 950 of them, with a binomial standard deviation of
    // sqrt(1000 x 0.95 x 0.05) = 6.9: 930 to 970 is 2.9 of these. Micro-batches of 1, 1 and 30 samples correlate S and
    // G2 by -0.7; without their covariance the interval is too narrow (NumPy: 87 %, eight standard deviations below).
    void theIntervalCoversTheTruthInNineteenOfTwentyStudies() {
        const Coverage right = coverage(1000, PlantedBug::None);
        QVERIFY2(right.held >= 930 && right.held <= 970, qPrintable(QString::number(right.held)));
        QVERIFY2(right.withoutCovariance < 930, qPrintable(QString::number(right.withoutCovariance)));
        const Coverage unweighted = coverage(100, PlantedBug::NoiseUnweighted);
        QVERIFY2(unweighted.held < 80, qPrintable(QString::number(unweighted.held)));
    }

    void withoutTwoMicroBatchesThereIsNoEstimate() {
        QVERIFY(windows({32}, 10).empty());
        QVERIFY(windows({32, 0}, 10).empty());
        QVERIFY(windows({16, 16}, 10, Normalise::MeanOfMeans).empty()); // not the mean over samples
    }
};

QTEST_APPLESS_MAIN(TestNoiseScaleOracle)
} // namespace test_noise_scale_oracle
#include "test_noise_scale_oracle.moc"
