// SPDX-License-Identifier: GPL-3.0-or-later
// Saved comparisons as a table whose names can be edited; asks for the new name instead of changing it. GUI thread.
#pragma once

#include "core/store/comparison_records.h"

#include <QAbstractTableModel>
#include <vector>

namespace accumulus::ui {

class SavedComparisonModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Name, Metric, Margin, Runs, Saved, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;
    void setRecords(std::vector<ComparisonRecord> records); ///< equal ones change nothing
    void setWritable(bool on) { m_writable = on; }
    [[nodiscard]] const std::vector<ComparisonRecord>& records() const { return m_records; }
    [[nodiscard]] const ComparisonRecord* at(const QModelIndex& index) const; ///< null for an invalid one

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

Q_SIGNALS:
    void renameRequested(const accumulus::ComparisonRecord& record, const QString& name);

private:
    std::vector<ComparisonRecord> m_records;
    bool m_writable = true;
};

} // namespace accumulus::ui
