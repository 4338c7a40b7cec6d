// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/library/run_table.h"

#include "core/config/experiment_config.h"
#include "widgets/models/audit_text.h"
#include "widgets/plots/verdict_mark.h"
#include "widgets/style/format.h"

#include <QHeaderView>
#include <QMenu>
#include <QPainter>
#include <QSettings>
#include <QStyledItemDelegate>
#include <algorithm>
#include <utility>

namespace accumulus::ui {
namespace {

constexpr int markSize = 16;
constexpr int dotSize = 10;
constexpr int minimumRowHeight = 28;
/// Another number of columns is another layout. Count up where columns change their places in RunColumn.
constexpr int layoutVersion = 3;
QString settingsKey(const RunListModel& model) {
    return QStringLiteral("library/columns-%1-%2").arg(layoutVersion).arg(model.columnCount());
}

QColor stateColor(const ThemeColors& colors, RunState state) {
    switch (state) {
    case RunState::Completed:
        return colors.good;
    case RunState::Failed:
        return colors.bad;
    case RunState::Interrupted:
    case RunState::Stopped:
    case RunState::Paused:
        return colors.warning;
    case RunState::Starting:
    case RunState::Running:
    case RunState::Stopping:
        return colors.accent;
    case RunState::Draft:
    case RunState::Queued:
        return colors.secondary;
    }
    return colors.secondary;
}

/// Marks in front of the status (form and colour) and of the arm (colour and stroke, as in the plots).
class RunDelegate : public QStyledItemDelegate {
public:
    RunDelegate(const Theme& theme, QObject* parent) : QStyledItemDelegate(parent), m_theme(theme) {}

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        QStyledItemDelegate::paint(painter, option, index);
        const auto* view = qobject_cast<const QAbstractItemView*>(option.widget);
        if (!view || !view->hasFocus() || view->currentIndex().row() != index.row())
            return;
        // The focus is a row's: one frame around all its cells.
        painter->fillRect(QRect(option.rect.left(), option.rect.top(), option.rect.width(), 1),
                          m_theme.colors().accent);
        painter->fillRect(QRect(option.rect.left(), option.rect.bottom(), option.rect.width(), 1),
                          m_theme.colors().accent);
    }

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        QStyledItemDelegate::initStyleOption(option, index);
        option->state &= ~QStyle::State_HasFocus;
        const auto column = static_cast<RunColumn>(index.column());
        if (column == RunColumn::Status)
            setMark(option, stateMark(static_cast<RunState>(index.data(RunListModel::StateRole).toInt()), option));
        else if (column == RunColumn::Arm)
            setMark(option, armMark(static_cast<Arm>(index.data(RunListModel::ArmRole).toInt()), option));
        else if (const int audit = index.data(RunListModel::AuditRole).toInt();
                 column == RunColumn::Audit && audit >= 0)
            setMark(option, auditMark(static_cast<AuditVerdict>(audit), option));
    }

private:
    static void setMark(QStyleOptionViewItem* option, const QPixmap& mark) {
        option->icon = QIcon(mark);
        option->decorationSize = mark.deviceIndependentSize().toSize();
        option->features |= QStyleOptionViewItem::HasDecoration;
    }

    static QPixmap blank(const QStyleOptionViewItem* option, int width) {
        const qreal ratio = option->widget ? option->widget->devicePixelRatioF() : 1.0;
        QPixmap pixmap(QSize(width, markSize) * ratio);
        pixmap.setDevicePixelRatio(ratio);
        pixmap.fill(Qt::transparent);
        return pixmap;
    }

    QPixmap stateMark(RunState state, const QStyleOptionViewItem* option) const {
        QPixmap pixmap = blank(option, dotSize);
        QPainter painter(&pixmap);
        painter.setRenderHint(QPainter::Antialiasing);
        const QColor color = stateColor(m_theme.colors(), state);
        const QRectF dot(1, 4, 8, 8);
        if (state == RunState::Queued || state == RunState::Draft) {
            painter.setPen(QPen(color, 1.5));
            painter.drawEllipse(dot);
        } else if (state == RunState::Failed || state == RunState::Interrupted) {
            painter.setPen(QPen(color, 2.0, Qt::SolidLine, Qt::RoundCap));
            painter.drawLine(dot.topLeft(), dot.bottomRight());
            painter.drawLine(dot.topRight(), dot.bottomLeft());
        } else if (state == RunState::Stopped || state == RunState::Paused) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(color);
            painter.drawRect(QRectF(1.5, 4.5, 7, 7));
        } else {
            painter.setPen(Qt::NoPen);
            painter.setBrush(color);
            painter.drawEllipse(dot);
        }
        return pixmap;
    }

    QPixmap armMark(Arm arm, const QStyleOptionViewItem* option) const {
        QPixmap pixmap = blank(option, markSize);
        QPainter painter(&pixmap);
        painter.setRenderHint(QPainter::Antialiasing);
        const ThemeColors& colors = m_theme.colors();
        QPen pen(arm == Arm::Accumulated ? colors.accumulated : colors.largeBatch, 2.5);
        pen.setCapStyle(Qt::FlatCap);
        if (arm == Arm::LargeBatch)
            pen.setDashPattern({1.8, 1.0});
        painter.setPen(pen);
        painter.drawLine(QPointF(1, 8), QPointF(15, 8));
        return pixmap;
    }

    QPixmap auditMark(AuditVerdict verdict, const QStyleOptionViewItem* option) const {
        QPixmap pixmap = blank(option, markSize);
        QPainter painter(&pixmap);
        const AuditSign sign = auditSign(m_theme.colors(), verdict);
        paintVerdictSign(painter, QRectF(0, 0, markSize, markSize), sign.shape, sign.color);
        return pixmap;
    }

    const Theme& m_theme;
};

} // namespace

RunTable::RunTable(const Theme& theme, RunListModel& model, QWidget* parent) : QTableView(parent), m_model(model) {
    setObjectName(QStringLiteral("runTable"));
    setAccessibleName(tr("Runs"));
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
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setContextMenuPolicy(Qt::CustomContextMenu);
    setSortingEnabled(true);
    resetColumns();
    horizontalHeader()->restoreState(QSettings().value(settingsKey(model)).toByteArray());

    connect(horizontalHeader(), &QHeaderView::customContextMenuRequested, this, &RunTable::showColumnMenu);
    connect(&model, &QAbstractItemModel::modelAboutToBeReset, this, &RunTable::keepSelection);
    connect(&model, &QAbstractItemModel::modelReset, this, &RunTable::restoreSelection);
    connect(&model, &QAbstractItemModel::dataChanged, this, &RunTable::selectionSettled);
    connect(selectionModel(), &QItemSelectionModel::selectionChanged, this, &RunTable::selectionSettled);
    connect(&theme, &Theme::changed, viewport(), qOverload<>(&QWidget::update));
}

RunTable::~RunTable() { saveColumns(); }

void RunTable::saveColumns() const { QSettings().setValue(settingsKey(m_model), horizontalHeader()->saveState()); }

void RunTable::resetColumns() {
    QHeaderView* header = horizontalHeader();
    const QFontMetrics metrics = fontMetrics();
    const auto widest = [&](const QStringList& texts) {
        int width = 0;
        for (const QString& text : texts)
            width = std::max(width, metrics.horizontalAdvance(text));
        return width + markSize + 4 * space::s;
    };
    const int letter = metrics.averageCharWidth();
    const auto widthOf = [](RunColumn column) {
        switch (column) {
        case RunColumn::Name:
            return 34;
        case RunColumn::Micro:
        case RunColumn::Steps:
        case RunColumn::Batch:
        case RunColumn::Seed:
            return 8;
        case RunColumn::Date:
            return 20;
        case RunColumn::FinalMetric:
        case RunColumn::BestAccuracy:
            return 17;
        default:
            return 13;
        }
    };
    const int status = widest({format::stateTitle(RunState::Completed), format::stateTitle(RunState::Interrupted)});
    const int audit = widest({audit_text::verdictTitle(AuditVerdict::NotEquivalent)});
    const int arm = widest({format::armTitle(Arm::Accumulated), format::armTitle(Arm::LargeBatch)});
    for (int section = 0; section < m_model.columnCount(); ++section) {
        header->moveSection(header->visualIndex(section), section);
        header->setSectionHidden(section, false);
        const auto column = static_cast<RunColumn>(section);
        const QString title = m_model.headerData(section, Qt::Horizontal, Qt::DisplayRole).toString();
        const int content = column == RunColumn::Status  ? status
                            : column == RunColumn::Arm   ? arm
                            : column == RunColumn::Audit ? audit
                                                         : letter * widthOf(column);
        header->resizeSection(section, std::max(content, metrics.horizontalAdvance(title) + 36));
    }
    header->moveSection(header->visualIndex(static_cast<int>(RunColumn::Audit)), static_cast<int>(RunColumn::Arm) + 1);
    sortByColumn(static_cast<int>(RunColumn::Date), Qt::DescendingOrder);
}

QStringList RunTable::selectedRuns() const {
    QModelIndexList rows = selectionModel()->selectedRows();
    std::ranges::sort(rows, {}, &QModelIndex::row);
    QStringList runs;
    for (const QModelIndex& row : rows)
        runs << row.data(RunListModel::IdRole).toString();
    return runs;
}

void RunTable::selectRuns(const QStringList& runs) {
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
    m_kept = m_wanted.isEmpty() ? selectedRuns() : std::exchange(m_wanted, {});
    m_current = currentIndex().isValid() ? currentIndex().data(RunListModel::IdRole).toString() : QString();
}

void RunTable::restoreSelection() {
    if (const int row = m_model.rowOf(m_current); row >= 0)
        selectionModel()->setCurrentIndex(m_model.index(row, 0), QItemSelectionModel::NoUpdate);
    QItemSelection selection;
    for (const QString& run : std::as_const(m_kept))
        if (const int row = m_model.rowOf(run); row >= 0)
            selection.select(m_model.index(row, 0), m_model.index(row, 0));
    selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    Q_EMIT selectionSettled(); // also when the selection is as empty as before
}

void RunTable::showColumnMenu(const QPoint& position) {
    QMenu menu(this);
    for (int section = 0; section < m_model.columnCount(); ++section) {
        if (static_cast<RunColumn>(section) == RunColumn::Name)
            continue; // a table without names would be a riddle
        QAction* action = menu.addAction(m_model.headerData(section, Qt::Horizontal, Qt::DisplayRole).toString());
        action->setCheckable(true);
        action->setChecked(!isColumnHidden(section));
        connect(action, &QAction::toggled, this, [this, section](bool shown) { setColumnHidden(section, !shown); });
    }
    menu.addSeparator();
    connect(menu.addAction(tr("Reset columns")), &QAction::triggered, this, &RunTable::resetColumns);
    menu.exec(horizontalHeader()->mapToGlobal(position));
}

} // namespace accumulus::ui
