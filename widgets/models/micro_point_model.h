// SPDX-License-Identifier: GPL-3.0-or-later
// The sizes of a plan as a table: m, K, lanes, memory, speed, time of an update, overhead, result. GUI thread.
#pragma once

#include "core/analysis/micro_plan.h"

#include <QAbstractTableModel>

namespace accumulus::ui {

class MicroPointModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Micro, Steps, Lanes, Memory, Speed, UpdateTime, Overhead, Result, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;
    /// Keeps the rows that are there, so that a selection stays while more come. `whole`: no size is left to be tried;
    /// else what is recommended is so of those that were tried so far.
    void setPlan(MicroPlan plan, bool whole = true);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] QString text(std::size_t row, int column) const;
    [[nodiscard]] QString resultText(std::size_t row) const;

    MicroPlan m_plan;
    bool m_whole = true;
};

} // namespace accumulus::ui
