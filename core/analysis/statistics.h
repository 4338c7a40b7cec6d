// SPDX-License-Identifier: GPL-3.0-or-later
// The few statistics an honest comparison needs. Pure functions; any thread.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace accumulus {

struct Moments {
    std::size_t n = 0;
    double mean = 0.0;
    double sd = 0.0; ///< with n - 1; 0 for n < 2
};
[[nodiscard]] Moments moments(std::span<const double> values);

/// P(T <= t) for Student's t with `df` degrees of freedom, by the regularised incomplete beta function (Boost.Math).
/// NaN for df <= 0.
[[nodiscard]] double studentCdf(double t, double df);
/// t with P(T <= t) = p; NaN unless 0 < p < 1 and df > 0.
[[nodiscard]] double studentQuantile(double p, double df);

// WithinMarginOtherMethod: the numbers of an equivalence, but BatchNorm makes the groups different methods by design.
// pairedEquivalence never gives it, compareGroups does.
enum class Verdict {
    Equivalent,
    Different,
    DifferentWithinMargin,
    Inconclusive,
    NotEnoughSeeds,
    WithinMarginOtherMethod
};
/// "equivalent", "different", "different-within-margin", "inconclusive", "not-enough-seeds",
/// "within-margin-other-method".
[[nodiscard]] std::string verdictName(Verdict verdict);
/// Code of the words for people in the message catalogue, to be filled in with {margin}, {unit}, {n} pairs and
/// {needed}.
[[nodiscard]] const char* verdictCode(Verdict verdict);
inline constexpr std::size_t pairsForVerdict = 3;
/// Of `n` pairs by the two p values. That a difference is not significant says nothing in favour of equivalence.
[[nodiscard]] Verdict verdictOf(std::size_t n, double pEquivalence, double pDifference, double alpha);

/// p values that are judged together, adjusted by Holm's step-down method: with all of them compared with alpha, the
/// chance of any false claim among them is at most alpha, whatever their dependence. The i-th smallest of m becomes the
/// largest of (m - j + 1) p_j over j <= i, at most 1. In the order given.
[[nodiscard]] std::vector<double> holmAdjusted(std::span<const double> p);

/// Paired differences d_s = a_s - b_s judged against the margin: two one-sided tests at level alpha (equivalence) and
/// the two-sided t test at alpha (difference). With n < 3 the verdict is NotEnoughSeeds; with n < 2 there is no spread:
/// intervals are infinite, p = 1. Identical inputs (s_d = 0) are handled without division: then only the side of zero
/// or of the margin on which the mean lies counts. `step`: by which the values compared can differ at least; 0: not
/// known. A value that is known to a step lies anywhere within half of one: a standard deviation of step / sqrt(12), so
/// the standard error is never less than step / sqrt(12 n).
struct EquivalenceTest {
    std::size_t n = 0;
    double margin = 0.0, alpha = 0.05;
    double meanDifference = 0.0, sdDifference = 0.0, standardError = 0.0;
    double ci95Lower = 0.0, ci95Upper = 0.0; ///< 1 - alpha: 0 is outside exactly when different
    double ci90Lower = 0.0, ci90Upper = 0.0; ///< 1 - 2 alpha: inside (-margin, margin) exactly when equivalent
    double pEquivalence = 1.0;               ///< larger of the two one-sided p
    double pDifference = 1.0;                ///< two-sided paired t test
    double smallestMargin = 0.0;             ///< smallest margin that would have passed
    double step = 0.0;
    Verdict verdict = Verdict::NotEnoughSeeds;
};
[[nodiscard]] EquivalenceTest pairedEquivalence(std::span<const double> differences, double margin, double alpha = 0.05,
                                                double step = 0.0);

} // namespace accumulus
