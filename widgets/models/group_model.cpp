// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/group_model.h"

#include "core/config/metric_rows.h"
#include "widgets/models/comparison_text.h"
#include "widgets/style/format.h"

#include <QFont>
#include <algorithm>
#include <functional>

namespace accumulus::ui {

void GroupModel::setRuns(std::vector<RunRecord> runs) {
    std::ranges::stable_sort(runs, std::greater(), &RunRecord::createdAt);
    const auto same = [](const RunRecord& one, const RunRecord& other) {
        return one.id == other.id && one.state == other.state && one.name == other.name;
    };
    std::vector<RunRecord> before = m_runs;
    std::ranges::stable_sort(before, std::greater(), &RunRecord::createdAt);
    if (std::ranges::equal(runs, before, same))
        return; // signs of life: what is selected stays
    beginResetModel();
    m_runs = std::move(runs);
    sortMembersFirst();
    endResetModel();
}

void GroupModel::setGroups(const QStringList& groupA, const QStringList& groupB) {
    if (groupA == m_groupA && groupB == m_groupB)
        return;
    beginResetModel();
    m_groupA = groupA;
    m_groupB = groupB;
    std::ranges::stable_sort(m_runs, std::greater(), &RunRecord::createdAt);
    sortMembersFirst();
    endResetModel();
}

void GroupModel::sortMembersFirst() {
    const auto order = [this](const RunRecord& run) {
        const Membership group = membership(run);
        return group == Membership::A ? 0 : group == Membership::B ? 1 : 2;
    };
    std::ranges::stable_sort(m_runs, {}, order);
}

void GroupModel::move(const QList<int>& rows, Membership to) {
    for (const int row : rows) {
        const QString id = QString::fromStdString(run(row).id);
        m_groupA.removeAll(id);
        m_groupB.removeAll(id);
        if (to == Membership::A)
            m_groupA << id;
        else if (to == Membership::B)
            m_groupB << id;
    }
    if (rows.isEmpty())
        return;
    // Rows stay where they are: whoever moves several one after the other keeps the place.
    Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
    Q_EMIT groupsMoved();
}

GroupModel::Membership GroupModel::membership(const RunRecord& run) const {
    const QString id = QString::fromStdString(run.id);
    return m_groupA.contains(id) ? Membership::A : m_groupB.contains(id) ? Membership::B : Membership::None;
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
        return group == Membership::A   ? tr("A", "name of the first group")
               : group == Membership::B ? tr("B", "name of the second group")
                                        : QString();
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
