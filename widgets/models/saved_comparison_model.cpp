// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/saved_comparison_model.h"

#include "widgets/models/comparison_text.h"
#include "widgets/models/saved_comparisons.h"
#include "widgets/style/format.h"

namespace accumulus::ui {

namespace {

/// "5 against 5", of more groups "A: 5, B: 5, C: 3".
QString runsText(const ComparisonRecord& record) {
    const auto count = [](const std::vector<std::string>& group) {
        return format::count(static_cast<qint64>(group.size()));
    };
    if (record.further.empty())
        return SavedComparisonModel::tr("%1 against %2", "numbers of runs")
            .arg(count(record.groupA), count(record.groupB));
    QStringList counts{count(record.groupA), count(record.groupB)};
    for (const auto& group : record.further)
        counts << count(group);
    for (qsizetype group = 0; group < counts.size(); ++group)
        counts[group].prepend(comparison_text::groupLetter(static_cast<std::size_t>(group)) + QStringLiteral(": "));
    return counts.join(QStringLiteral(", "));
}

} // namespace

void SavedComparisonModel::setRecords(std::vector<ComparisonRecord> records) {
    if (records == m_records)
        return; // a name that is being typed stays
    beginResetModel();
    m_records = std::move(records);
    endResetModel();
}

const ComparisonRecord* SavedComparisonModel::at(const QModelIndex& index) const {
    const auto row = static_cast<std::size_t>(index.row());
    return index.isValid() && row < m_records.size() ? &m_records[row] : nullptr;
}

int SavedComparisonModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_records.size());
}

int SavedComparisonModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant SavedComparisonModel::data(const QModelIndex& index, int role) const {
    const ComparisonRecord* record = at(index);
    if (record == nullptr || (role != Qt::DisplayRole && role != Qt::EditRole && role != Qt::ToolTipRole))
        return {};
    switch (index.column()) {
    case Name:
        return format::fromUtf8(record->name);
    case Metric: {
        const auto metric = metricFromName(record->metric);
        const QString title = metric ? comparison_text::metricTitle(*metric) : format::fromUtf8(record->metric);
        return record->together.empty()
                   ? title
                   : tr("%1 and %n more", nullptr, static_cast<int>(record->together.size())).arg(title);
    }
    case Margin:
        return marginNote(*record);
    case Runs:
        return runsText(*record);
    case Saved:
        return format::dateTime(record->createdAt);
    default:
        return {};
    }
}

QVariant SavedComparisonModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::Alignment(Qt::AlignLeft | Qt::AlignVCenter));
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Name:
        return tr("Name");
    case Metric:
        return tr("Judged by");
    case Margin:
        return tr("Margin");
    case Runs:
        return tr("Runs");
    case Saved:
        return tr("Saved on");
    default:
        return {};
    }
}

Qt::ItemFlags SavedComparisonModel::flags(const QModelIndex& index) const {
    const Qt::ItemFlags usual = QAbstractTableModel::flags(index);
    return index.column() == Name && m_writable ? usual | Qt::ItemIsEditable : usual;
}

bool SavedComparisonModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    const ComparisonRecord* record = at(index);
    const QString name = value.toString().trimmed();
    if (record == nullptr || role != Qt::EditRole || index.column() != Name || name.isEmpty() ||
        name.toStdString() == record->name)
        return false;
    Q_EMIT renameRequested(*record, name);
    return true;
}

} // namespace accumulus::ui
