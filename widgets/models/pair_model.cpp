// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/pair_model.h"

#include "widgets/style/format.h"

#include <QFont>

namespace accumulus::ui {

namespace {

/// Both arms normally agree: then one number is enough.
QString countsText(std::int64_t a, std::int64_t b) {
    return a == b ? format::count(a) : QStringLiteral("%1 / %2").arg(format::count(a), format::count(b));
}

} // namespace

void PairModel::setComparison(const Comparison& comparison, const comparison_text::PairNames& names) {
    const bool sameRows = comparison.pairs.size() == m_pairs.size() && !m_pairs.empty(); // scroll and selection stay
    if (!sameRows)
        beginResetModel();
    m_pairs = comparison.pairs;
    m_test = comparison.test;
    m_metric = comparison.metric;
    m_names = names;
    if (!sameRows) {
        endResetModel();
        return;
    }
    Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
    Q_EMIT headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1);
}

int PairModel::rowCount(const QModelIndex& parent) const {
    if (parent.isValid() || m_pairs.empty())
        return 0;
    return static_cast<int>(m_pairs.size()) + 1;
}

int PairModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant PairModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const auto row = static_cast<std::size_t>(index.row());
    const bool isMean = row == m_pairs.size();
    switch (role) {
    case Qt::DisplayRole:
        return isMean ? meanText(index.column()) : pairText(m_pairs[row], index.column());
    case RunRole:
        if (isMean)
            return {};
        return QString::fromStdString(index.column() == ValueB ? m_pairs[row].runB : m_pairs[row].runA);
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
    case Qt::FontRole:
        if (isMean) {
            QFont bold;
            bold.setWeight(QFont::DemiBold);
            return bold;
        }
        return {};
    default:
        return {};
    }
}

QVariant PairModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole) // a narrow column shows a part of it
        return {};
    switch (section) {
    case Seed:
        return tr("Seed");
    case ValueA:
        return m_names.headA;
    case ValueB:
        return m_names.headB;
    case Difference:
        return m_names.difference();
    case Samples:
        return tr("Samples seen");
    case Updates:
        return tr("Updates");
    default:
        return {};
    }
}

QString PairModel::pairText(const PairedResult& pair, int column) const {
    switch (column) {
    case Seed:
        return QString::number(pair.seed);
    case ValueA:
        return comparison_text::value(m_metric, pair.a);
    case ValueB:
        return comparison_text::value(m_metric, pair.b);
    case Difference:
        return comparison_text::difference(m_metric, pair.difference);
    case Samples:
        return countsText(pair.samplesA, pair.samplesB);
    case Updates:
        return countsText(pair.updatesA, pair.updatesB);
    default:
        return {};
    }
}

QString PairModel::meanText(int column) const {
    const auto meanOf = [this](double PairedResult::*member) {
        double sum = 0.0;
        for (const PairedResult& pair : m_pairs)
            sum += pair.*member;
        return sum / static_cast<double>(m_pairs.size());
    };
    switch (column) {
    case Seed:
        return tr("Mean");
    case ValueA:
        return comparison_text::value(m_metric, meanOf(&PairedResult::a));
    case ValueB:
        return comparison_text::value(m_metric, meanOf(&PairedResult::b));
    case Difference:
        if (m_pairs.size() < 2)
            return comparison_text::difference(m_metric, m_test.meanDifference);
        return tr("%1 (SD %2)")
            .arg(comparison_text::difference(m_metric, m_test.meanDifference),
                 comparison_text::number(m_metric, m_test.sdDifference));
    default:
        return {};
    }
}

} // namespace accumulus::ui
