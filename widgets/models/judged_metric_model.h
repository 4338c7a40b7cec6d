// SPDX-License-Identifier: GPL-3.0-or-later
// The metrics of a comparison that are judged together as a table: means, difference, interval, margin, corrected p
// values, verdict. GUI thread.
#pragma once

#include "widgets/models/comparison_text.h"

#include <QAbstractTableModel>
#include <vector>

namespace accumulus::ui {

class JudgedMetricModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        Metric,
        Pairs,
        MeanA,
        MeanB,
        Difference,
        Interval,
        Margin,
        PEquivalence,
        PDifference,
        Word,
        ColumnCount
    };

    using QAbstractTableModel::QAbstractTableModel;
    void setMetrics(const std::vector<JudgedMetric>& metrics, const comparison_text::PairNames& names);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] QString text(const JudgedMetric& judged, int column) const;
    std::vector<JudgedMetric> m_metrics;
    comparison_text::PairNames m_names;
};

} // namespace accumulus::ui
