// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/group_model.h"

#include "core/config/metric_rows.h"
#include "widgets/models/comparison_text.h"
#include "widgets/style/format.h"

#include <QFont>
#include <algorithm>
#include <functional>
#include <string>
#include <unordered_map>
#include <utility>

namespace accumulus::ui {
namespace {

/// Of the same run: signs of life are no change.
bool shownAlike(const RunRecord& one, const RunRecord& other) {
    return one.name == other.name && one.state == other.state && one.summary == other.summary &&
           one.batch == other.batch && one.startedAt == other.startedAt;
}

} // namespace

void GroupModel::setRuns(std::vector<RunRecord> runs) {
    std::ranges::stable_sort(runs, std::greater(), &RunRecord::createdAt);
    if (update(runs))
        return; // what is selected stays
    beginResetModel();
    m_runs = std::move(runs);
    sortMembersFirst();
    endResetModel();
}

/// False: they are others than those that are here. Rows keep their places.
bool GroupModel::update(const std::vector<RunRecord>& runs) {
    if (runs.size() != m_runs.size())
        return false;
    std::unordered_map<std::string, std::size_t> places;
    for (std::size_t row = 0; row < m_runs.size(); ++row)
        places.emplace(m_runs[row].id, row);
    if (!std::ranges::all_of(runs, [&](const RunRecord& run) { return places.contains(run.id); }))
        return false;
    for (const RunRecord& run : runs) {
        const std::size_t place = places.at(run.id);
        if (shownAlike(std::exchange(m_runs[place], run), run))
            continue;
        const int row = static_cast<int>(place);
        Q_EMIT dataChanged(index(row, 0), index(row, ColumnCount - 1));
    }
    return true;
}

void GroupModel::setGroups(const QList<QStringList>& groups) {
    if (groups == m_groups)
        return;
    beginResetModel();
    m_groups = groups;
    std::ranges::stable_sort(m_runs, std::greater(), &RunRecord::createdAt);
    sortMembersFirst();
    endResetModel();
}

void GroupModel::sortMembersFirst() {
    const auto order = [this](const RunRecord& run) {
        return membership(run).value_or(static_cast<std::size_t>(m_groups.size()));
    };
    std::ranges::stable_sort(m_runs, {}, order);
}

void GroupModel::move(const QList<int>& rows, Membership to) {
    for (const int row : rows) {
        const QString id = QString::fromStdString(run(row).id);
        for (QStringList& group : m_groups)
            group.removeAll(id);
        if (to && static_cast<qsizetype>(*to) < m_groups.size())
            m_groups[static_cast<qsizetype>(*to)] << id;
    }
    if (rows.isEmpty())
        return;
    // Rows stay where they are: whoever moves several one after the other keeps the place.
    Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
    Q_EMIT groupsMoved();
}

GroupModel::Membership GroupModel::membership(const RunRecord& run) const {
    const QString id = QString::fromStdString(run.id);
    for (qsizetype group = 0; group < m_groups.size(); ++group)
        if (m_groups[group].contains(id))
            return static_cast<std::size_t>(group);
    return std::nullopt;
}

GroupModel::Membership GroupModel::membership(int row) const { return membership(run(row)); }

int GroupModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_runs.size());
}

int GroupModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QString GroupModel::text(const RunRecord& run, int column) const {
    switch (column) {
    case Group: {
        const Membership group = membership(run);
        return group ? comparison_text::groupLetter(*group) : QString();
    }
    case Name:
        return format::fromUtf8(run.name);
    case Arm:
        return format::armTitle(run.arm);
    case Split:
        return format::batchSplit(run.batch);
    case Seed:
        return QString::number(run.seed);
    case State:
        return format::stateTitle(run);
    case Result: {
        const CompareMetric metric = mainMetric(run.config);
        return comparison_text::result(metric, metricOf(run.summary, metric));
    }
    case Created:
        return format::dateTime(run.createdAt);
    default:
        return {};
    }
}

QVariant GroupModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const bool number = index.column() == Seed || index.column() == Result;
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::Alignment((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    if (role == Qt::FontRole && index.column() == Group) {
        QFont bold;
        bold.setWeight(QFont::DemiBold);
        return bold;
    }
    if (role == Qt::DisplayRole || role == Qt::ToolTipRole)
        return text(run(index.row()), index.column());
    return {};
}

QVariant GroupModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    const bool number = section == Seed || section == Result;
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::Alignment((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Group:
        return tr("Group");
    case Name:
        return tr("Run");
    case Arm:
        return tr("Arm");
    case Split:
        return tr("Batch");
    case Seed:
        return tr("Seed");
    case State:
        return tr("Status");
    case Result:
        return tr("Result");
    case Created:
        return tr("Date");
    default:
        return {};
    }
}

} // namespace accumulus::ui
