// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/run_grouping.h"

#include "widgets/style/format.h"

#include <QHash>
#include <QRegularExpression>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace accumulus::ui {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

bool sameNumber(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

Moments momentsOf(const std::vector<RunRow>& rows, const RunGroup& group, std::size_t column) {
    std::vector<double> values;
    for (const std::size_t run : group.runs)
        if (const double value = rows[run].numbers[column];
            rows[run].record.state == RunState::Completed && std::isfinite(value))
            values.push_back(value);
    return moments(values);
}

double numberOf(const std::vector<RunRow>& rows, const RunGroup& group, RunColumn column) {
    const std::size_t at = indexOf(column);
    if (isMeasured(column))
        return group.measured[at].n > 0 ? group.measured[at].mean : unknown;
    if (column == RunColumn::Seed)
        return static_cast<double>(group.runs.size());
    double sum = 0.0, largest = unknown;
    for (const std::size_t run : group.runs) {
        const double value = rows[run].numbers[at];
        sum += std::isnan(value) ? 0.0 : value;
        largest = std::isnan(largest) ? value : std::max(largest, value);
    }
    if (column == RunColumn::CheckpointSize)
        return sum > 0.0 ? sum : unknown;
    return column == RunColumn::Date || group.same[at] ? largest : unknown;
}

QString commonPrefix(const QString& a, const QString& b) {
    const auto [end, ignored] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    return a.left(end - a.begin());
}

/// Name of the study that all of them belong to, or of studies that have the same name; empty: there is none.
QString studyOf(const std::vector<RunRow>& rows, const RunGroup& group) {
    const QString& first = rows[group.runs.front()].study;
    const auto isOfIt = [&](std::size_t run) { return rows[run].study == first; };
    return std::ranges::all_of(group.runs, isOfIt) ? first : QString();
}

} // namespace

QString groupKey(const RunRow& row, RunGrouping by) {
    if (by == RunGrouping::Study)
        return row.record.study.empty() ? row.id : QString::fromStdString(row.record.study);
    return row.configuration;
}

RunGroup makeGroup(const std::vector<RunRow>& rows, QString key, std::vector<std::size_t> runs) {
    RunGroup group;
    group.key = std::move(key);
    group.runs = std::move(runs);
    const RunRow& first = rows[group.runs.front()];
    for (const std::size_t run : group.runs) {
        group.completed += rows[run].record.state == RunState::Completed ? 1 : 0;
        group.oneConfiguration = group.oneConfiguration && rows[run].configuration == first.configuration;
    }
    for (std::size_t column = 0; column < runColumnCount; ++column) {
        group.same[column] = std::ranges::all_of(group.runs, [&](std::size_t run) {
            return rows[run].texts[column] == first.texts[column] &&
                   sameNumber(rows[run].numbers[column], first.numbers[column]);
        });
        if (static_cast<RunColumn>(column) == RunColumn::Audit) // of their weights, or of their set-up
            group.same[column] = group.same[column] && std::ranges::all_of(group.runs, [&](std::size_t run) {
                                     return rows[run].setupAudited == first.setupAudited;
                                 });
        // A run that never started was stopped, too, and is shown otherwise.
        if (static_cast<RunColumn>(column) == RunColumn::Status)
            group.same[column] = std::ranges::all_of(
                group.runs, [&](std::size_t run) { return rows[run].shown[column] == first.shown[column]; });
        if (group.same[column])
            group.texts[column] = first.texts[column];
        if (isMeasured(static_cast<RunColumn>(column)) && group.oneConfiguration)
            group.measured[column] = momentsOf(rows, group, column);
        group.numbers[column] = numberOf(rows, group, static_cast<RunColumn>(column));
    }
    for (const std::size_t run : group.runs)
        group.splits.emplace_back(rows[run].record.batch.micro, rows[run].record.batch.steps);
    std::ranges::sort(group.splits);
    const auto again = std::ranges::unique(group.splits);
    group.splits.erase(again.begin(), again.end());
    group.texts[indexOf(RunColumn::Name)] = groupName(rows, group).toLower();
    return group;
}

std::vector<RunGroup> groupRuns(const std::vector<RunRow>& rows, const std::vector<std::size_t>& runs, RunGrouping by) {
    std::vector<std::pair<QString, std::vector<std::size_t>>> members;
    QHash<QString, std::size_t> places;
    for (const std::size_t run : runs) {
        const QString key = groupKey(rows[run], by);
        const auto [place, isNew] = [&] {
            const auto known = places.constFind(key);
            return known == places.constEnd() ? std::pair(places.insert(key, members.size()).value(), true)
                                              : std::pair(known.value(), false);
        }();
        if (isNew)
            members.emplace_back(key, std::vector<std::size_t>());
        members[place].second.push_back(run);
    }
    std::vector<RunGroup> groups;
    groups.reserve(members.size());
    for (auto& [key, indices] : members)
        groups.push_back(makeGroup(rows, key, std::move(indices)));
    return groups;
}

QString groupName(const std::vector<RunRow>& rows, const RunGroup& group) {
    const RunRecord& sample = rows[group.runs.front()].record;
    if (const QString study = studyOf(rows, group); !study.isEmpty()) // whatever its runs are called by now
        return group.key == QString::fromStdString(sample.study)
                   ? study
                   : QStringLiteral("%1, %2").arg(study, format::armTitle(sample.arm));
    static const QRegularExpression seed(QStringLiteral(",?\\s*seed\\s*-?\\d*\\s*$"));
    const QString first = format::fromUtf8(sample.name);
    QString name = first;
    for (const std::size_t run : group.runs)
        name = commonPrefix(name, format::fromUtf8(rows[run].record.name));
    const bool cut = name.size() < first.size();
    name.remove(seed);
    if (cut && name.size() < first.size() && !name.isEmpty() && first[name.size()].isLetterOrNumber() &&
        name.back().isLetterOrNumber()) // in the middle of a word
        name.truncate(std::max<qsizetype>(0, name.lastIndexOf(QLatin1Char(' '))));
    while (!name.isEmpty() && (name.back().isSpace() || name.back() == QLatin1Char(',')))
        name.chop(1);
    return name.isEmpty()
               ? QStringLiteral("%1 %2").arg(format::armTitle(sample.arm), format::batchEquation(sample.batch))
               : name;
}

} // namespace accumulus::ui
