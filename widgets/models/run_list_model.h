// SPDX-License-Identifier: GPL-3.0-or-later
// The library's table: all runs, of which those that match the query are rows, in the chosen order. Made for 10 000
// runs: rows are worked out once, a filter is one pass, the same rows read again only announce what differs. Never
// reads the library itself. GUI thread.
#pragma once

#include "widgets/models/run_filter.h"
#include "widgets/models/run_row.h"

#include <QAbstractTableModel>
#include <vector>

namespace accumulus::ui {

class RunListModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Role {
        IdRole = Qt::UserRole, ///< the run's UUID
        StateRole,             ///< accumulus::RunState as int
        ArmRole,               ///< accumulus::Arm as int
        AuditRole,             ///< accumulus::AuditVerdict as int; -1: not audited
    };

    explicit RunListModel(QObject* parent = nullptr);

    void setRows(std::vector<RunRow> rows); ///< made by makeRunRow, on any thread
    void setQuery(const RunQuery& query);
    [[nodiscard]] std::size_t totalCount() const { return m_rows.size(); } ///< before the query
    [[nodiscard]] const RunRecord& record(int row) const;
    [[nodiscard]] const RunRecord* find(const QString& id) const; ///< shown or not; null when unknown
    [[nodiscard]] int rowOf(const QString& id) const;             ///< -1 when not shown
    [[nodiscard]] const std::vector<RunRow>& rows() const { return m_rows; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

private:
    [[nodiscard]] std::vector<std::size_t> matching() const; ///< sorted
    void sortVisible(std::vector<std::size_t>& visible) const;
    [[nodiscard]] QString text(const RunRow& row, RunColumn column) const;

    std::vector<RunRow> m_rows;
    std::vector<std::size_t> m_visible; ///< indices into m_rows
    RunQuery m_query;
    RunColumn m_sortColumn = RunColumn::Date;
    Qt::SortOrder m_sortOrder = Qt::DescendingOrder;
};

} // namespace accumulus::ui
