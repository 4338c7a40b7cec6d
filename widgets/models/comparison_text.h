// SPDX-License-Identifier: GPL-3.0-or-later
// The words and numbers of a comparison in the workbench's language, from the values of core/analysis. Pure functions;
// GUI thread.
#pragma once

#include "core/analysis/compare_family.h"

#include <QString>
#include <QStringList>
#include <utility>

namespace accumulus::ui::comparison_text {

[[nodiscard]] QString metricTitle(CompareMetric metric); ///< "Final test accuracy"
/// What one unit of the metric is shown as: 100 for accuracies (per cent and points), 1 for losses.
[[nodiscard]] QString curveTitle(CompareMetric metric); ///< "Test accuracy"
[[nodiscard]] QString curveAxis(CompareMetric metric);  ///< "test accuracy (%)"
[[nodiscard]] double unitFactor(CompareMetric metric);
[[nodiscard]] QString differenceUnit(CompareMetric metric);      ///< "points", or nothing for a loss
[[nodiscard]] QString value(CompareMetric metric, double value); ///< "98.71 %", "0.0431"
/// With the name where it is no share: "98.71 %", "RMSE 0.0431", "–". NaN is shown, an empty value is not measured.
[[nodiscard]] QString result(CompareMetric metric, std::optional<double> value);
[[nodiscard]] QString difference(CompareMetric metric, double value); ///< "+0.312 points", "−0.0021"
[[nodiscard]] QString magnitude(CompareMetric metric, double value);  ///< "0.5 points": without sign
[[nodiscard]] QString number(CompareMetric metric, double value);     ///< "0.5": without sign and unit
[[nodiscard]] QString margin(CompareMetric metric, double value);     ///< "0.5 points", with the digits of a headline

/// Both as margin(), with as many more digits as tell one from the other.
[[nodiscard]] std::pair<QString, QString> differingMargins(CompareMetric metric, double a, double b);

/// "−0.1 to +0.3 points".
[[nodiscard]] QString interval(CompareMetric metric, double lower, double upper);

[[nodiscard]] QString verdictTitle(Verdict verdict); ///< "Equivalent": the word without its numbers
[[nodiscard]] QString axisTitle(CurveAxis axis);     ///< "Samples", as in a list
[[nodiscard]] QString axisLabel(CurveAxis axis);     ///< "samples seen", with the unit, beside an axis
/// "Equivalent within ±0.5 points"; of several metrics with that of the verdict: "Final test accuracy: Equivalent ...".
[[nodiscard]] QString headline(const Comparison& comparison);
/// Of each metric that is judged together with it: "Final test loss: Inconclusive (margin ±0.0007)".
[[nodiscard]] QStringList otherVerdicts(const Comparison& comparison);
/// The numbers behind the word and what they mean. `a` and `b` are the titles of the groups.
[[nodiscard]] QString sentence(const Comparison& comparison, const QString& a, const QString& b);
/// "Smallest margin that would pass: 0.1 points. · Spread between seeds (SD): 0.16 points · 95 % interval: ..."; first
/// of all what stepNote() says.
[[nodiscard]] QString scale(const Comparison& comparison);
/// Why lying inside the margin shows no equivalence, where a step of the metric is larger than the margin; else empty.
[[nodiscard]] QString stepNote(const Comparison& comparison);
[[nodiscard]] QString stepNote(const FamilyComparison& family); ///< of the first pair that has one

[[nodiscard]] QString capitalised(QString text);                         ///< for the start of a sentence
[[nodiscard]] QString groupTitle(const std::vector<ComparedRun>& group); ///< "accumulated 32 × 8"
[[nodiscard]] QString groupLetter(std::size_t group);                    ///< "A", "B", ...
/// The same; where there are more than two groups, which may look alike, with the letter: "C (accumulated 32 × 8)".
[[nodiscard]] QString groupTitle(const ComparisonInput& input, std::size_t group);

/// How a group and the reference are called.
struct PairNames {
    QString letterA = QStringLiteral("A"), letterB = QStringLiteral("B");
    QString titleA{}, titleB{};               ///< in sentences: as groupTitle() of the input
    QString headA{}, headB{};                 ///< over columns: "A: accumulated 32 × 8"
    [[nodiscard]] QString difference() const; ///< "C − B"
};
[[nodiscard]] PairNames pairNames(const ComparisonInput& input, std::size_t group);

[[nodiscard]] QString bandTitle(BandKind kind, std::size_t n); ///< "minimum to maximum, n = 5"

} // namespace accumulus::ui::comparison_text
