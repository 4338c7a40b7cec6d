// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/run_baseline.h"

#include "core/config/metric_rows.h"
#include "widgets/style/format.h"

#include <QCoreApplication>
#include <QLocale>
#include <cmath>
#include <utility>

namespace accumulus::ui {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(accumulus::ui::Baseline)
};

constexpr std::pair<Baseline::Kind, const char*> kinds[] = {
    {Baseline::Kind::Run, "run"}, {Baseline::Kind::Configuration, "configuration"}, {Baseline::Kind::Study, "study"}};

bool higherIsBetter(const RunRow& run, RunColumn column) {
    switch (column) {
    case RunColumn::FinalMetric:
        return metricRow(mainMetric(run.record.config)).higherIsBetter;
    case RunColumn::SamplesPerSecond:
        return true;
    default:
        return isShare(column); // losses, time and memory are better low
    }
}

bool isOfTheTask(RunColumn column) {
    return column == RunColumn::FinalMetric || isShare(column) || column == RunColumn::Loss ||
           column == RunColumn::LowestLoss || column == RunColumn::ValidationLoss;
}

bool sameTask(const RunRow& a, const RunRow& b) {
    const RunConfig &left = a.record.config, &right = b.record.config;
    return left.data.dataset == right.data.dataset && left.data.path == right.data.path &&
           left.loss.kind == right.loss.kind && mainMetric(left) == mainMetric(right);
}

/// With the decimals of the values beside it.
QString points(double share) { return QLocale().toString(100.0 * share, 'f', 2); }

QString magnitude(const RunRow& run, RunColumn column, double value) {
    switch (column) {
    case RunColumn::FinalMetric:
        return metricRow(mainMetric(run.record.config)).isShare ? points(value) : format::number(value, 3);
    case RunColumn::ActiveTime:
        return format::duration(value);
    case RunColumn::PeakMemory:
    case RunColumn::EvaluationPeak:
        return format::bytes(std::llround(value));
    case RunColumn::SamplesPerSecond:
        return format::count(std::llround(value));
    default:
        return isShare(column) ? points(value) : format::number(value, 3);
    }
}

} // namespace

QString Baseline::text() const {
    for (const auto& [known, name] : kinds)
        if (kind == known)
            return QLatin1String(name) + QLatin1Char(':') + key;
    return {};
}

Baseline Baseline::fromText(const QString& text) {
    for (const auto& [kind, name] : kinds)
        if (const QString start = QLatin1String(name) + QLatin1Char(':'); text.startsWith(start))
            return {kind, text.mid(start.size())};
    return {};
}

std::optional<Difference> differenceTo(const RunRow& baseline, const RunNumbers& baselineNumbers, const RunRow& run,
                                       const RunNumbers& numbers, RunColumn column) {
    const std::size_t at = indexOf(column);
    const double value = numbers[at] - baselineNumbers[at];
    if (!isMeasured(column) || !std::isfinite(value) || (isOfTheTask(column) && !sameTask(baseline, run)))
        return std::nullopt;
    const bool better = higherIsBetter(run, column) ? value > 0.0 : value < 0.0;
    return Difference{value, value == 0.0 ? 0 : better ? 1 : -1};
}

QString differenceText(const RunRow& run, RunColumn column, const Difference& difference) {
    const QString digits = magnitude(run, column, std::abs(difference.value));
    if (difference.value == 0.0)
        return QStringLiteral("= ") + digits;
    return difference.value > 0.0 ? QStringLiteral("▲ +") + digits : QStringLiteral("▼ ") + QChar(0x2212) + digits;
}

QString judgementText(const Difference& difference) {
    return difference.judgement > 0   ? Words::tr("better")
           : difference.judgement < 0 ? Words::tr("worse")
                                      : Words::tr("the same");
}

} // namespace accumulus::ui
