// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/comparison_text.h"

#include "core/config/batch_plan.h"
#include "widgets/style/format.h"

#include <QCoreApplication>
#include <cmath>

namespace accumulus::ui::comparison_text {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(accumulus::ui::comparison_text)
};

constexpr int kDigits = 3;
constexpr int kMarginDigits = 4;
constexpr int kAllDigits = 15; ///< that a number holds

bool isAccuracy(CompareMetric metric) { return metricUnit(metric).factor != 1.0; }

QString withUnit(CompareMetric metric, const QString& number) {
    const QString unit = differenceUnit(metric);
    return unit.isEmpty() ? number : number + QChar(0x00A0) + unit;
}

/// Without sign.
QString withDigits(CompareMetric metric, double value, int digits) {
    return withUnit(metric, format::number(std::abs(value) * unitFactor(metric), digits));
}

QString signedNumber(CompareMetric metric, double value) {
    const QString digits = number(metric, value);
    if (value == 0.0)
        return digits;
    return (value < 0.0 ? QChar(0x2212) : QLatin1Char('+')) + digits;
}

} // namespace

QString metricTitle(CompareMetric metric) { return capitalised(format::message({metricCode(metric), {}})); }

QString curveTitle(CompareMetric metric) { return capitalised(format::message({curveCode(metric), {}})); }

QString curveAxis(CompareMetric metric) {
    const QString title = format::message({curveCode(metric), {}});
    return metricRow(metric).isShare ? Words::tr("%1 (%)", "axis of a metric").arg(title) : title;
}

double unitFactor(CompareMetric metric) { return metricUnit(metric).factor; }

QString differenceUnit(CompareMetric metric) {
    const std::string code = metricUnit(metric).differenceCode;
    return code.empty() ? QString() : format::message({code, {}}).trimmed();
}

QString value(CompareMetric metric, double value) {
    return isAccuracy(metric) ? format::accuracy(value) : format::loss(value);
}

QString result(CompareMetric metric, std::optional<double> value) {
    if (metricRow(metric).isShare || !value)
        return format::accuracy(value);
    const QString name = metric == CompareMetric::TestRmse  ? QStringLiteral("RMSE")
                         : metric == CompareMetric::TestMae ? QStringLiteral("MAE")
                                                            : Words::tr("loss");
    return name + QChar(0x00A0) + format::loss(value);
}

QString difference(CompareMetric metric, double value) { return withUnit(metric, signedNumber(metric, value)); }

QString magnitude(CompareMetric metric, double value) { return withUnit(metric, number(metric, value)); }

QString number(CompareMetric metric, double value) {
    return format::number(std::abs(value) * unitFactor(metric), kDigits);
}

QString margin(CompareMetric metric, double value) { return withDigits(metric, value, kMarginDigits); }

std::pair<QString, QString> differingMargins(CompareMetric metric, double a, double b) {
    for (int digits = kMarginDigits;; ++digits) {
        const std::pair texts{withDigits(metric, a, digits), withDigits(metric, b, digits)};
        if (texts.first != texts.second || digits >= kAllDigits)
            return texts;
    }
}

QString interval(CompareMetric metric, double lower, double upper) {
    return Words::tr("%1 to %2", "an interval").arg(signedNumber(metric, lower), difference(metric, upper));
}

QString verdictTitle(Verdict verdict) {
    switch (verdict) {
    case Verdict::Equivalent:
        return Words::tr("Equivalent");
    case Verdict::Different:
        return Words::tr("Different");
    case Verdict::DifferentWithinMargin:
        return Words::tr("Different, but within the margin");
    case Verdict::WithinMarginOtherMethod:
        return Words::tr("Within the margin, but not the same method");
    case Verdict::Inconclusive:
        return Words::tr("Inconclusive");
    case Verdict::NotEnoughSeeds:
        break;
    }
    return Words::tr("Not enough seeds");
}

QString axisTitle(CurveAxis axis) {
    switch (axis) {
    case CurveAxis::Updates:
        return Words::tr("Updates");
    case CurveAxis::Epochs:
        return Words::tr("Epochs");
    case CurveAxis::WallTime:
        return Words::tr("Wall time");
    case CurveAxis::ActiveTime:
        return Words::tr("Active time");
    case CurveAxis::Samples:
        break;
    }
    return Words::tr("Samples");
}

QString axisLabel(CurveAxis axis) {
    switch (axis) {
    case CurveAxis::Updates:
        return Words::tr("updates");
    case CurveAxis::Epochs:
        return Words::tr("epochs");
    case CurveAxis::WallTime:
        return Words::tr("wall time (s)");
    case CurveAxis::ActiveTime:
        return Words::tr("active time (s)");
    case CurveAxis::Samples:
        break;
    }
    return Words::tr("samples seen");
}

QString headline(const Comparison& comparison) {
    const QString verdict = format::message(comparison.headline);
    return comparison.together.empty() ? verdict
                                       : Words::tr("%1: %2", "metric, its verdict")
                                             .arg(comparison_text::metricTitle(comparison.metric), verdict);
}

QStringList otherVerdicts(const Comparison& comparison) {
    QStringList lines;
    for (const JudgedMetric& judged : comparison.together)
        if (judged.metric != comparison.metric)
            lines << Words::tr("%1: %2 (margin ±%3)", "metric, its verdict")
                         .arg(comparison_text::metricTitle(judged.metric), verdictTitle(judged.test.verdict),
                              margin(judged.metric, judged.test.margin));
    return lines;
}

QString sentence(const Comparison& comparison, const QString& a, const QString& b) {
    QStringList sentences;
    for (Message message : comparison.sentences) {
        if (message.code == smallestMarginCode)
            continue; // scale() names it
        for (auto& [name, value] : message.arguments)
            if (name == "a" || name == "b")
                value = (name == "a" ? a : b).toStdString();
        sentences << format::message(message);
    }
    return sentences.join(QLatin1Char(' '));
}

QString stepNote(const Comparison& comparison) {
    const EquivalenceTest& test = comparison.test;
    return stepTellsMargin(test.step, test.margin)
               ? QString()
               : Words::tr("A single prediction changes the metric by %1, more than the margin, so staying inside it "
                           "does not show equivalence.")
                     .arg(magnitude(comparison.metric, test.step));
}

QString stepNote(const FamilyComparison& family) {
    for (const FamilyMember& member : family.members)
        if (const QString note = stepNote(member.comparison); !note.isEmpty())
            return note;
    return {};
}

QString scale(const Comparison& comparison) {
    QStringList parts;
    if (const QString note = stepNote(comparison); comparison.test.n >= 2 && !note.isEmpty())
        parts << note;
    for (const Message& message : comparison.sentences)
        if (message.code == smallestMarginCode)
            parts << format::message(message);
    if (comparison.test.n >= 2)
        parts << Words::tr("Spread between seeds (SD): %1").arg(magnitude(comparison.metric, comparison.seedSpread));
    if (comparison.test.n >= 2)
        parts << Words::tr("95 % interval: %1")
                     .arg(interval(comparison.metric, comparison.test.ci95Lower, comparison.test.ci95Upper));
    if (comparison.test.n >= 2)
        parts << Words::tr("The 90 % interval is the equivalence test's (TOST, each side at 5 %), the 95 % interval "
                           "the difference's");
    return parts.join(QStringLiteral("  ·  "));
}

QString capitalised(QString text) {
    if (!text.isEmpty())
        text[0] = text[0].toUpper();
    return text;
}

QString groupTitle(const std::vector<ComparedRun>& group) {
    if (group.empty())
        return {};
    const ComparedRun& first = group.front();
    return QStringLiteral("%1 %2").arg(format::armTitle(first.arm), format::batchSplit(first.batch));
}

QString groupLetter(std::size_t group) { return QString::fromStdString(letterOf(group)); }

QString groupTitle(const ComparisonInput& input, std::size_t group) {
    const QString title = groupTitle(groupAt(input, group));
    return groupCount(input) == 2 ? title
                                  : Words::tr("%1 (%2)", "letter of a group, its title").arg(groupLetter(group), title);
}

QString PairNames::difference() const { return QStringLiteral("%1 − %2").arg(letterA, letterB); }

PairNames pairNames(const ComparisonInput& input, std::size_t group) {
    const auto head = [&input](std::size_t one) {
        return Words::tr("%1: %2", "letter of a group, its title")
            .arg(groupLetter(one), groupTitle(groupAt(input, one)));
    };
    return {
        groupLetter(group), groupLetter(input.reference), groupTitle(input, group), groupTitle(input, input.reference),
        head(group),        head(input.reference)};
}

QString bandTitle(BandKind kind, std::size_t n) {
    QString title;
    switch (kind) {
    case BandKind::MinMax:
        title = Words::tr("minimum to maximum");
        break;
    case BandKind::StandardDeviation:
        title = Words::tr("mean ± SD");
        break;
    case BandKind::StandardError:
        title = Words::tr("mean ± SE");
        break;
    case BandKind::Confidence95:
        title = Words::tr("95 % interval of the mean");
        break;
    }
    return n > 0 ? Words::tr("%1, n = %2").arg(title).arg(n) : title;
}

} // namespace accumulus::ui::comparison_text
