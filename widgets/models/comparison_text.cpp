// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/comparison_text.h"

#include "core/base/error.h"
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

bool isAccuracy(CompareMetric metric) {
    return metric == CompareMetric::TestAccuracy || metric == CompareMetric::BestTestAccuracy;
}

QString withUnit(CompareMetric metric, const QString& number) {
    const QString unit = differenceUnit(metric);
    return unit.isEmpty() ? number : number + QChar(0x00A0) + unit;
}

QString signedNumber(CompareMetric metric, double value) {
    const QString digits = number(metric, value);
    if (value == 0.0)
        return digits;
    return (value < 0.0 ? QChar(0x2212) : QLatin1Char('+')) + digits;
}

QString probability(double p) {
    return p < 1e-4 ? Words::tr("p < 0.0001") : Words::tr("p = %1").arg(format::number(p, 2));
}

} // namespace

QString metricTitle(CompareMetric metric) {
    switch (metric) {
    case CompareMetric::TestAccuracy:
        return Words::tr("Final test accuracy");
    case CompareMetric::BestTestAccuracy:
        return Words::tr("Best test accuracy");
    case CompareMetric::TestLoss:
        return Words::tr("Final test loss");
    case CompareMetric::TrainLoss:
        break;
    }
    return Words::tr("Final training loss");
}

double unitFactor(CompareMetric metric) { return isAccuracy(metric) ? 100.0 : 1.0; }

QString differenceUnit(CompareMetric metric) {
    return isAccuracy(metric) ? Words::tr("points", "percentage points of accuracy") : QString();
}

QString value(CompareMetric metric, double value) {
    return isAccuracy(metric) ? format::accuracy(value) : format::loss(value);
}

QString difference(CompareMetric metric, double value) { return withUnit(metric, signedNumber(metric, value)); }

QString magnitude(CompareMetric metric, double value) { return withUnit(metric, number(metric, value)); }

QString number(CompareMetric metric, double value) {
    return format::number(std::abs(value) * unitFactor(metric), kDigits);
}

QString headline(const Comparison& comparison) {
    const EquivalenceTest& test = comparison.test;
    const QString words = QCoreApplication::translate("verdicts", std::string(verdictWords(test.verdict)).c_str());
    const QString margin = QChar(0x00B1) + magnitude(comparison.metric, test.margin);
    return format::fromUtf8(fillArguments(words.toStdString(), {{},
                                                                {{"margin", margin.toStdString()},
                                                                 {"n", std::to_string(test.n)},
                                                                 {"needed", std::to_string(pairsForVerdict)}}}));
}

QString sentence(const Comparison& comparison, const QString& a, const QString& b) {
    const EquivalenceTest& test = comparison.test;
    const CompareMetric metric = comparison.metric;
    if (test.n == 0)
        return Words::tr("No seed has finished in both groups yet. A verdict needs at least three.");
    const int pairs = static_cast<int>(test.n);
    const QString mean = Words::tr("%1 minus %2 is %3 on average over %n pair(s)", nullptr, pairs)
                             .arg(capitalised(a), b, difference(metric, test.meanDifference));
    const QString interval =
        Words::tr("%1 to %2").arg(signedNumber(metric, test.ci90Lower), difference(metric, test.ci90Upper));
    switch (test.verdict) {
    case Verdict::Equivalent:
        return Words::tr("%1; the 90 % interval of the difference, %2, lies inside the margin.").arg(mean, interval);
    case Verdict::Different:
        return Words::tr("%1: more than the seeds explain (%2), and the 90 % interval, %3, is not inside the margin.")
            .arg(mean, probability(test.pDifference), interval);
    case Verdict::DifferentWithinMargin:
        return Words::tr("%1: more than the seeds explain (%2), but the 90 % interval, %3, lies inside the margin.")
            .arg(mean, probability(test.pDifference), interval);
    case Verdict::Inconclusive:
        return Words::tr("%1; the 90 % interval, %2, reaches beyond the margin and the seeds show no difference either "
                         "(%3). This does not show that the groups are equal.")
            .arg(mean, interval, probability(test.pDifference));
    case Verdict::WithinMarginOtherMethod:
        return Words::tr("%1; the 90 % interval, %2, lies inside the margin, but BatchNorm makes the groups different "
                         "methods. Ghost batches, frozen statistics or "
                         "GroupNorm would compare accumulation itself.")
            .arg(mean, interval);
    case Verdict::NotEnoughSeeds:
        break;
    }
    return Words::tr("%1. A verdict needs at least three pairs.").arg(mean);
}

QString scale(const Comparison& comparison) {
    const EquivalenceTest& test = comparison.test;
    QStringList parts;
    if (test.n >= pairsForVerdict)
        parts
            << Words::tr("Smallest margin that would pass: %1").arg(magnitude(comparison.metric, test.smallestMargin));
    if (test.n >= 2)
        parts << Words::tr("spread between seeds (SD): %1").arg(magnitude(comparison.metric, comparison.seedSpread));
    return capitalised(parts.join(QStringLiteral("  ·  ")));
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
