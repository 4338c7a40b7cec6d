// SPDX-License-Identifier: GPL-3.0-or-later
// The few statistics an honest comparison needs. Pure functions; any thread.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace accumulus {

struct Moments {
    std::size_t n = 0;
    double mean = 0.0;
    double sd = 0.0; ///< with n - 1; 0 for n < 2
};
[[nodiscard]] Moments moments(std::span<const double> values);

/// P(T <= t) for Student's t with `df` degrees of freedom, by the regularised incomplete beta function.
[[nodiscard]] double studentCdf(double t, double df);
/// t with P(T <= t) = p, 0 < p < 1.
[[nodiscard]] double studentQuantile(double p, double df);

enum class Verdict { Equivalent, Different, DifferentWithinMargin, Inconclusive, NotEnoughSeeds };
[[nodiscard]] std::string verdictName(Verdict verdict);

/// Paired differences d_s = a_s - b_s judged against the margin: two one-sided tests at level alpha (equivalence) and the two-sided t test at alpha (difference).
/// With n < 3 the verdict is NotEnoughSeeds. Identical inputs (s_d = 0) are handled without division.
struct EquivalenceTest {
    std::size_t n = 0;
    double margin = 0.0, alpha = 0.05;
    double meanDifference = 0.0, sdDifference = 0.0, standardError = 0.0;
    double ci95Lower = 0.0, ci95Upper = 0.0; ///< for "different"
    double ci90Lower = 0.0, ci90Upper = 0.0; ///< inside (-margin, margin) exactly when equivalent
    double pEquivalence = 1.0;               ///< larger of the two one-sided p
    double pDifference = 1.0;                ///< two-sided paired t test
    double smallestMargin = 0.0;             ///< smallest margin that would have passed
    Verdict verdict = Verdict::NotEnoughSeeds;
};
[[nodiscard]] EquivalenceTest pairedEquivalence(std::span<const double> differences, double margin, double alpha = 0.05);

} // namespace accumulus
