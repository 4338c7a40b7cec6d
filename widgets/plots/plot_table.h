// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers of a panel as a table, for reading and copying, and for people who cannot see the curves. A snapshot: it
// does not follow a run that trains. GUI thread.
#pragma once

#include "widgets/plots/plot_model.h"
#include "widgets/plots/table_copy.h"

#include <QAbstractTableModel>
#include <memory>
#include <optional>
#include <vector>

class QTableView;

namespace accumulus::ui {

/// One row for each visible x at which any curve has a point, ascending; x in the first column, then one column for
/// each curve with its raw values, empty where it has no point. Qt::EditRole gives the numbers as doubles.
class PlotTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    PlotTableModel(const PlotModel& plot, const AxisRange& visible, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    /// Tab-separated, with a header line; numbers with all their digits, as programs read them. It shares the numbers
    /// and outlives the model.
    [[nodiscard]] TableText text() const;

private:
    struct Numbers;
    std::shared_ptr<const Numbers> m_numbers;
};

/// Opens a window with the table; a second one for the same `parent` replaces the first. The window takes the model;
/// `text` is what "Copy all" copies.
QTableView* showTableWindow(const QString& title, QAbstractItemModel* model, TableText text, QWidget* parent);
/// The numbers of a panel in such a window.
void showPlotTable(const PlotModel& plot, const AxisRange& visible, QWidget* parent);

} // namespace accumulus::ui
