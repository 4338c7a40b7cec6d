// SPDX-License-Identifier: GPL-3.0-or-later
// All runs of the library with the group of a comparison that each belongs to. Members stand first, then the newest
// runs. GUI thread.
#pragma once

#include "core/store/run_records.h"

#include <QAbstractTableModel>
#include <QList>
#include <QStringList>
#include <optional>
#include <vector>

namespace accumulus::ui {

class GroupModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Group, Name, Arm, Split, Seed, State, Result, Created, ColumnCount };
    /// The group of a run: 0 is A. Nothing: none.
    using Membership = std::optional<std::size_t>;

    using QAbstractTableModel::QAbstractTableModel;
    /// The same runs stay where they are: only what has changed is told. Others are a reset.
    void setRuns(std::vector<RunRecord> runs);
    void setGroups(const QList<QStringList>& groups);
    /// A run is in one group at most.
    void move(const QList<int>& rows, Membership to);
    [[nodiscard]] const QList<QStringList>& groups() const { return m_groups; }
    [[nodiscard]] const RunRecord& run(int row) const { return m_runs[static_cast<std::size_t>(row)]; }
    [[nodiscard]] Membership membership(int row) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

Q_SIGNALS:
    void groupsMoved(); ///< by move()

private:
    [[nodiscard]] Membership membership(const RunRecord& run) const;
    [[nodiscard]] bool update(const std::vector<RunRecord>& runs);
    void sortMembersFirst();
    [[nodiscard]] QString text(const RunRecord& run, int column) const;

    std::vector<RunRecord> m_runs;
    QList<QStringList> m_groups; ///< also runs that are not in m_runs
};

} // namespace accumulus::ui
