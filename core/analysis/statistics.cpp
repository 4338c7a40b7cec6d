// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/statistics.h"

#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace accumulus {
namespace {

namespace policies = boost::math::policies;
// Out-of-range arguments give NaN or infinity instead of an exception.
using QuietPolicy =
    policies::policy<policies::domain_error<policies::ignore_error>, policies::overflow_error<policies::ignore_error>,
                     policies::pole_error<policies::ignore_error>>;
using StudentT = boost::math::students_t_distribution<double, QuietPolicy>;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

/// P(T >= distance / error). Without spread (error = 0) only the side of zero counts: the limit of an ever smaller
/// spread.
double upperTail(double distance, double error, double df) {
    if (error > 0.0)
        return studentCdf(-distance / error, df);
    return distance > 0.0 ? 0.0 : (distance < 0.0 ? 1.0 : 0.5);
}

} // namespace

Moments moments(std::span<const double> values) {
    Moments result{values.size(), 0.0, 0.0};
    if (values.empty())
        return result;
    // Relative to the first value, so that equal values have a standard deviation of exactly 0.
    const double origin = values.front();
    const auto count = static_cast<double>(values.size());
    double shift = 0.0;
    for (const double value : values)
        shift += value - origin;
    shift /= count;
    result.mean = origin + shift;
    if (values.size() < 2)
        return result;
    double squares = 0.0;
    for (const double value : values) {
        const double deviation = (value - origin) - shift;
        squares += deviation * deviation;
    }
    result.sd = std::sqrt(squares / (count - 1.0));
    return result;
}

double studentCdf(double t, double df) {
    if (std::isnan(t) || !(df > 0.0))
        return notANumber;
    if (std::isinf(t))
        return t > 0.0 ? 1.0 : 0.0;
    return boost::math::cdf(StudentT(df), t);
}

double studentQuantile(double p, double df) {
    if (!(p > 0.0 && p < 1.0) || !(df > 0.0))
        return notANumber;
    return boost::math::quantile(StudentT(df), p);
}

std::string verdictName(Verdict verdict) {
    switch (verdict) {
    case Verdict::Equivalent:
        return "equivalent";
    case Verdict::Different:
        return "different";
    case Verdict::DifferentWithinMargin:
        return "different-within-margin";
    case Verdict::Inconclusive:
        return "inconclusive";
    case Verdict::WithinMarginOtherMethod:
        return "within-margin-other-method";
    case Verdict::NotEnoughSeeds:
        break;
    }
    return "not-enough-seeds";
}

const char* verdictCode(Verdict verdict) {
    switch (verdict) {
    case Verdict::Equivalent:
        return "verdict.equivalent";
    case Verdict::Different:
        return "verdict.different";
    case Verdict::DifferentWithinMargin:
        return "verdict.different-within";
    case Verdict::Inconclusive:
        return "verdict.inconclusive";
    case Verdict::WithinMarginOtherMethod:
        return "verdict.other-method";
    case Verdict::NotEnoughSeeds:
        break;
    }
    return "verdict.few-seeds";
}

Verdict verdictOf(std::size_t n, double pEquivalence, double pDifference, double alpha) {
    if (n < pairsForVerdict)
        return Verdict::NotEnoughSeeds;
    const bool equivalent = pEquivalence < alpha;
    const bool different = pDifference < alpha;
    if (equivalent)
        return different ? Verdict::DifferentWithinMargin : Verdict::Equivalent;
    return different ? Verdict::Different : Verdict::Inconclusive;
}

std::vector<double> holmAdjusted(std::span<const double> p) {
    std::vector<std::size_t> ascending(p.size());
    std::iota(ascending.begin(), ascending.end(), std::size_t{0});
    std::stable_sort(ascending.begin(), ascending.end(), [&p](std::size_t a, std::size_t b) { return p[a] < p[b]; });
    std::vector<double> adjusted(p.size());
    double largest = 0.0;
    for (std::size_t i = 0; i < ascending.size(); ++i) {
        largest = std::max(largest, static_cast<double>(p.size() - i) * p[ascending[i]]);
        adjusted[ascending[i]] = std::min(1.0, largest);
    }
    return adjusted;
}

EquivalenceTest pairedEquivalence(std::span<const double> differences, double margin, double alpha, double step) {
    EquivalenceTest test;
    test.n = differences.size();
    test.margin = margin;
    test.alpha = alpha;
    test.step = step;
    const Moments spread = moments(differences);
    test.meanDifference = spread.mean;
    test.sdDifference = spread.sd;
    if (test.n < 2) { // one value says nothing about the spread
        test.standardError = test.smallestMargin = infinity;
        test.ci90Lower = test.ci95Lower = -infinity;
        test.ci90Upper = test.ci95Upper = infinity;
        return test;
    }
    const auto df = static_cast<double>(test.n - 1);
    // Differences that agree to the step are no proof that they have no spread: rounding to a step, uniform over it,
    // has a variance of step^2 / 12.
    const double error = std::max(spread.sd, step / std::sqrt(12.0)) / std::sqrt(static_cast<double>(test.n));
    test.standardError = error;
    const double oneSided = studentQuantile(1.0 - alpha, df) * error;
    const double twoSided = studentQuantile(1.0 - alpha / 2.0, df) * error;
    test.ci90Lower = spread.mean - oneSided;
    test.ci90Upper = spread.mean + oneSided;
    test.ci95Lower = spread.mean - twoSided;
    test.ci95Upper = spread.mean + twoSided;
    test.pEquivalence =
        std::max(upperTail(spread.mean + margin, error, df), upperTail(margin - spread.mean, error, df));
    test.pDifference = std::min(1.0, 2.0 * upperTail(std::abs(spread.mean), error, df));
    test.smallestMargin = std::max(std::abs(test.ci90Lower), std::abs(test.ci90Upper));
    test.verdict = verdictOf(test.n, test.pEquivalence, test.pDifference, test.alpha);
    return test;
}

} // namespace accumulus
