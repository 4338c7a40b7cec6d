// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the filter line that reads numbers with their units, and knows how the table rounds them.
#include "core/config/metric_rows.h"
#include "widgets/models/run_filter_impl.h"
#include "widgets/style/format.h"

#include <QLocale>
#include <QRegularExpression>
#include <algorithm>
#include <cmath>
#include <utility>

namespace accumulus::ui::run_filter {
namespace {

using Units = std::vector<std::pair<QString, double>>;

/// As programs write it, or as the table does: 10300, 10,300. Where the table writes 10.300, that is ten thousand.
std::optional<double> plainNumber(const QString& text) {
    const QLocale shown;
    const bool grouped = shown.groupSeparator() == QLatin1String(".") && mayPartThousands(text);
    bool ok = false;
    double value = grouped ? shown.toDouble(text, &ok) : text.toDouble(&ok);
    if (!ok)
        value = shown.toDouble(text, &ok);
    return ok ? std::optional(value) : std::nullopt;
}

std::optional<double> withUnit(const QString& text, const Units& units, Qt::CaseSensitivity cases) {
    for (const auto& [unit, factor] : units)
        if (text.endsWith(unit, cases))
            if (const auto number = plainNumber(text.chopped(unit.size()).trimmed()))
                return *number * factor;
    return std::nullopt;
}

/// "1 min 12 s", in English or as the table writes it: each number has its unit.
std::optional<double> secondsFrom(const QString& text) {
    static const QRegularExpression part(QStringLiteral(R"(\s*([0-9.,]+)\s*([^\s0-9.,]+))"));
    Units units = format::durationUnits();
    for (const auto& [unit, seconds] :
         {std::pair("d", 86400.0), std::pair("h", 3600.0), std::pair("min", 60.0), std::pair("s", 1.0)})
        units.emplace_back(QLatin1String(unit), seconds);
    double sum = 0.0;
    for (qsizetype at = 0; at < text.size();) {
        const auto found =
            part.match(text, at, QRegularExpression::NormalMatch, QRegularExpression::AnchorAtOffsetMatchOption);
        const auto number = plainNumber(found.captured(1));
        const auto unit = std::ranges::find_if(
            units, [&](const auto& known) { return found.captured(2).compare(known.first, Qt::CaseInsensitive) == 0; });
        if (!number || unit == units.end())
            return std::nullopt;
        sum += *number * unit->second;
        at = found.capturedEnd();
    }
    return sum;
}

} // namespace

bool mayPartThousands(const QString& number) {
    static const QRegularExpression thousands(QStringLiteral(R"(^[-+]?[1-9][0-9]{0,2}(\.[0-9]{3})+$)"));
    return thousands.match(number).hasMatch();
}

Measure measureOf(Subject subject, RunColumn column) {
    if (subject == Subject::Accuracy || column == RunColumn::FinalMetric || ui::isShare(column))
        return Measure::Share;
    switch (column) {
    case RunColumn::ActiveTime:
        return Measure::Time;
    case RunColumn::PeakMemory:
    case RunColumn::EvaluationPeak:
    case RunColumn::CheckpointSize:
        return Measure::Bytes;
    default:
        return Measure::Plain;
    }
}

std::optional<double> numberFrom(const QString& typed, Measure measure) {
    static const Units sizes{
        {QStringLiteral("kib"), 1024.0}, {QStringLiteral("mib"), 1048576.0}, {QStringLiteral("gib"), 0x1p30},
        {QStringLiteral("tib"), 0x1p40}, {QStringLiteral("kb"), 1e3},        {QStringLiteral("mb"), 1e6},
        {QStringLiteral("gb"), 1e9},     {QStringLiteral("tb"), 1e12},       {QStringLiteral("b"), 1.0},
        {QStringLiteral("g"), 1e9},      {QStringLiteral("t"), 1e12}};
    static const Units factors{{QStringLiteral("%"), 0.01},
                               {QStringLiteral("k"), 1e3},
                               {QStringLiteral("K"), 1e3},
                               {QStringLiteral("M"), 1e6}};
    const QString text = typed.simplified();
    if (const auto number = plainNumber(text))
        return number;
    if (measure == Measure::Time && !text.isEmpty())
        if (const auto seconds = secondsFrom(text))
            return seconds;
    if (measure == Measure::Bytes)
        if (const auto bytes = withUnit(text, sizes, Qt::CaseInsensitive))
            return bytes;
    return withUnit(text, factors, Qt::CaseSensitive);
}

bool isShare(RunColumn column, const RunConfig& run) {
    return ui::isShare(column) || (column == RunColumn::FinalMetric && metricRow(mainMetric(run)).isShare);
}

double asShown(RunColumn column, double value, bool isPerCent) {
    if (isPerCent)
        return format::shownAccuracy(value);
    switch (column) {
    case RunColumn::Lr:
    case RunColumn::FinalMetric:
    case RunColumn::Loss:
    case RunColumn::LowestLoss:
    case RunColumn::ValidationLoss:
        return format::shownNumber(value);
    case RunColumn::SamplesPerSecond:
        return std::round(value);
    case RunColumn::ActiveTime:
        return format::shownDuration(value);
    case RunColumn::PeakMemory:
    case RunColumn::EvaluationPeak:
    case RunColumn::CheckpointSize:
        return format::shownBytes(value);
    case RunColumn::DaysLeft:
        return std::ceil(value);
    default:
        return value;
    }
}

} // namespace accumulus::ui::run_filter
