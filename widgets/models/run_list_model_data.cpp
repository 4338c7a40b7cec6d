// SPDX-License-Identifier: GPL-3.0-or-later
// The part of RunListModel that tells views what its rows show.
#include "widgets/models/audit_text.h"
#include "widgets/models/run_cells.h"
#include "widgets/models/run_list_model.h"
#include "widgets/style/format.h"

#include <algorithm>

namespace accumulus::ui {
namespace {

int auditOf(const QString& verdict) {
    const auto known = auditVerdictFromName(verdict.toStdString());
    return known ? static_cast<int>(*known) : -1;
}

int verdictOf(const RunRow& row) { return row.verdict ? static_cast<int>(*row.verdict) : -1; }

} // namespace

std::optional<Difference> RunListModel::differenceOf(const Line& line, RunColumn column) const {
    if (line.pinned || !hasBaselineRow())
        return std::nullopt;
    const Line& reference = m_lines.front();
    return differenceTo(sampleOf(reference), numbersOf(reference), sampleOf(line), numbersOf(line), column);
}

QVariant RunListModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const Line& line = lineAt(index.row());
    const auto column = static_cast<RunColumn>(index.column());
    switch (role) {
    case Qt::EditRole:
        return column == RunColumn::Name ? QVariant(nameOf(line)) : QVariant();
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(static_cast<int>(run_cells::alignment(column)));
    case BaselineRole:
        return line.pinned;
    case DifferenceRole:
        if (const auto difference = differenceOf(line, column))
            return differenceText(sampleOf(line), column, *difference);
        return QString();
    case JudgementRole:
        if (const auto difference = differenceOf(line, column))
            return difference->judgement;
        return 0;
    case Qt::AccessibleTextRole: {
        const QString text = data(index, Qt::DisplayRole).toString();
        if (const auto difference = differenceOf(line, column))
            return tr("%1, %2: %3 than the baseline")
                .arg(text, differenceText(sampleOf(line), column, *difference), judgementText(*difference));
        return line.pinned && column == RunColumn::Name ? tr("Baseline: %1").arg(text) : text;
    }
    default:
        return line.isGroup() ? groupData(line, column, role) : runData(line, column, role);
    }
}

bool RunListModel::groupTellsVerdict(const Line& line) const {
    return line.group >= 0 && m_groups[static_cast<std::size_t>(line.group)].same[indexOf(RunColumn::Verdict)];
}

bool RunListModel::isStudy(const Line& line) const {
    return line.isGroup() && !sampleOf(line).study.isEmpty() &&
           m_groups[static_cast<std::size_t>(line.group)].key == QString::fromStdString(sampleOf(line).record.study);
}

QString RunListModel::nameOf(const Line& line) const {
    return line.isGroup() ? sampleOf(line).study : format::fromUtf8(sampleOf(line).record.name);
}

Qt::ItemFlags RunListModel::flags(const QModelIndex& index) const {
    const Qt::ItemFlags usual = QAbstractTableModel::flags(index);
    if (!index.isValid() || static_cast<RunColumn>(index.column()) != RunColumn::Name)
        return usual;
    const Line& line = lineAt(index.row());
    return !line.isGroup() || isStudy(line) ? usual | Qt::ItemIsEditable : usual;
}

bool RunListModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    const QString name = value.toString().trimmed();
    if (role != Qt::EditRole || !flags(index).testFlag(Qt::ItemIsEditable) || name.isEmpty())
        return false;
    const Line& line = lineAt(index.row());
    if (name == nameOf(line))
        return false;
    if (line.isGroup())
        Q_EMIT studyRenamed(QString::fromStdString(sampleOf(line).record.study), name);
    else
        Q_EMIT runRenamed(sampleOf(line).id, name);
    return true;
}

QVariant RunListModel::groupData(const Line& line, RunColumn column, int role) const {
    const RunGroup& group = m_groups[static_cast<std::size_t>(line.group)];
    const RunRow& sample = sampleOf(line);
    switch (role) {
    case Qt::DisplayRole: {
        const QString text = run_cells::text(*m_rows, group, column);
        const auto baseline = static_cast<std::size_t>(m_baselineRun); // it is counted, but is not below its group
        return column == RunColumn::Name && m_baselineRun >= 0 && std::ranges::count(group.runs, baseline) > 0
                   ? tr("%1, the baseline on top").arg(text)
                   : text;
    }
    case Qt::ToolTipRole:
        return run_cells::toolTip(*m_rows, group, column);
    case GroupRole:
        return group.key;
    case ExpandedRole:
        return !canExpand(line) ? -1 : m_expanded.contains(group.key) ? 1 : 0;
    case StateRole:
        return group.same[indexOf(RunColumn::Status)] ? static_cast<int>(sample.record.state) : -1;
    case ArmRole:
        return group.same[indexOf(RunColumn::Arm)] ? static_cast<int>(sample.record.arm) : -1;
    case AuditRole:
        return auditOf(group.texts[indexOf(RunColumn::Audit)]);
    case VerdictRole:
        return group.same[indexOf(RunColumn::Verdict)] ? verdictOf(sample) : -1;
    case IdRole:
    case ColorRole:
        return QString();
    case ChildRole:
    case ProtectedRole:
        return false;
    default:
        return {};
    }
}

QVariant RunListModel::runData(const Line& line, RunColumn column, int role) const {
    const RunRow& row = sampleOf(line);
    switch (role) {
    case Qt::DisplayRole:
        return column == RunColumn::Verdict && groupTellsVerdict(line) ? QString() : run_cells::text(row, column);
    case Qt::ToolTipRole: {
        const QString tip = run_cells::toolTip(row, column);
        return tip.isEmpty() ? QVariant() : tip;
    }
    case IdRole:
        return row.id;
    case StateRole:
        return static_cast<int>(row.record.state);
    case ArmRole:
        return static_cast<int>(row.record.arm);
    case AuditRole:
        return auditOf(row.texts[indexOf(RunColumn::Audit)]);
    case VerdictRole:
        return groupTellsVerdict(line) ? -1 : verdictOf(row);
    case GroupRole:
        return QString();
    case ExpandedRole:
        return -1;
    case ChildRole:
        return line.group >= 0;
    case ColorRole:
        return QString::fromStdString(row.record.color);
    case ProtectedRole:
        return row.record.isProtected;
    default:
        return {};
    }
}

QVariant RunListModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const auto column = static_cast<RunColumn>(section);
    switch (role) {
    case Qt::DisplayRole:
        return run_cells::title(column);
    case Qt::ToolTipRole: {
        const QString tip = run_cells::titleToolTip(column);
        return tip.isEmpty() ? QVariant() : tip;
    }
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(static_cast<int>(run_cells::alignment(column)));
    default:
        return {};
    }
}

} // namespace accumulus::ui
