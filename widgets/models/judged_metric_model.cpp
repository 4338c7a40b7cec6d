// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/judged_metric_model.h"

#include "widgets/style/format.h"

namespace accumulus::ui {

void JudgedMetricModel::setMetrics(const std::vector<JudgedMetric>& metrics, const comparison_text::PairNames& names) {
    const bool sameRows = metrics.size() == m_metrics.size() && !metrics.empty(); // scroll and selection stay
    if (!sameRows)
        beginResetModel();
    m_metrics = metrics;
    m_names = names;
    if (!sameRows) {
        endResetModel();
        return;
    }
    Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
    Q_EMIT headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1);
}

int JudgedMetricModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_metrics.size());
}

int JudgedMetricModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QString JudgedMetricModel::text(const JudgedMetric& judged, int column) const {
    const CompareMetric metric = judged.metric;
    const EquivalenceTest& test = judged.test;
    switch (column) {
    case Metric:
        return comparison_text::metricTitle(metric);
    case Pairs:
        return format::count(static_cast<qint64>(test.n));
    case MeanA:
        return test.n > 0 ? comparison_text::value(metric, judged.meanA) : QStringLiteral("–");
    case MeanB:
        return test.n > 0 ? comparison_text::value(metric, judged.meanB) : QStringLiteral("–");
    case Difference:
        return test.n > 0 ? comparison_text::difference(metric, test.meanDifference) : QStringLiteral("–");
    case Interval:
        return test.n > 1 ? comparison_text::interval(metric, test.ci90Lower, test.ci90Upper) : QStringLiteral("–");
    case Margin: {
        const QString margin = QChar(0x00B1) + comparison_text::margin(metric, test.margin);
        return judged.marginFixed ? margin : tr("%1 (not fixed)", "a margin").arg(margin);
    }
    case PEquivalence:
        return format::number(judged.pEquivalence, 2);
    case PDifference:
        return format::number(judged.pDifference, 2);
    case Word:
        return comparison_text::verdictTitle(test.verdict);
    default:
        return {};
    }
}

QVariant JudgedMetricModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    if (role == Qt::TextAlignmentRole) {
        const bool words = index.column() == Metric || index.column() == Word;
        return QVariant::fromValue(Qt::Alignment((words ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter));
    }
    if (role == Qt::DisplayRole || role == Qt::ToolTipRole)
        return text(m_metrics[static_cast<std::size_t>(index.row())], index.column());
    return {};
}

QVariant JudgedMetricModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole) {
        const bool words = section == Metric || section == Word;
        return QVariant::fromValue(Qt::Alignment((words ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter));
    }
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Metric:
        return tr("Metric");
    case Pairs:
        return tr("Pairs");
    case MeanA:
        return m_names.letterA;
    case MeanB:
        return m_names.letterB;
    case Difference:
        return m_names.difference();
    case Interval:
        return tr("90 % interval");
    case Margin:
        return tr("Margin");
    case PEquivalence:
        return tr("p, equivalence");
    case PDifference:
        return tr("p, difference");
    case Word:
        return tr("Verdict");
    default:
        return {};
    }
}

} // namespace accumulus::ui
