// SPDX-License-Identifier: GPL-3.0-or-later
// The groups of a comparison against the reference as a table: outcome, difference, interval, number of pairs, margin,
// corrected p values. A row for each member of the family. GUI thread.
#pragma once

#include "widgets/models/comparison_text.h"
#include "widgets/style/theme.h"

#include <QAbstractTableModel>
#include <vector>

namespace accumulus::ui {

class GroupVerdictModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Group, Word, Difference, Interval, Pairs, Margin, PEquivalence, PDifference, ColumnCount };

    explicit GroupVerdictModel(const Theme& theme, QObject* parent = nullptr);
    void setFamily(const ComparisonInput& input, const FamilyComparison& family);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row {
        QString title;
        CompareMetric metric = CompareMetric::TestAccuracy;
        EquivalenceTest test;
        double pEquivalence = 1.0, pDifference = 1.0; ///< corrected where there are several pairs
    };
    [[nodiscard]] static QString text(const Row& row, int column);

    const Theme& m_theme;
    std::vector<Row> m_rows;
    QString m_reference; ///< its letter
};

} // namespace accumulus::ui
