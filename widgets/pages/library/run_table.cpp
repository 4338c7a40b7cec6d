// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/library/run_table.h"

#include "widgets/pages/library/frozen_columns.h"
#include "widgets/pages/library/run_delegate.h"
#include "widgets/pages/library/run_header.h"

#include <QKeyEvent>
#include <QMenu>
#include <QSettings>
#include <algorithm>
#include <array>
#include <utility>

namespace accumulus::ui {
namespace {

constexpr int minimumRowHeight = 28;
constexpr int titleRoom = 36;                 ///< for margins and the mark of the order
constexpr int mostMeasuredRows = 50;          ///< more than a window shows
constexpr int usuallyFrozen = 1;              ///< names
constexpr auto layoutKey = "library/columns"; ///< of the settings
/// Where earlier versions kept the layout, the newest first.
constexpr std::array earlierLayoutKeys{"library/columns-4-28", "library/columns-4-27"};

int rowHeightOf(const QFontMetrics& metrics) { return std::max(minimumRowHeight, metrics.height() + 12); }

QVariantMap rememberedLayout() {
    const QSettings settings;
    if (settings.contains(QLatin1String(layoutKey)))
        return settings.value(QLatin1String(layoutKey)).toMap();
    for (const char* key : earlierLayoutKeys)
        if (settings.contains(QLatin1String(key)))
            return settings.value(QLatin1String(key)).toMap();
    return {};
}

} // namespace

RunTable::RunTable(const Theme& theme, RunListModel& model, QWidget* parent) : QTableView(parent), m_model(model) {
    setObjectName(QStringLiteral("runTable"));
    setAccessibleName(tr("Runs"));
    auto* header = new RunHeader(model, this);
    setHorizontalHeader(header);
    setModel(&model);
    setItemDelegate(new RunDelegate(theme, this));
    setSelectionBehavior(SelectRows);
    setSelectionMode(ExtendedSelection);
    setShowGrid(false);
    setAlternatingRowColors(true);
    setWordWrap(false);
    setTextElideMode(Qt::ElideMiddle); // names of one study differ at their end
    setTabKeyNavigation(false);
    setHorizontalScrollMode(ScrollPerPixel);
    setFrameShape(QFrame::NoFrame);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setDefaultSectionSize(rowHeightOf(fontMetrics()));
    setEditTriggers(NoEditTriggers); // renaming is an action: a double click opens the details
    horizontalHeader()->setSectionsMovable(true);
    auto* above = new QTableView(this);
    auto* aboveHeader = new RunHeader(model, above);
    m_frozen = new FrozenColumns(*this, *above, aboveHeader);
    connect(header, &QHeaderView::sectionResized, this, [this](int section, int before, int width) {
        if (width == 0) // it is being hidden
            m_hiddenWidths[section] = before;
    });
    resetColumns();
    setLayoutState(rememberedLayout());

    for (QTableView* view : {static_cast<QTableView*>(this), above}) // a click on a header sorts, and selects nothing
        for (const auto signal : {&QHeaderView::sectionPressed, &QHeaderView::sectionEntered})
            disconnect(view->horizontalHeader(), signal, view, nullptr);
    for (const QHeaderView* one : {header, aboveHeader})
        connect(one, &QHeaderView::customContextMenuRequested, this, [this, one](const QPoint& position) {
            showColumnMenu(one->logicalIndexAt(position), one->mapToGlobal(position));
        });
    connect(&model, &QAbstractItemModel::modelAboutToBeReset, this, &RunTable::keepSelection);
    connect(&model, &QAbstractItemModel::modelReset, this, &RunTable::restoreSelection);
    connect(&model, &QAbstractItemModel::modelReset, this, &RunTable::makeRoomForDifferences);
    connect(&model, &QAbstractItemModel::modelReset, this, [this] { fitColumns(0, m_model.rowCount() - 1); });
    connect(&model, &QAbstractItemModel::rowsInserted, this,
            [this](const QModelIndex&, int first, int last) { fitColumns(first, last); });
    connect(&model, &QAbstractItemModel::dataChanged, this,
            [this](const QModelIndex& first, const QModelIndex& last) { fitColumns(first.row(), last.row()); });
    connect(&model, &QAbstractItemModel::dataChanged, this, &RunTable::selectionSettled);
    connect(selectionModel(), &QItemSelectionModel::selectionChanged, this, &RunTable::selectionSettled);
    connect(&theme, &Theme::changed, viewport(), qOverload<>(&QWidget::update));
    connect(&theme, &Theme::changed, above->viewport(), qOverload<>(&QWidget::update));
}

RunTable::~RunTable() { saveColumns(); }

void RunTable::saveColumns() const { QSettings().setValue(QLatin1String(layoutKey), layoutState()); }

QVariantMap RunTable::layoutState() const {
    ColumnLayout columns = layoutOf(*horizontalHeader(), m_hiddenWidths);
    for (PlacedColumn& placed : columns)
        if (placed.width == m_fitted.value(static_cast<int>(placed.column)))
            placed.width = 0; // it follows font and content the next time, too
    return {{QStringLiteral("columns"), layoutTexts(columns)},
            {QStringLiteral("sort"), sortText(m_model.sortKeys())},
            {QStringLiteral("frozen"), m_frozen->count()},
            {QStringLiteral("differences"), m_roomForDifferences}};
}

void RunTable::setLayoutState(const QVariantMap& state) {
    if (state.isEmpty())
        return;
    const QVariant columns = state.value(QStringLiteral("columns"));
    const ColumnLayout layout =
        columns.isValid() ? layoutFrom(columns.toStringList())
                          : layoutFromState(*horizontalHeader(), state.value(QStringLiteral("header")).toByteArray());
    if (!layout.empty())
        placeColumns(layout, state.value(QStringLiteral("differences")).toBool());
    m_model.setSortKeys(sortKeysFrom(state.value(QStringLiteral("sort")).toString()));
    showTrash(m_trash);
    makeRoomForDifferences();
    int frozen = state.value(QStringLiteral("frozen")).toInt();
    const QList<RunColumn> shown = shownColumns();
    for (int place = 0; place < std::min(frozen, static_cast<int>(shown.size())); ++place)
        frozen += layout.empty() || knows(layout, shown[place]) ? 0 : 1; // those that were kept in sight still are
    setFrozen(frozen);
}

/// `roomForDifferences`: whether the layout's widths have it.
void RunTable::placeColumns(const ColumnLayout& layout, bool roomForDifferences) {
    QHeaderView* header = horizontalHeader();
    setFrozen(0);
    m_roomForDifferences = roomForDifferences;
    m_fitted.clear();
    int place = 0;
    for (const PlacedColumn& placed : completed(layout)) {
        const int section = static_cast<int>(placed.column);
        header->moveSection(header->visualIndex(section), place++);
        header->setSectionHidden(section, false); // only then it tells of its width
        if (placed.width > 0)
            header->resizeSection(section, placed.width);
        else
            giveWidth(section, widthFor(section, 0, m_model.rowCount() - 1));
        header->setSectionHidden(section, placed.hidden);
    }
}

/// As its title and what stands in these rows need it, within bounds.
int RunTable::widthFor(int section, int firstRow, int lastRow) const {
    const auto column = static_cast<RunColumn>(section);
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    const QFontMetrics ofGroups(bold), ofRuns = fontMetrics();
    const QString title = m_model.headerData(section, Qt::Horizontal, Qt::DisplayRole).toString();
    const int least = ofRuns.horizontalAdvance(title) + titleRoom;
    int needed = 0;
    for (int row = firstRow; row <= std::min({lastRow, firstRow + mostMeasuredRows, m_model.rowCount() - 1}); ++row) {
        const QModelIndex cell = m_model.index(row, section);
        const bool isRun =
            cell.data(RunListModel::GroupRole).toString().isEmpty() && !cell.data(RunListModel::BaselineRole).toBool();
        needed = std::max(needed, (isRun ? ofRuns : ofGroups).horizontalAdvance(cell.data().toString()));
    }
    const int most = ofRuns.averageCharWidth() * (column == RunColumn::Name ? 38 : 30);
    return std::max(least, std::min(needed, most) + RunDelegate::roomBesideText(column)) + differenceRoom(column);
}

int RunTable::differenceRoom(RunColumn column) const {
    return m_roomForDifferences && isMeasured(column) ? RunDelegate::differenceWidth(fontMetrics()) : 0;
}

/// Columns that a person has given no width grow with what stands in these rows; `anew`: or shrink.
void RunTable::fitColumns(int firstRow, int lastRow, bool anew) {
    QHeaderView* header = horizontalHeader();
    for (int section = 0; section < header->count(); ++section) {
        const int now = header->sectionSize(section);
        if (header->isSectionHidden(section) || now != m_fitted.value(section, -1))
            continue;
        const int width = widthFor(section, firstRow, lastRow);
        if (const int wanted = anew ? width : std::max(now, width); wanted != now)
            giveWidth(section, wanted);
    }
}

void RunTable::giveWidth(int section, int width) {
    m_fitted[section] = width;
    horizontalHeader()->resizeSection(section, width);
}

void RunTable::changeEvent(QEvent* event) {
    QTableView::changeEvent(event);
    if (event->type() != QEvent::FontChange || !m_frozen)
        return;
    m_frozen->setRowHeight(rowHeightOf(fontMetrics()));
    fitColumns(0, m_model.rowCount() - 1, true);
}

void RunTable::resetColumns() {
    placeColumns({}, false);
    showTrash(m_trash);
    makeRoomForDifferences();
    setFrozen(usuallyFrozen);
    m_model.setSortKeys({SortKey{}});
}

void RunTable::setFrozen(int columns) { m_frozen->setCount(columns); }

void RunTable::showTrash(bool trash) {
    m_trash = trash;
    setColumnHidden(static_cast<int>(RunColumn::DaysLeft), !trash);
}

QList<RunColumn> RunTable::shownColumns() const {
    QList<RunColumn> columns;
    for (int place = 0; place < horizontalHeader()->count(); ++place)
        if (const int section = horizontalHeader()->logicalIndex(place); !isColumnHidden(section))
            columns << static_cast<RunColumn>(section);
    return columns;
}

/// Measured columns grow by what a difference takes, and shrink again when the baseline goes.
void RunTable::makeRoomForDifferences() {
    if (m_roomForDifferences == m_model.hasBaselineRow())
        return;
    m_roomForDifferences = m_model.hasBaselineRow();
    const int more = RunDelegate::differenceWidth(fontMetrics()) * (m_roomForDifferences ? 1 : -1);
    for (std::size_t column = 0; column < runColumnCount; ++column)
        if (const int section = static_cast<int>(column);
            isMeasured(static_cast<RunColumn>(column)) && !isColumnHidden(section)) {
            const int width = std::max(40, columnWidth(section) + more);
            if (columnWidth(section) == m_fitted.value(section, -1))
                giveWidth(section, width);
            else
                horizontalHeader()->resizeSection(section, width);
        }
}

QStringList RunTable::selectedRuns() const {
    QModelIndexList rows = selectionModel()->selectedRows();
    std::ranges::sort(rows, {}, &QModelIndex::row);
    QStringList runs;
    QSet<QString> known;
    for (const QModelIndex& row : rows)
        for (const QString& run : m_model.runsOf(row.row()))
            if (!known.contains(run)) {
                known.insert(run);
                runs << run;
            }
    return runs;
}

void RunTable::selectAll() {
    QTableView::selectAll();
    QItemSelection hidden;
    for (int row = 0; row < m_model.rowCount(); ++row)
        if (!m_model.matches(row))
            hidden.select(m_model.index(row, 0), m_model.index(row, 0));
    if (!hidden.isEmpty())
        selectionModel()->select(hidden, QItemSelectionModel::Deselect | QItemSelectionModel::Rows);
}

void RunTable::selectRuns(const QStringList& runs) {
    m_model.reveal(runs);
    QItemSelection selection;
    int first = -1;
    for (const QString& run : runs) {
        const int row = m_model.rowOf(run);
        if (row < 0)
            continue;
        const QModelIndex index = m_model.index(row, 0);
        selection.select(index, index);
        if (first < 0)
            first = row;
    }
    selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    if (first < 0)
        return;
    selectionModel()->setCurrentIndex(m_model.index(first, 0), QItemSelectionModel::NoUpdate);
    scrollTo(m_model.index(first, 0));
}

void RunTable::keepSelected(const QStringList& runs) { m_wanted = runs; }

void RunTable::keepSelection() {
    QStringList runs;
    m_keptGroups.clear();
    for (const QModelIndex& row : selectionModel()->selectedRows())
        if (const QString group = row.data(RunListModel::GroupRole).toString(); !group.isEmpty())
            m_keptGroups << group;
        else
            runs << row.data(RunListModel::IdRole).toString();
    m_kept = m_wanted.isEmpty() ? runs : m_wanted;
    m_current = currentIndex().data(RunListModel::IdRole).toString(); // empty: a group, or none
    m_currentGroup = currentIndex().data(RunListModel::GroupRole).toString();
    m_currentRow = currentIndex().row();
    keepName();
}

int RunTable::nearestRun(int row) const {
    const auto isRun = [this](int at) {
        return m_model.index(at, 0).data(RunListModel::GroupRole).toString().isEmpty();
    };
    for (int at = std::max(0, row); at < m_model.rowCount(); ++at)
        if (isRun(at))
            return at;
    for (int at = std::min(row, m_model.rowCount()) - 1; at >= 0; --at)
        if (isRun(at))
            return at;
    return -1;
}

void RunTable::restoreSelection() {
    m_model.reveal(std::exchange(m_wanted, {}));
    int row = m_currentGroup.isEmpty() ? m_model.rowOf(m_current) : m_model.rowOfGroup(m_currentGroup);
    if (row < 0 && !m_current.isEmpty()) // it is gone: keys go on from where it was
        row = nearestRun(m_currentRow);
    if (row >= 0)
        selectionModel()->setCurrentIndex(m_model.index(row, 0), QItemSelectionModel::NoUpdate);
    std::vector<int> rows;
    for (const QString& run : std::as_const(m_kept))
        rows.push_back(m_model.rowOf(run));
    for (const QString& group : std::as_const(m_keptGroups))
        rows.push_back(m_model.rowOfGroup(group));
    std::ranges::sort(rows);
    QItemSelection selection;
    for (std::size_t first = 0; first < rows.size();) { // neighbours in one range: ten thousand may be selected
        std::size_t last = first;
        while (last + 1 < rows.size() && rows[last + 1] <= rows[last] + 1)
            ++last;
        if (rows[last] >= 0)
            selection.select(m_model.index(std::max(0, rows[first]), 0), m_model.index(rows[last], 0));
        first = last + 1;
    }
    selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    restoreName();
    Q_EMIT selectionSettled(); // also when the selection is as empty as before
}

void RunTable::currentChanged(const QModelIndex& current, const QModelIndex& previous) {
    QTableView::currentChanged(current, previous); // paints the two cells
    for (const QModelIndex& index : {current, previous})
        if (index.isValid()) // RunDelegate frames the row
            viewport()->update(0, rowViewportPosition(index.row()), viewport()->width(), rowHeight(index.row()));
}

bool RunTable::event(QEvent* event) {
    if (event->type() == QEvent::Show || event->type() == QEvent::Hide)
        Q_EMIT shown(event->type() == QEvent::Show);
    return QTableView::event(event);
}

void RunTable::keyPressEvent(QKeyEvent* event) {
    const QModelIndex at = currentIndex();
    const int expanded = at.isValid() ? at.data(RunListModel::ExpandedRole).toInt() : -1;
    if (expanded == 0 && event->key() == Qt::Key_Right) {
        m_model.setExpanded(at.row(), true);
    } else if (expanded == 1 && event->key() == Qt::Key_Left) {
        m_model.setExpanded(at.row(), false);
    } else if (const int parent = at.isValid() ? m_model.rowOfParent(at.row()) : -1;
               parent >= 0 && event->key() == Qt::Key_Left) {
        setCurrentIndex(m_model.index(parent, at.column()));
    } else {
        QTableView::keyPressEvent(event);
    }
}

void RunTable::addColumnChoices(QMenu& menu) {
    for (const PlacedColumn& first : firstLayout()) {
        const RunColumn column = first.column;
        if (column == RunColumn::Name || column == RunColumn::DaysLeft)
            continue; // a table without names would be a riddle; days are left in the trash only
        const int section = static_cast<int>(column);
        QAction* action = menu.addAction(m_model.headerData(section, Qt::Horizontal, Qt::DisplayRole).toString());
        action->setCheckable(true);
        action->setChecked(!isColumnHidden(section));
        connect(action, &QAction::toggled, this, [this, section](bool shown) {
            setColumnHidden(section, !shown);
            fitColumns(0, m_model.rowCount() - 1);
            setFrozen(m_frozen->count()); // others may be the first now
        });
    }
}

} // namespace accumulus::ui
