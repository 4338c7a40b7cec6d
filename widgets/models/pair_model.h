// SPDX-License-Identifier: GPL-3.0-or-later
// The pairs of a comparison as a table: seed, A, B, A - B, samples; the last row is the mean. GUI thread.
#pragma once

#include "widgets/models/comparison_text.h"

#include <QAbstractTableModel>

namespace accumulus::ui {

class PairModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Seed, ValueA, ValueB, Difference, Samples, Updates, ColumnCount };

    static constexpr int RunRole = Qt::UserRole; ///< id: of B's run in its column, else of A's; of the mean none

    using QAbstractTableModel::QAbstractTableModel;
    void setComparison(const Comparison& comparison, const comparison_text::PairNames& names);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] QString pairText(const PairedResult& pair, int column) const;
    [[nodiscard]] QString meanText(int column) const;

    std::vector<PairedResult> m_pairs;
    EquivalenceTest m_test;
    CompareMetric m_metric = CompareMetric::TestAccuracy;
    comparison_text::PairNames m_names;
};

} // namespace accumulus::ui
