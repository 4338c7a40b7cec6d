// SPDX-License-Identifier: GPL-3.0-or-later
// Settings and environment of the groups side by side, over all their runs: what differs unexpectedly first, then what
// differs inside a group, then what may differ inside a pair, then (on demand) what is equal. GUI thread.
#pragma once

#include "core/analysis/compare.h"
#include "widgets/style/theme.h"

#include <QAbstractTableModel>
#include <QStringList>
#include <vector>

namespace accumulus::ui {

enum class DifferenceKind { Unexpected, Mixed, Expected, Equal }; ///< Mixed: not the same in all runs of a group

struct DifferenceRow {
    DifferenceKind kind = DifferenceKind::Equal;
    QString name, a, b;    ///< a setting by its key, as files and --set call it
    QStringList further{}; ///< of groups C to H
    [[nodiscard]] QStringList values() const { return QStringList{a, b} + further; }
    [[nodiscard]] QString title() const; ///< as the form calls it
    bool operator==(const DifferenceRow&) const = default;
};
/// Every setting that matters in a run of any group and every fact of the environment, over all runs: a group that
/// is mixed shows each value.
[[nodiscard]] std::vector<DifferenceRow> differenceRows(const ComparisonInput& input);

class DifferenceModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Setting, ValueA, ValueB, Kind }; ///< of two groups; further ones stand before Kind

    explicit DifferenceModel(const Theme& theme, QObject* parent = nullptr);
    void setRows(std::vector<DifferenceRow> rows);
    void setAllShown(bool on); ///< also the equal ones

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] std::size_t shown() const;
    [[nodiscard]] int kindColumn() const { return Kind + m_further; }

    const Theme& m_theme;
    std::vector<DifferenceRow> m_rows; ///< sorted by kind
    int m_further = 0;                 ///< groups beyond B
    bool m_all = false;
};

} // namespace accumulus::ui
