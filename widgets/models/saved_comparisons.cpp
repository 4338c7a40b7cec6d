// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/saved_comparisons.h"

#include "core/base/hash.h"
#include "widgets/models/comparison_text.h"
#include "widgets/style/format.h"

#include <QCoreApplication>
#include <QSettings>
#include <algorithm>

namespace accumulus::ui {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(accumulus::ui::saved_comparisons)
};

const QString kLastKey = QStringLiteral("compare/last");

QStringList qtTexts(const std::vector<std::string>& texts) {
    QStringList list;
    for (const std::string& text : texts)
        list << QString::fromStdString(text);
    return list;
}

std::vector<std::string> standardTexts(const QStringList& texts) {
    std::vector<std::string> list;
    for (const QString& text : texts)
        list.push_back(text.toStdString());
    return list;
}

QVariantList variants(const QList<QStringList>& groups) {
    QVariantList list;
    for (const QStringList& group : groups)
        list << QVariant(group);
    return list;
}

QString pathText(const std::filesystem::path& library) { return QString::fromStdString(library.string()); }

} // namespace

ComparisonRecord recordOf(const ComparisonRequest& request, const LoadedComparison& shown, const QString& name,
                          double now) {
    ComparisonRecord record;
    record.id = newUuid();
    record.name = name.toStdString();
    record.createdAt = now;
    record.groupA = standardTexts(request.groupA);
    record.groupB = standardTexts(request.groupB);
    for (const QStringList& group : request.further)
        record.further.push_back(standardTexts(group));
    record.reference = static_cast<std::int64_t>(request.reference);
    record.metric = metricName(shown.comparison.metric);
    record.together = standardTexts(request.together);
    record.margin = shown.comparison.test.margin;
    record.ownMargin = request.margin.has_value();
    record.marginSetAt = shown.input.marginSetAt;
    record.marginAfterResults = shown.input.marginSetAfterResults;
    record.axis = axisName(request.axis);
    record.band = bandCode(request.band);
    record.smoothing = smoothingCode(request.lossSmoothing);
    return record;
}

ComparisonRequest requestOf(const ComparisonRecord& record) {
    ComparisonRequest request;
    QList<QStringList> groups{qtTexts(record.groupA), qtTexts(record.groupB)};
    for (const auto& group : record.further)
        groups << qtTexts(group);
    request.setGroups(groups, static_cast<std::size_t>(std::max<std::int64_t>(record.reference, 0)));
    request.metric = QString::fromStdString(record.metric);
    request.together = qtTexts(record.together);
    if (record.ownMargin && record.margin > 0.0) {
        request.margin = record.margin;
        request.marginSetAt = record.marginSetAt;
    }
    request.axis = axisFromName(record.axis).value_or(CurveAxis::Samples);
    request.band = bandFromCode(record.band).value_or(BandKind::MinMax);
    request.lossSmoothing = smoothingFromCode(record.smoothing).value_or(usualLossSmoothing);
    return request;
}

QString marginNote(const ComparisonRecord& record) {
    const auto metric = metricFromName(record.metric);
    if (!metric)
        return {};
    const QString margin = QChar(0x00B1) + comparison_text::margin(*metric, record.margin);
    if (record.marginSetAt <= 0.0)
        return Words::tr("%1, nobody fixed it", "a margin").arg(margin);
    const QString set = format::dateTime(record.marginSetAt);
    return record.marginAfterResults ? Words::tr("%1, set on %2, after the results were seen").arg(margin, set)
                                     : Words::tr("%1, set on %2, before the first result").arg(margin, set);
}

QString freeName(const QString& name, const std::vector<ComparisonRecord>& taken) {
    const auto isTaken = [&taken](const QString& wanted) {
        return std::ranges::find(taken, wanted.toStdString(), &ComparisonRecord::name) != taken.end();
    };
    QString free = name;
    for (int number = 2; isTaken(free); ++number)
        free = QStringLiteral("%1 (%2)").arg(name).arg(number);
    return free;
}

void rememberLast(const std::filesystem::path& library, const ComparisonRequest& request) {
    QVariantMap last{{QStringLiteral("library"), pathText(library)},
                     {QStringLiteral("groupA"), request.groupA},
                     {QStringLiteral("groupB"), request.groupB},
                     {QStringLiteral("further"), variants(request.further)},
                     {QStringLiteral("reference"), static_cast<qulonglong>(request.reference)},
                     {QStringLiteral("metric"), request.metric},
                     {QStringLiteral("together"), request.together},
                     {QStringLiteral("axis"), QString::fromStdString(axisName(request.axis))},
                     {QStringLiteral("band"), QString::fromStdString(bandCode(request.band))},
                     {QStringLiteral("smoothing"), QString::fromStdString(smoothingCode(request.lossSmoothing))}};
    if (request.margin) {
        last[QStringLiteral("margin")] = *request.margin;
        last[QStringLiteral("marginSetAt")] = request.marginSetAt;
    }
    QSettings().setValue(kLastKey, last);
}

std::optional<ComparisonRequest> lastCompared(const std::filesystem::path& library) {
    const QVariantMap last = QSettings().value(kLastKey).toMap();
    if (last.value(QStringLiteral("library")).toString() != pathText(library))
        return std::nullopt;
    ComparisonRequest request;
    QList<QStringList> groups{last.value(QStringLiteral("groupA")).toStringList(),
                              last.value(QStringLiteral("groupB")).toStringList()};
    for (const QVariant& group : last.value(QStringLiteral("further")).toList())
        groups << group.toStringList();
    request.setGroups(groups, last.value(QStringLiteral("reference"), 1).toULongLong());
    request.metric = last.value(QStringLiteral("metric")).toString();
    request.together = last.value(QStringLiteral("together")).toStringList();
    request.axis =
        axisFromName(last.value(QStringLiteral("axis")).toString().toStdString()).value_or(CurveAxis::Samples);
    request.band = bandFromCode(last.value(QStringLiteral("band")).toString().toStdString()).value_or(BandKind::MinMax);
    request.lossSmoothing = smoothingFromCode(last.value(QStringLiteral("smoothing")).toString().toStdString())
                                .value_or(usualLossSmoothing);
    if (const double margin = last.value(QStringLiteral("margin")).toDouble(); margin > 0.0) {
        request.margin = margin;
        request.marginSetAt = last.value(QStringLiteral("marginSetAt")).toDouble();
    }
    if (!request.isComparable())
        return std::nullopt;
    return request;
}

} // namespace accumulus::ui
