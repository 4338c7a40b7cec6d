// SPDX-License-Identifier: GPL-3.0-or-later
// The library's table: all runs, of which those that match the query are rows, in the chosen order, on their own or
// under the row of their group, with the baseline on top. Made for 10 000 runs: rows are worked out once, a filter is
// one pass, the same rows read again only announce what differs. Never reads the library itself. GUI thread.
#pragma once

#include "widgets/models/run_baseline.h"
#include "widgets/models/run_filter.h"
#include "widgets/models/run_grouping.h"

#include <QAbstractTableModel>
#include <QCollator>
#include <QHash>
#include <QSet>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace accumulus::ui {

/// One of the columns that rows are sorted by.
struct SortKey {
    RunColumn column = RunColumn::Date;
    Qt::SortOrder order = Qt::DescendingOrder;
    bool operator==(const SortKey&) const = default;
};

class RunListModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Role {
        IdRole = Qt::UserRole, ///< the run's UUID; empty for a group
        StateRole,             ///< accumulus::RunState as int; -1: several
        ArmRole,               ///< accumulus::Arm as int; -1: several
        AuditRole,             ///< accumulus::AuditVerdict as int; -1: not audited
        VerdictRole,           ///< accumulus::Verdict as int; -1: none, or several
        GroupRole,             ///< of a group's row its key; empty for a run
        ExpandedRole,          ///< of a group's row: 1 its runs follow, 0 they do not, -1 they cannot
        ChildRole,             ///< a run below the row of its group
        BaselineRole,          ///< the row of the baseline
        DifferenceRole,        ///< "▲ +0.312", against the baseline; empty: none
        JudgementRole,         ///< accumulus::ui::Difference::judgement
        ColorRole,             ///< "#rrggbb" of the run, or empty
        ProtectedRole,         ///< cannot be moved to the trash
    };

    explicit RunListModel(QObject* parent = nullptr);

    using Rows = std::shared_ptr<const std::vector<RunRow>>;
    void setSharedRows(Rows rows); ///< made by makeRunRow, on any thread
    void setRows(std::vector<RunRow> rows) {
        setSharedRows(std::make_shared<const std::vector<RunRow>>(std::move(rows)));
    }
    void setQuery(const RunQuery& query);
    void setGrouping(RunGrouping grouping);
    /// Stays on top whatever the order and the query. One that is not among the rows is none.
    void setBaseline(const Baseline& baseline);
    void setExpanded(int row, bool expanded); ///< of a group's row
    void setAllExpanded(bool expanded);
    [[nodiscard]] const QSet<QString>& expandedGroups() const { return m_expanded; } ///< keys, of any grouping
    void setExpandedGroups(const QSet<QString>& keys);                               ///< also before they are there
    void reveal(const QStringList& runs); ///< opens the groups that hide them
    [[nodiscard]] RunGrouping grouping() const { return m_grouping; }
    [[nodiscard]] const Baseline& baseline() const { return m_baseline; }
    [[nodiscard]] bool hasBaselineRow() const { return !m_lines.empty() && m_lines.front().pinned; }

    [[nodiscard]] std::size_t totalCount() const { return m_rows->size(); }   ///< before the query
    [[nodiscard]] std::size_t matchingCount() const { return m_matching; }    ///< runs, in groups that are closed too
    [[nodiscard]] std::size_t groupCount() const { return m_matchingGroups; } ///< of them; 0 without grouping
    [[nodiscard]] bool matches(int row) const;            ///< the query; else it is there as the baseline, or below it
    [[nodiscard]] const RunRecord& record(int row) const; ///< of a run's row
    [[nodiscard]] const RunRecord* find(const QString& id) const; ///< shown or not; null when unknown
    [[nodiscard]] int rowOf(const QString& id) const;             ///< -1 when not shown
    [[nodiscard]] int rowOfGroup(const QString& key) const;       ///< -1 when not shown
    [[nodiscard]] int rowOfParent(int row) const;                 ///< of a run below its group; else -1
    /// The run, or those of the group that match; of a baseline of which none does, all.
    [[nodiscard]] QStringList runsOf(int row) const;
    [[nodiscard]] double number(int row, RunColumn column) const; ///< of a group the mean; NaN: not measured
    [[nodiscard]] Baseline asBaseline(int row) const;             ///< what this row would be
    [[nodiscard]] const std::vector<RunRow>& rows() const { return *m_rows; }
    [[nodiscard]] const std::vector<SortKey>& sortKeys() const { return m_sort; }
    void setSortKeys(std::vector<SortKey> keys);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    /// Names of runs and of studies can be edited; a group of a configuration has none of its own.
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    /// Of Qt::EditRole: only tells of it, the library has to be written.
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override; ///< by this column alone
    /// After those that are sorted by already; a column that is among them changes its order in its place.
    void sortAlso(int column, Qt::SortOrder order);

Q_SIGNALS:
    void baselineChanged();
    void sorted();
    void runRenamed(const QString& run, const QString& name);
    void studyRenamed(const QString& study, const QString& name);

private:
    /// A row of the table: a group, a run below its group, or a run on its own.
    struct Line {
        int group = -1; ///< index into m_groups
        int run = -1;   ///< index into m_rows
        bool pinned = false;
        bool operator==(const Line&) const = default;
        [[nodiscard]] bool isGroup() const { return run < 0; }
    };

    bool rebuild();                                   ///< groups and lines, announced as a reset where they differ
    void arrange();                                   ///< the same groups in the order of the sort keys
    [[nodiscard]] std::vector<RunGroup> makeGroups(); ///< of the matching runs, and the baseline's
    [[nodiscard]] std::vector<Line> makeLines() const;
    [[nodiscard]] std::vector<int> childrenOf(int group) const; ///< sorted
    void findLines();
    void announceAll();
    template <class Values>
    [[nodiscard]] bool before(const Values& a, const Values& b) const;
    [[nodiscard]] const Line& lineAt(int row) const { return m_lines[static_cast<std::size_t>(row)]; }
    [[nodiscard]] bool isVisible(std::size_t run) const;
    [[nodiscard]] const RunRow& sampleOf(const Line& line) const; ///< the run, or the first of the group
    [[nodiscard]] const RunNumbers& numbersOf(const Line& line) const;
    [[nodiscard]] bool canExpand(const Line& line) const;
    [[nodiscard]] std::optional<Difference> differenceOf(const Line& line, RunColumn column) const;
    [[nodiscard]] bool isStudy(const Line& line) const;
    [[nodiscard]] QString nameOf(const Line& line) const;         ///< of a run or of a study
    [[nodiscard]] bool groupTellsVerdict(const Line& line) const; ///< a run below it does not repeat it
    [[nodiscard]] QVariant groupData(const Line& line, RunColumn column, int role) const;
    [[nodiscard]] QVariant runData(const Line& line, RunColumn column, int role) const;

    Rows m_rows = std::make_shared<const std::vector<RunRow>>();
    QHash<QString, int> m_places;       ///< of the rows, by id
    std::vector<std::size_t> m_visible; ///< rows that match, in the order of the rows
    std::vector<RunGroup> m_groups;
    std::vector<Line> m_lines;
    std::vector<int> m_lineOfRun; ///< -1 when not shown
    std::size_t m_matching = 0, m_matchingGroups = 0;
    RunQuery m_query;
    QCollator m_names; ///< seed 2 before seed 10
    RunGrouping m_grouping = RunGrouping::None;
    Baseline m_baseline;
    int m_baselineGroup = -1, m_baselineRun = -1; ///< where the baseline is, if it is
    QSet<QString> m_expanded;                     ///< keys of groups
    std::vector<SortKey> m_sort{SortKey{}};
};

} // namespace accumulus::ui
