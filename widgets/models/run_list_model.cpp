// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/run_list_model.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace accumulus::ui {
namespace {

/// Not measured sorts below everything, so that a descending sort shows the best on top.
int compareNumbers(double a, double b) {
    if (std::isnan(a) || std::isnan(b))
        return static_cast<int>(std::isnan(b)) - static_cast<int>(std::isnan(a));
    return a < b ? -1 : a > b ? 1 : 0;
}

RunGrouping groupingOf(const Baseline& baseline) {
    return baseline.kind == Baseline::Kind::Study           ? RunGrouping::Study
           : baseline.kind == Baseline::Kind::Configuration ? RunGrouping::Configuration
                                                            : RunGrouping::None;
}

} // namespace

RunListModel::RunListModel(QObject* parent)
    : QAbstractTableModel(parent), m_names(QLocale().language() == QLocale::C ? QLocale(QLocale::English) : QLocale()) {
    m_names.setNumericMode(true);
}

const RunRecord& RunListModel::record(int row) const { return sampleOf(lineAt(row)).record; }

const RunRecord* RunListModel::find(const QString& id) const {
    const int place = m_places.value(id, -1);
    return place < 0 ? nullptr : &(*m_rows)[static_cast<std::size_t>(place)].record;
}

int RunListModel::rowOf(const QString& id) const {
    const int place = m_places.value(id, -1);
    return place < 0 ? -1 : m_lineOfRun[static_cast<std::size_t>(place)];
}

int RunListModel::rowOfGroup(const QString& key) const {
    const auto found = std::ranges::find_if(m_lines, [&](const Line& line) {
        return line.isGroup() && m_groups[static_cast<std::size_t>(line.group)].key == key;
    });
    return found == m_lines.end() ? -1 : static_cast<int>(found - m_lines.begin());
}

int RunListModel::rowOfParent(int row) const {
    if (lineAt(row).isGroup() || lineAt(row).group < 0)
        return -1;
    while (!lineAt(row).isGroup())
        --row;
    return row;
}

QStringList RunListModel::runsOf(int row) const {
    const Line& line = lineAt(row);
    if (!line.isGroup())
        return {sampleOf(line).id};
    const bool some = matches(row);
    QStringList ids;
    for (const std::size_t run : m_groups[static_cast<std::size_t>(line.group)].runs)
        if (!some || isVisible(run))
            ids << (*m_rows)[run].id;
    return ids;
}

bool RunListModel::isVisible(std::size_t run) const { return std::ranges::binary_search(m_visible, run); }

bool RunListModel::matches(int row) const {
    const Line& line = lineAt(row);
    if (!line.isGroup())
        return isVisible(static_cast<std::size_t>(line.run));
    return std::ranges::any_of(m_groups[static_cast<std::size_t>(line.group)].runs,
                               [this](std::size_t run) { return isVisible(run); });
}

double RunListModel::number(int row, RunColumn column) const { return numbersOf(lineAt(row))[indexOf(column)]; }

Baseline RunListModel::asBaseline(int row) const {
    const Line& line = lineAt(row);
    if (!line.isGroup())
        return {Baseline::Kind::Run, sampleOf(line).id};
    if (line.pinned)
        return m_baseline;
    return {m_grouping == RunGrouping::Study ? Baseline::Kind::Study : Baseline::Kind::Configuration,
            m_groups[static_cast<std::size_t>(line.group)].key};
}

const RunRow& RunListModel::sampleOf(const Line& line) const {
    return (*m_rows)[line.isGroup() ? m_groups[static_cast<std::size_t>(line.group)].runs.front()
                                    : static_cast<std::size_t>(line.run)];
}

const RunNumbers& RunListModel::numbersOf(const Line& line) const {
    return line.isGroup() ? m_groups[static_cast<std::size_t>(line.group)].numbers : sampleOf(line).numbers;
}

/// The baseline's runs stand in the list where the list has no groups of its kind.
bool RunListModel::canExpand(const Line& line) const {
    return line.isGroup() && (!line.pinned || groupingOf(m_baseline) == m_grouping);
}

void RunListModel::setSharedRows(Rows rows) {
    // While a run trains the same list comes again and again: when every row keeps its place, only the differing ones
    // are announced.
    const bool sameIds = std::ranges::equal(*rows, *m_rows, {}, &RunRow::id, &RunRow::id);
    std::vector<bool> differs(rows->size(), false);
    if (sameIds)
        for (std::size_t i = 0; i < rows->size(); ++i)
            differs[i] = !showSame((*rows)[i], (*m_rows)[i]);
    if (!sameIds) {
        beginResetModel();
        m_rows = std::move(rows);
        m_places.clear();
        for (std::size_t i = 0; i < m_rows->size(); ++i)
            m_places.insert((*m_rows)[i].id, static_cast<int>(i));
        m_groups = makeGroups();
        m_lines = makeLines();
        findLines();
        endResetModel();
        return;
    }
    m_rows = std::move(rows);
    if (rebuild())
        return;
    const auto groupRunsOf = [this](const Line& line) {
        return line.isGroup() ? m_groups[static_cast<std::size_t>(line.group)].runs : std::vector<std::size_t>();
    };
    const auto changed = [&](std::size_t run) { return differs[run]; };
    const bool baselineDiffers =
        hasBaselineRow() && (m_lines.front().isGroup() ? std::ranges::any_of(groupRunsOf(m_lines.front()), changed)
                                                       : changed(static_cast<std::size_t>(m_lines.front().run)));
    if (baselineDiffers) // all others are measured against it
        return announceAll();
    for (std::size_t row = 0; row < m_lines.size(); ++row) {
        const Line& line = m_lines[row];
        const bool differ = line.isGroup() ? std::ranges::any_of(groupRunsOf(line), changed)
                                           : changed(static_cast<std::size_t>(line.run));
        if (differ)
            Q_EMIT dataChanged(index(static_cast<int>(row), 0), index(static_cast<int>(row), columnCount() - 1));
    }
}

void RunListModel::announceAll() {
    if (!m_lines.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

void RunListModel::setQuery(const RunQuery& query) {
    m_query = query;
    rebuild();
}

void RunListModel::setGrouping(RunGrouping grouping) {
    if (std::exchange(m_grouping, grouping) != grouping)
        rebuild();
}

void RunListModel::setBaseline(const Baseline& baseline) {
    if (m_baseline == baseline)
        return;
    m_baseline = baseline;
    rebuild();
    announceAll();
    Q_EMIT baselineChanged();
}

bool RunListModel::rebuild() {
    std::vector<RunGroup> groups = makeGroups();
    std::swap(m_groups, groups);
    std::vector<Line> lines = makeLines();
    // The same places may be those of other groups.
    if (lines == m_lines && std::ranges::equal(groups, m_groups, {}, &RunGroup::runs, &RunGroup::runs))
        return false;
    std::swap(m_groups, groups); // who hears of the reset may look at the rows as they were
    beginResetModel();
    std::swap(m_groups, groups);
    m_lines = std::move(lines);
    findLines();
    endResetModel();
    return true;
}

std::vector<RunGroup> RunListModel::makeGroups() {
    m_visible.clear();
    for (std::size_t i = 0; i < m_rows->size(); ++i)
        if (m_query.matches((*m_rows)[i]))
            m_visible.push_back(i);
    m_matching = m_visible.size();
    std::vector<RunGroup> groups;
    if (m_grouping != RunGrouping::None)
        groups = groupRuns(*m_rows, m_visible, m_grouping);
    m_matchingGroups = groups.size();

    m_baselineRun = m_baseline.kind == Baseline::Kind::Run ? m_places.value(m_baseline.key, -1) : -1;
    m_baselineGroup = -1;
    const RunGrouping by = groupingOf(m_baseline);
    if (by == RunGrouping::None)
        return groups;
    // All of its runs: what the others are measured against does not hang on the query.
    std::vector<std::size_t> members;
    for (std::size_t i = 0; i < m_rows->size(); ++i)
        if (groupKey((*m_rows)[i], by) == m_baseline.key)
            members.push_back(i);
    if (members.empty())
        return groups;
    auto place = groups.end();
    if (by == m_grouping)
        place = std::ranges::find(groups, m_baseline.key, &RunGroup::key);
    m_baselineGroup = static_cast<int>(place - groups.begin());
    RunGroup group = makeGroup(*m_rows, m_baseline.key, std::move(members));
    if (place == groups.end())
        groups.push_back(std::move(group));
    else
        *place = std::move(group);
    return groups;
}

template <class Values>
bool RunListModel::before(const Values& a, const Values& b) const {
    for (const SortKey& key : m_sort) {
        const std::size_t column = indexOf(key.column);
        const int order = isNumeric(key.column)           ? compareNumbers(a.numbers[column], b.numbers[column])
                          : key.column == RunColumn::Name ? m_names.compare(a.texts[column], b.texts[column])
                                                          : QString::compare(a.texts[column], b.texts[column]);
        if (order != 0)
            return key.order == Qt::AscendingOrder ? order < 0 : order > 0;
    }
    return false;
}

std::vector<int> RunListModel::childrenOf(int group) const {
    std::vector<int> children;
    for (const std::size_t run : m_groups[static_cast<std::size_t>(group)].runs)
        if (static_cast<int>(run) != m_baselineRun) // it stands on top
            children.push_back(static_cast<int>(run));
    std::ranges::stable_sort(children, [this](int a, int b) {
        return before((*m_rows)[static_cast<std::size_t>(a)], (*m_rows)[static_cast<std::size_t>(b)]);
    });
    return children;
}

std::vector<RunListModel::Line> RunListModel::makeLines() const {
    std::vector<Line> lines;
    const auto addGroup = [&](int group, bool pinned) {
        lines.push_back({group, -1, pinned});
        if (canExpand(lines.back()) && m_expanded.contains(m_groups[static_cast<std::size_t>(group)].key))
            for (const int run : childrenOf(group))
                lines.push_back({group, run, false});
    };
    if (m_baselineRun >= 0)
        lines.push_back({-1, m_baselineRun, true});
    else if (m_baselineGroup >= 0)
        addGroup(m_baselineGroup, true);
    if (m_grouping == RunGrouping::None) {
        std::vector<std::size_t> order = m_visible;
        std::ranges::stable_sort(order,
                                 [this](std::size_t a, std::size_t b) { return before((*m_rows)[a], (*m_rows)[b]); });
        for (const std::size_t run : order)
            if (static_cast<int>(run) != m_baselineRun)
                lines.push_back({-1, static_cast<int>(run), false});
        return lines;
    }
    std::vector<int> order(m_groups.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, [this](int a, int b) {
        return before(m_groups[static_cast<std::size_t>(a)], m_groups[static_cast<std::size_t>(b)]);
    });
    for (const int group : order) {
        const std::vector<std::size_t>& runs = m_groups[static_cast<std::size_t>(group)].runs;
        if (group == m_baselineGroup)
            continue;
        if (m_grouping == RunGrouping::Study && runs.size() == 1) { // a study of one run is that run
            if (static_cast<int>(runs.front()) != m_baselineRun)
                lines.push_back({-1, static_cast<int>(runs.front()), false});
        } else {
            addGroup(group, false);
        }
    }
    return lines;
}

void RunListModel::findLines() {
    m_lineOfRun.assign(m_rows->size(), -1);
    for (std::size_t row = 0; row < m_lines.size(); ++row)
        if (!m_lines[row].isGroup())
            m_lineOfRun[static_cast<std::size_t>(m_lines[row].run)] = static_cast<int>(row);
}

void RunListModel::setExpanded(int row, bool expanded) {
    const Line line = lineAt(row);
    if (!canExpand(line))
        return;
    const QString key = m_groups[static_cast<std::size_t>(line.group)].key;
    if (m_expanded.contains(key) == expanded)
        return;
    const std::vector<int> children = childrenOf(line.group);
    const auto first = m_lines.begin() + row + 1;
    const int last = row + static_cast<int>(children.size());
    if (expanded)
        m_expanded.insert(key);
    else
        m_expanded.remove(key);
    if (!children.empty() && expanded) {
        beginInsertRows({}, row + 1, last);
        std::vector<Line> added;
        for (const int run : children)
            added.push_back({line.group, run, false});
        m_lines.insert(first, added.begin(), added.end());
        findLines();
        endInsertRows();
    } else if (!children.empty()) {
        beginRemoveRows({}, row + 1, last);
        m_lines.erase(first, first + static_cast<std::ptrdiff_t>(children.size()));
        findLines();
        endRemoveRows();
    }
    Q_EMIT dataChanged(index(row, 0), index(row, columnCount() - 1), {ExpandedRole});
}

void RunListModel::reveal(const QStringList& runs) {
    for (const QString& run : runs)
        if (const int place = m_places.value(run, -1); place >= 0 && rowOf(run) < 0)
            if (const int row = rowOfGroup(groupKey((*m_rows)[static_cast<std::size_t>(place)], m_grouping)); row >= 0)
                setExpanded(row, true);
}

void RunListModel::setAllExpanded(bool expanded) {
    QSet<QString> keys;
    if (expanded)
        for (const RunGroup& group : m_groups)
            keys.insert(group.key);
    setExpandedGroups(keys);
}

void RunListModel::setExpandedGroups(const QSet<QString>& keys) {
    m_expanded = keys;
    rebuild();
    announceAll();
}

void RunListModel::sort(int column, Qt::SortOrder order) {
    if (column >= 0 && column < columnCount())
        setSortKeys({{static_cast<RunColumn>(column), order}});
}

void RunListModel::sortAlso(int column, Qt::SortOrder order) {
    if (column < 0 || column >= columnCount())
        return;
    std::vector<SortKey> keys = m_sort;
    const auto known = std::ranges::find(keys, static_cast<RunColumn>(column), &SortKey::column);
    if (known == keys.end())
        keys.push_back({static_cast<RunColumn>(column), order});
    else
        known->order = known->order == Qt::AscendingOrder ? Qt::DescendingOrder : Qt::AscendingOrder;
    setSortKeys(std::move(keys));
}

void RunListModel::setSortKeys(std::vector<SortKey> keys) {
    if (keys.empty())
        return;
    m_sort = std::move(keys);
    arrange();
    Q_EMIT sorted();
}

void RunListModel::arrange() {
    Q_EMIT layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    const std::vector<Line> earlier = std::exchange(m_lines, makeLines());
    findLines();
    std::vector<int> rowOfGroup(m_groups.size(), -1);
    for (std::size_t row = 0; row < m_lines.size(); ++row)
        if (m_lines[row].isGroup())
            rowOfGroup[static_cast<std::size_t>(m_lines[row].group)] = static_cast<int>(row);
    QModelIndexList from = persistentIndexList();
    QModelIndexList to;
    to.reserve(from.size());
    for (const QModelIndex& old : from) {
        const Line& line = earlier[static_cast<std::size_t>(old.row())];
        to << index(line.isGroup() ? rowOfGroup[static_cast<std::size_t>(line.group)]
                                   : m_lineOfRun[static_cast<std::size_t>(line.run)],
                    old.column());
    }
    changePersistentIndexList(from, to);
    Q_EMIT layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

int RunListModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_lines.size());
}

int RunListModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(runColumnCount);
}

} // namespace accumulus::ui
