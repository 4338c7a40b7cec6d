// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/library/run_table.h"

#include "widgets/models/audit_text.h"
#include "widgets/pages/library/frozen_columns.h"
#include "widgets/pages/library/run_delegate.h"
#include "widgets/pages/library/run_header.h"
#include "widgets/style/format.h"

#include <QKeyEvent>
#include <QMenu>
#include <QSettings>
#include <algorithm>
#include <array>
#include <utility>

namespace accumulus::ui {
namespace {

constexpr int minimumRowHeight = 28;
/// Another number of columns is another layout. Count up where columns change their places in RunColumn.
constexpr int layoutVersion = 4;
QString settingsKey() { return QStringLiteral("library/columns-%1-%2").arg(layoutVersion).arg(runColumnCount); }

/// From left to right at first.
constexpr std::array firstOrder{
    RunColumn::Status,      RunColumn::Name,           RunColumn::DaysLeft,       RunColumn::Arm,
    RunColumn::Audit,       RunColumn::Model,          RunColumn::Data,           RunColumn::Micro,
    RunColumn::Steps,       RunColumn::Batch,          RunColumn::Optimizer,      RunColumn::Lr,
    RunColumn::Precision,   RunColumn::Seed,           RunColumn::Samples,        RunColumn::Updates,
    RunColumn::FinalMetric, RunColumn::BestAccuracy,   RunColumn::Loss,           RunColumn::LowestLoss,
    RunColumn::Validation,  RunColumn::BestValidation, RunColumn::ValidationLoss, RunColumn::SamplesPerSecond,
    RunColumn::PeakMemory,  RunColumn::EvaluationPeak, RunColumn::ActiveTime,     RunColumn::Date,
    RunColumn::Tags,        RunColumn::Note,           RunColumn::CheckpointSize};
static_assert(firstOrder.size() == runColumnCount);
/// Shown when somebody asks for them.
constexpr std::array hiddenAtFirst{RunColumn::Loss, RunColumn::EvaluationPeak, RunColumn::Validation,
                                   RunColumn::BestValidation, RunColumn::ValidationLoss};

QString sortText(const std::vector<SortKey>& keys) {
    QStringList parts;
    for (const SortKey& key : keys)
        parts << QStringLiteral("%1%2")
                     .arg(key.order == Qt::AscendingOrder ? QLatin1Char('+') : QLatin1Char('-'))
                     .arg(static_cast<int>(key.column));
    return parts.join(QLatin1Char(' '));
}

std::vector<SortKey> sortKeysFrom(const QString& text) {
    std::vector<SortKey> keys;
    for (const QString& part : text.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        const int column = part.mid(1).toInt();
        if (column >= 0 && column < static_cast<int>(runColumnCount))
            keys.push_back({static_cast<RunColumn>(column),
                            part.startsWith(QLatin1Char('+')) ? Qt::AscendingOrder : Qt::DescendingOrder});
    }
    return keys;
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
    verticalHeader()->setDefaultSectionSize(std::max(minimumRowHeight, fontMetrics().height() + 12));
    horizontalHeader()->setSectionsMovable(true);
    auto* above = new QTableView(this);
    auto* aboveHeader = new RunHeader(model, above);
    m_frozen = new FrozenColumns(*this, *above, aboveHeader);
    resetColumns();
    setLayoutState(QSettings().value(settingsKey()).toMap());

    for (QTableView* view : {static_cast<QTableView*>(this), above}) // a click on a header sorts, and selects nothing
        for (const auto signal : {&QHeaderView::sectionPressed, &QHeaderView::sectionEntered})
            disconnect(view->horizontalHeader(), signal, view, nullptr);
    connect(header, &QHeaderView::customContextMenuRequested, this,
            [this, header](const QPoint& position) { showColumnMenu(*header, position); });
    connect(aboveHeader, &QHeaderView::customContextMenuRequested, this,
            [this, aboveHeader](const QPoint& position) { showColumnMenu(*aboveHeader, position); });
    connect(&model, &QAbstractItemModel::modelAboutToBeReset, this, &RunTable::keepSelection);
    connect(&model, &QAbstractItemModel::modelReset, this, &RunTable::restoreSelection);
    connect(&model, &QAbstractItemModel::modelReset, this, &RunTable::makeRoomForDifferences);
    connect(&model, &QAbstractItemModel::dataChanged, this, &RunTable::selectionSettled);
    connect(selectionModel(), &QItemSelectionModel::selectionChanged, this, &RunTable::selectionSettled);
    connect(&theme, &Theme::changed, viewport(), qOverload<>(&QWidget::update));
    connect(&theme, &Theme::changed, above->viewport(), qOverload<>(&QWidget::update));
}

RunTable::~RunTable() { saveColumns(); }

void RunTable::saveColumns() const { QSettings().setValue(settingsKey(), layoutState()); }

QVariantMap RunTable::layoutState() const {
    return {{QStringLiteral("header"), horizontalHeader()->saveState()},
            {QStringLiteral("sort"), sortText(m_model.sortKeys())},
            {QStringLiteral("frozen"), m_frozen->count()},
            {QStringLiteral("differences"), m_roomForDifferences}};
}

void RunTable::setLayoutState(const QVariantMap& state) {
    if (state.isEmpty())
        return;
    if (horizontalHeader()->restoreState(state.value(QStringLiteral("header")).toByteArray()))
        m_roomForDifferences = state.value(QStringLiteral("differences")).toBool();
    m_model.setSortKeys(sortKeysFrom(state.value(QStringLiteral("sort")).toString()));
    showTrash(m_trash);
    makeRoomForDifferences();
    setFrozen(state.value(QStringLiteral("frozen")).toInt());
}

int RunTable::widthFor(RunColumn column) const {
    QFont bold = font(); // of groups
    bold.setWeight(QFont::DemiBold);
    const QFontMetrics metrics(bold);
    const auto widest = [&](const QStringList& texts) {
        int width = 0;
        for (const QString& text : texts)
            width = std::max(width, metrics.horizontalAdvance(text));
        return width + RunDelegate::markSize + 4 * space::s;
    };
    const auto letters = [&](int count) { return metrics.averageCharWidth() * count; };
    switch (column) {
    case RunColumn::Status:
        return widest({format::stateTitle(RunState::Completed), format::stateTitle(RunState::Interrupted)});
    case RunColumn::Audit:
        return widest({audit_text::verdictTitle(AuditVerdict::NotEquivalent)});
    case RunColumn::Arm:
        return widest({format::armTitle(Arm::Accumulated), format::armTitle(Arm::LargeBatch)});
    case RunColumn::Name:
        return letters(34);
    case RunColumn::Micro:
    case RunColumn::Steps:
    case RunColumn::Batch:
    case RunColumn::Seed:
    case RunColumn::Note:
        return letters(8);
    case RunColumn::Date:
        return letters(20);
    case RunColumn::FinalMetric: // an error has its name in front
        return widest({QStringLiteral("RMSE 0.00000 ± 0.00000 (00)")});
    case RunColumn::BestAccuracy:
    case RunColumn::Validation:
    case RunColumn::BestValidation:
        return widest({QStringLiteral("00.00 ± 0.00 % (00)")});
    case RunColumn::Loss:
    case RunColumn::LowestLoss:
    case RunColumn::ValidationLoss:
        return widest({QStringLiteral("0.00000 ± 0.000000 (00)")});
    case RunColumn::SamplesPerSecond:
    case RunColumn::PeakMemory:
    case RunColumn::EvaluationPeak:
    case RunColumn::ActiveTime:
        return widest({QStringLiteral("000,000 ± 0,000 (00)")});
    default:
        return letters(13);
    }
}

void RunTable::resetColumns() {
    QHeaderView* header = horizontalHeader();
    m_roomForDifferences = false;
    for (std::size_t place = 0; place < firstOrder.size(); ++place) {
        const RunColumn column = firstOrder[place];
        const int section = static_cast<int>(column);
        header->moveSection(header->visualIndex(section), static_cast<int>(place));
        header->setSectionHidden(section, std::ranges::find(hiddenAtFirst, column) != hiddenAtFirst.end());
        const QString title = m_model.headerData(section, Qt::Horizontal, Qt::DisplayRole).toString();
        header->resizeSection(section, std::max(widthFor(column), fontMetrics().horizontalAdvance(title) + 36));
    }
    setFrozen(0);
    showTrash(m_trash);
    makeRoomForDifferences();
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
            isMeasured(static_cast<RunColumn>(column)) && !isColumnHidden(section))
            horizontalHeader()->resizeSection(section, std::max(40, columnWidth(section) + more));
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
    m_current = currentIndex().isValid() ? currentIndex().data(RunListModel::IdRole).toString() : QString();
}

void RunTable::restoreSelection() {
    m_model.reveal(std::exchange(m_wanted, {}));
    if (const int row = m_model.rowOf(m_current); row >= 0)
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
    Q_EMIT selectionSettled(); // also when the selection is as empty as before
}

void RunTable::currentChanged(const QModelIndex& current, const QModelIndex& previous) {
    QTableView::currentChanged(current, previous); // paints the two cells
    for (const QModelIndex& index : {current, previous})
        if (index.isValid()) // RunDelegate frames the row
            viewport()->update(0, rowViewportPosition(index.row()), viewport()->width(), rowHeight(index.row()));
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

void RunTable::showColumnMenu(const QHeaderView& header, const QPoint& position) {
    QMenu menu(this);
    menu.setObjectName(QStringLiteral("runColumnMenu"));
    const int section = header.logicalIndexAt(position);
    if (section >= 0) {
        addSortChoices(menu, section);
        Q_EMIT columnMenuOpening(static_cast<RunColumn>(section), &menu);
        menu.addSeparator();
    }
    addColumnChoices(*menu.addMenu(tr("Columns")));
    const int shown = section < 0 ? 0 : static_cast<int>(shownColumns().indexOf(static_cast<RunColumn>(section))) + 1;
    if (shown > 0)
        connect(menu.addAction(tr("Keep in sight up to here")), &QAction::triggered, this,
                [this, shown] { setFrozen(shown); });
    if (m_frozen->count() > 0)
        connect(menu.addAction(tr("Let all columns scroll")), &QAction::triggered, this, [this] { setFrozen(0); });
    connect(menu.addAction(tr("Reset columns")), &QAction::triggered, this, &RunTable::resetColumns);
    menu.exec(header.mapToGlobal(position));
}

void RunTable::addSortChoices(QMenu& menu, int section) {
    for (const auto& [text, order] :
         {std::pair(tr("Sort ascending"), Qt::AscendingOrder), std::pair(tr("Sort descending"), Qt::DescendingOrder)})
        connect(menu.addAction(text), &QAction::triggered, this,
                [this, section, by = order] { m_model.sort(section, by); });
    connect(menu.addAction(tr("Sort by this as well")), &QAction::triggered, this,
            [this, section] { m_model.sortAlso(section, Qt::AscendingOrder); });
}

void RunTable::addColumnChoices(QMenu& menu) {
    for (const RunColumn column : firstOrder) {
        if (column == RunColumn::Name || column == RunColumn::DaysLeft)
            continue; // a table without names would be a riddle; days are left in the trash only
        const int section = static_cast<int>(column);
        QAction* action = menu.addAction(m_model.headerData(section, Qt::Horizontal, Qt::DisplayRole).toString());
        action->setCheckable(true);
        action->setChecked(!isColumnHidden(section));
        connect(action, &QAction::toggled, this, [this, section](bool shown) {
            setColumnHidden(section, !shown);
            setFrozen(m_frozen->count()); // others may be the first now
        });
    }
}

} // namespace accumulus::ui
