// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/library/run_table.h"

#include "widgets/models/audit_text.h"
#include "widgets/models/comparison_text.h"
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
constexpr auto layoutKey = "library/columns"; ///< of the settings
/// Where earlier versions kept the layout, the newest first.
constexpr std::array earlierLayoutKeys{"library/columns-4-28", "library/columns-4-27"};

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
    verticalHeader()->setDefaultSectionSize(std::max(minimumRowHeight, fontMetrics().height() + 12));
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
    connect(&model, &QAbstractItemModel::dataChanged, this, &RunTable::selectionSettled);
    connect(selectionModel(), &QItemSelectionModel::selectionChanged, this, &RunTable::selectionSettled);
    connect(&theme, &Theme::changed, viewport(), qOverload<>(&QWidget::update));
    connect(&theme, &Theme::changed, above->viewport(), qOverload<>(&QWidget::update));
}

RunTable::~RunTable() { saveColumns(); }

void RunTable::saveColumns() const { QSettings().setValue(QLatin1String(layoutKey), layoutState()); }

QVariantMap RunTable::layoutState() const {
    return {{QStringLiteral("columns"), layoutTexts(layoutOf(*horizontalHeader(), m_hiddenWidths))},
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
    int place = 0;
    for (const PlacedColumn& placed : completed(layout)) {
        const int section = static_cast<int>(placed.column);
        const QString title = m_model.headerData(section, Qt::Horizontal, Qt::DisplayRole).toString();
        int width = std::max(widthFor(placed.column), fontMetrics().horizontalAdvance(title) + 36);
        if (roomForDifferences && isMeasured(placed.column) && !placed.hidden)
            width += RunDelegate::differenceWidth(fontMetrics());
        header->moveSection(header->visualIndex(section), place++);
        header->setSectionHidden(section, false); // only then it tells of its width
        header->resizeSection(section, placed.width > 0 ? placed.width : width);
        header->setSectionHidden(section, placed.hidden);
    }
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
    case RunColumn::Verdict: // longer ones have a tool tip
        return widest({comparison_text::verdictTitle(Verdict::Inconclusive),
                       comparison_text::verdictTitle(Verdict::NotEnoughSeeds)});
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
    placeColumns({}, false);
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
            setFrozen(m_frozen->count()); // others may be the first now
        });
    }
}

} // namespace accumulus::ui
