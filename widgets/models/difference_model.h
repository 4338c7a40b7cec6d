// SPDX-License-Identifier: GPL-3.0-or-later
// Settings and environment of two groups side by side, over all their runs: what differs unexpectedly first, then what
// differs inside a group, then what may differ inside a pair, then (on demand) what is equal. GUI thread.
#pragma once

#include "core/analysis/compare.h"
#include "widgets/style/theme.h"

#include <QAbstractTableModel>
#include <QString>
#include <vector>

namespace accumulus::ui {

enum class DifferenceKind { Unexpected, Mixed, Expected, Equal }; ///< Mixed: not the same in all runs of a group

struct DifferenceRow {
    DifferenceKind kind = DifferenceKind::Equal;
    QString name, a, b;
    bool operator==(const DifferenceRow&) const = default;
};
/// Every setting that matters in a run of either group and every fact of the environment, over all runs: a group that
/// is mixed shows each value.
[[nodiscard]] std::vector<DifferenceRow> differenceRows(const ComparisonInput& input);

class DifferenceModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Setting, ValueA, ValueB, Kind, ColumnCount };

    explicit DifferenceModel(const Theme& theme, QObject* parent = nullptr);
    void setRows(std::vector<DifferenceRow> rows);
    void setAllShown(bool on); ///< also the equal ones

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] std::size_t shown() const;

    const Theme& m_theme;
    std::vector<DifferenceRow> m_rows; ///< sorted by kind
    bool m_all = false;
};

} // namespace accumulus::ui
