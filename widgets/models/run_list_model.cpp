// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/run_list_model.h"

#include "core/config/batch_plan.h"
#include "core/config/metric_rows.h"
#include "widgets/models/audit_text.h"
#include "widgets/models/comparison_text.h"
#include "widgets/models/field_words.h"
#include "widgets/style/format.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace accumulus::ui {
namespace {

RunColumn columnOf(int section) { return static_cast<RunColumn>(section); }

/// Not measured sorts below everything, so that a descending sort shows the best on top.
bool numberLess(double a, double b) {
    if (std::isnan(a) || std::isnan(b))
        return std::isnan(a) && !std::isnan(b);
    return a < b;
}

} // namespace

RunListModel::RunListModel(QObject* parent) : QAbstractTableModel(parent) {}

const RunRecord& RunListModel::record(int row) const { return m_rows[m_visible[static_cast<std::size_t>(row)]].record; }

const RunRecord* RunListModel::find(const QString& id) const {
    const auto found = std::ranges::find(m_rows, id, &RunRow::id);
    return found == m_rows.end() ? nullptr : &found->record;
}

int RunListModel::rowOf(const QString& id) const {
    for (std::size_t row = 0; row < m_visible.size(); ++row)
        if (m_rows[m_visible[row]].id == id)
            return static_cast<int>(row);
    return -1;
}

void RunListModel::setRows(std::vector<RunRow> rows) {
    // While a run trains the same list comes again and again: when every row keeps its place, only the differing ones
    // are announced.
    const bool sameIds = std::ranges::equal(rows, m_rows, {}, &RunRow::id, &RunRow::id);
    std::vector<bool> differs(rows.size(), false);
    if (sameIds)
        for (std::size_t i = 0; i < rows.size(); ++i)
            differs[i] = !showSame(rows[i], m_rows[i]);
    if (sameIds) {
        m_rows = std::move(rows);
        const std::vector<std::size_t> visible = matching();
        if (visible == m_visible) {
            for (std::size_t row = 0; row < m_visible.size(); ++row)
                if (differs[m_visible[row]])
                    Q_EMIT dataChanged(index(static_cast<int>(row), 0),
                                       index(static_cast<int>(row), columnCount() - 1));
            return;
        }
        beginResetModel();
        m_visible = visible;
        endResetModel();
        return;
    }
    beginResetModel();
    m_rows = std::move(rows);
    m_visible = matching();
    endResetModel();
}

void RunListModel::setQuery(const RunQuery& query) {
    m_query = query;
    std::vector<std::size_t> visible = matching();
    if (visible == m_visible)
        return;
    beginResetModel();
    m_visible = std::move(visible);
    endResetModel();
}

std::vector<std::size_t> RunListModel::matching() const {
    std::vector<std::size_t> visible;
    visible.reserve(m_rows.size());
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        if (m_query.matches(m_rows[i]))
            visible.push_back(i);
    sortVisible(visible);
    return visible;
}

void RunListModel::sortVisible(std::vector<std::size_t>& visible) const {
    const std::size_t column = indexOf(m_sortColumn);
    const bool numeric = isNumeric(m_sortColumn);
    const auto less = [&](std::size_t a, std::size_t b) {
        return numeric ? numberLess(m_rows[a].numbers[column], m_rows[b].numbers[column])
                       : m_rows[a].texts[column] < m_rows[b].texts[column];
    };
    if (m_sortOrder == Qt::AscendingOrder)
        std::ranges::stable_sort(visible, less);
    else
        std::ranges::stable_sort(visible, [&](std::size_t a, std::size_t b) { return less(b, a); });
}

void RunListModel::sort(int column, Qt::SortOrder order) {
    if (column < 0 || column >= columnCount())
        return;
    m_sortColumn = columnOf(column);
    m_sortOrder = order;
    Q_EMIT layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    const std::vector<std::size_t> before = m_visible;
    sortVisible(m_visible);
    std::vector<int> newRow(m_rows.size(), -1);
    for (std::size_t row = 0; row < m_visible.size(); ++row)
        newRow[m_visible[row]] = static_cast<int>(row);
    QModelIndexList from = persistentIndexList();
    QModelIndexList to;
    to.reserve(from.size());
    for (const QModelIndex& old : from)
        to << index(newRow[before[static_cast<std::size_t>(old.row())]], old.column());
    changePersistentIndexList(from, to);
    Q_EMIT layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

int RunListModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_visible.size());
}

int RunListModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(runColumnCount);
}

namespace {

/// m, K and B; under a ramp of the first and the last window.
QString rampedText(const RunRecord& run, RunColumn column, double first) {
    const BatchPlan& batch = run.batch;
    if (batch.ramp.empty())
        return format::count(std::llround(first));
    const auto of = [&](std::int64_t effective) {
        const std::int64_t micro = std::min(batch.micro, effective);
        return column == RunColumn::Batch   ? effective
               : column == RunColumn::Micro ? micro
                                            : (effective + micro * batch.devices - 1) / (micro * batch.devices);
    };
    const std::int64_t before = of(batch.effective);
    const std::int64_t after = of(batch.ramp.back().effective);
    return before == after ? format::count(before)
                           : QStringLiteral("%1 → %2").arg(format::count(before), format::count(after));
}

} // namespace

QString RunListModel::text(const RunRow& row, RunColumn column) const {
    const RunRecord& run = row.record;
    const double number = row.numbers[indexOf(column)];
    const auto measured = [&](auto show) { return std::isnan(number) ? QStringLiteral("–") : show(number); };
    switch (column) {
    case RunColumn::Status:
        return format::stateTitle(run);
    case RunColumn::Name:
        return format::fromUtf8(run.name);
    case RunColumn::Arm:
        return format::armTitle(run.arm);
    case RunColumn::Model:
        return choiceTitle(run.config.model.name);
    case RunColumn::Data:
        return choiceTitle(run.config.data.dataset);
    case RunColumn::Optimizer:
        return row.texts[indexOf(column)];
    case RunColumn::Precision:
        return row.texts[indexOf(column)];
    case RunColumn::Lr:
        return format::number(number);
    case RunColumn::FinalMetric:
        return comparison_text::result(mainMetric(run.config), metricOf(run.summary, mainMetric(run.config)));
    case RunColumn::BestAccuracy:
        return format::accuracy(run.summary.bestTestAccuracy);
    case RunColumn::SamplesPerSecond:
        return measured([](double value) { return format::count(std::llround(value)); });
    case RunColumn::ActiveTime:
        return measured([](double value) { return format::duration(value); });
    case RunColumn::Date:
        return measured([](double value) { return format::dateTime(value); });
    case RunColumn::Micro:
    case RunColumn::Steps:
    case RunColumn::Batch:
        return rampedText(run, column, number);
    case RunColumn::Audit: {
        const auto verdict = auditVerdictFromName(row.texts[indexOf(column)].toStdString());
        return verdict ? audit_text::verdictTitle(*verdict) : QString();
    }
    case RunColumn::Tags: {
        QStringList tags;
        for (const std::string& tag : run.tags)
            tags << format::fromUtf8(tag);
        return tags.join(QStringLiteral(", "));
    }
    default:
        return format::count(std::llround(number));
    }
}

QVariant RunListModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const RunRow& row = m_rows[m_visible[static_cast<std::size_t>(index.row())]];
    const RunColumn column = columnOf(index.column());
    switch (role) {
    case Qt::DisplayRole:
        return text(row, column);
    case Qt::ToolTipRole:
        if (column == RunColumn::Status && !row.record.error.empty())
            return format::fromUtf8(row.record.error);
        return column == RunColumn::Name ? text(row, column) : QVariant();
    case Qt::TextAlignmentRole:
        return isNumeric(column) && column != RunColumn::Date ? QVariant(int(Qt::AlignRight | Qt::AlignVCenter))
                                                              : QVariant(int(Qt::AlignLeft | Qt::AlignVCenter));
    case IdRole:
        return row.id;
    case StateRole:
        return static_cast<int>(row.record.state);
    case ArmRole:
        return static_cast<int>(row.record.arm);
    case AuditRole: {
        const auto verdict = auditVerdictFromName(row.texts[indexOf(RunColumn::Audit)].toStdString());
        return verdict ? static_cast<int>(*verdict) : -1;
    }
    default:
        return {};
    }
}

QVariant RunListModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const RunColumn column = columnOf(section);
    if (role == Qt::TextAlignmentRole)
        return isNumeric(column) && column != RunColumn::Date ? int(Qt::AlignRight | Qt::AlignVCenter)
                                                              : int(Qt::AlignLeft | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole) {
        switch (column) {
        case RunColumn::Micro:
            return tr("Micro-batch m: samples of one forward and backward pass");
        case RunColumn::Steps:
            return tr("Accumulation steps K: micro-batches behind one update");
        case RunColumn::Batch:
            return tr("Effective batch B: samples per update");
        case RunColumn::FinalMetric:
            return tr("What the loss is judged by, at the last evaluation: accuracy, RMSE, MAE or the loss itself");
        case RunColumn::Audit:
            return tr("Is its gradient that of the large batch? The newest audit of the run or of its set-up");
        case RunColumn::ActiveTime:
            return tr("Time spent training: no set-up, evaluation, checkpoint or pause");
        default:
            return {};
        }
    }
    if (role != Qt::DisplayRole)
        return {};
    switch (column) {
    case RunColumn::Status:
        return tr("Status");
    case RunColumn::Name:
        return tr("Name");
    case RunColumn::Arm:
        return tr("Arm");
    case RunColumn::Model:
        return tr("Model");
    case RunColumn::Data:
        return tr("Data");
    case RunColumn::Micro:
        return tr("m");
    case RunColumn::Steps:
        return tr("K");
    case RunColumn::Batch:
        return tr("B");
    case RunColumn::Optimizer:
        return tr("Optimizer");
    case RunColumn::Lr:
        return tr("Learning rate");
    case RunColumn::Precision:
        return tr("Precision");
    case RunColumn::Seed:
        return tr("Seed");
    case RunColumn::Samples:
        return tr("Samples");
    case RunColumn::Updates:
        return tr("Updates");
    case RunColumn::FinalMetric:
        return tr("Final metric");
    case RunColumn::BestAccuracy:
        return tr("Best accuracy");
    case RunColumn::SamplesPerSecond:
        return tr("Samples/s");
    case RunColumn::ActiveTime:
        return tr("Active time");
    case RunColumn::Date:
        return tr("Date");
    case RunColumn::Tags:
        return tr("Tags");
    case RunColumn::Audit:
        return tr("Audit");
    }
    return {};
}

} // namespace accumulus::ui
