// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/compare/group_verdict_model.h"

#include "widgets/plots/verdict_mark.h"
#include "widgets/style/format.h"

#include <QIcon>

namespace accumulus::ui {

GroupVerdictModel::GroupVerdictModel(const Theme& theme, QObject* parent)
    : QAbstractTableModel(parent), m_theme(theme) {
    connect(&theme, &Theme::changed, this, [this] {
        if (rowCount() > 0)
            Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
    });
}

void GroupVerdictModel::setFamily(const ComparisonInput& input, const FamilyComparison& family) {
    std::vector<Row> rows;
    for (const FamilyMember& member : family.members) {
        const Comparison& comparison = member.comparison;
        Row row{comparison_text::groupTitle(input, member.group), comparison.metric, comparison.test,
                comparison.test.pEquivalence, comparison.test.pDifference};
        if (comparison.family) {
            row.pEquivalence = comparison.family->pEquivalence;
            row.pDifference = comparison.family->pDifference;
        }
        rows.push_back(std::move(row));
    }
    const bool sameRows = rows.size() == m_rows.size() && !rows.empty(); // the selection stays
    if (!sameRows)
        beginResetModel();
    m_rows = std::move(rows);
    m_reference = comparison_text::groupLetter(family.reference);
    if (!sameRows) {
        endResetModel();
        return;
    }
    Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
    Q_EMIT headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1);
}

int GroupVerdictModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int GroupVerdictModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QString GroupVerdictModel::text(const Row& row, int column) {
    const QString none = QStringLiteral("–");
    switch (column) {
    case Group:
        return row.title;
    case Word:
        return comparison_text::verdictTitle(row.test.verdict);
    case Difference:
        return row.test.n > 0 ? comparison_text::difference(row.metric, row.test.meanDifference) : none;
    case Interval:
        return row.test.n > 1 ? comparison_text::interval(row.metric, row.test.ci90Lower, row.test.ci90Upper) : none;
    case Pairs:
        return format::count(static_cast<qint64>(row.test.n));
    case Margin:
        return QChar(0x00B1) + comparison_text::margin(row.metric, row.test.margin);
    case PEquivalence:
        return format::number(row.pEquivalence, 2);
    case PDifference:
        return format::number(row.pDifference, 2);
    default:
        return {};
    }
}

QVariant GroupVerdictModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    const bool words = index.column() == Group || index.column() == Word;
    switch (role) {
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::Alignment((words ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter));
    case Qt::DecorationRole:
        return index.column() == Word ? verdictIcon(m_theme.colors(), row.test.verdict) : QVariant();
    case Qt::DisplayRole:
    case Qt::ToolTipRole:
        return text(row, index.column());
    default:
        return {};
    }
}

QVariant GroupVerdictModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole) {
        const bool words = section == Group || section == Word;
        return QVariant::fromValue(Qt::Alignment((words ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter));
    }
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Group:
        return tr("Group");
    case Word:
        return tr("Verdict");
    case Difference:
        return tr("Minus %1", "letter of the reference").arg(m_reference);
    case Interval:
        return tr("90 % interval");
    case Pairs:
        return tr("Pairs");
    case Margin:
        return tr("Margin");
    case PEquivalence:
        return tr("p, equivalence");
    case PDifference:
        return tr("p, difference");
    default:
        return {};
    }
}

} // namespace accumulus::ui
