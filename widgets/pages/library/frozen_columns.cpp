// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/library/frozen_columns.h"

#include <QContextMenuEvent>
#include <QCoreApplication>
#include <QEvent>
#include <QHeaderView>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QTableView>

namespace accumulus::ui {

FrozenColumns::FrozenColumns(QTableView& table, QTableView& above, QHeaderView* header)
    : QObject(&table), m_table(table), m_above(above) {
    above.setObjectName(table.objectName() + QStringLiteral("Frozen"));
    above.setAccessibleName(table.accessibleName());
    above.setModel(table.model());
    above.setSelectionModel(table.selectionModel());
    above.setItemDelegate(table.itemDelegate());
    above.setHorizontalHeader(header);
    above.setFocusProxy(&table);
    above.setSelectionBehavior(table.selectionBehavior());
    above.setSelectionMode(table.selectionMode());
    above.setShowGrid(false);
    above.setAlternatingRowColors(table.alternatingRowColors());
    above.setWordWrap(false);
    above.setTextElideMode(table.textElideMode());
    above.setEditTriggers(table.editTriggers());
    above.setFrameShape(QFrame::NoFrame);
    above.setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    above.setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    above.setVerticalScrollMode(table.verticalScrollMode());
    above.verticalHeader()->hide();
    above.verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    above.verticalHeader()->setDefaultSectionSize(table.verticalHeader()->defaultSectionSize());
    above.hide();

    connect(table.verticalScrollBar(), &QScrollBar::valueChanged, above.verticalScrollBar(), &QScrollBar::setValue);
    connect(above.verticalScrollBar(), &QScrollBar::valueChanged, table.verticalScrollBar(), &QScrollBar::setValue);
    above.setContextMenuPolicy(Qt::CustomContextMenu); // of a row the table's, whichever view shows it
    connect(&above, &QWidget::customContextMenuRequested, this, [this](const QPoint& position) {
        const QPoint global = m_above.viewport()->mapToGlobal(position);
        QContextMenuEvent asked(QContextMenuEvent::Mouse, m_table.viewport()->mapFromGlobal(global), global);
        QCoreApplication::sendEvent(m_table.viewport(), &asked);
    });
    connect(&above, &QAbstractItemView::doubleClicked, &table, &QAbstractItemView::doubleClicked);
    // It has the focus by proxy only, and a delegate may frame the whole row.
    connect(table.selectionModel(), &QItemSelectionModel::currentRowChanged, above.viewport(),
            qOverload<>(&QWidget::update));
    connect(header, &QHeaderView::sectionResized, this, [this](int section, int, int width) {
        if (!m_taking && width > 0)
            m_table.horizontalHeader()->resizeSection(section, width);
    });
    for (const auto signal : {&QHeaderView::sectionResized, &QHeaderView::sectionMoved})
        connect(table.horizontalHeader(), signal, this, &FrozenColumns::takeColumns);
    connect(table.horizontalHeader(), &QHeaderView::geometriesChanged, this, &FrozenColumns::takeColumns);
    table.viewport()->installEventFilter(this);
    table.installEventFilter(this);
}

void FrozenColumns::setCount(int count) {
    m_count = count;
    takeColumns();
}

QTableView& FrozenColumns::viewOf(int section) const {
    return m_count > 0 && !m_above.isColumnHidden(section) ? m_above : m_table;
}

void FrozenColumns::setRowHeight(int height) {
    for (QTableView* view : {&m_table, &m_above})
        view->verticalHeader()->setDefaultSectionSize(height);
}

void FrozenColumns::takeColumns() {
    if (m_taking)
        return;
    const QScopedValueRollback taking(m_taking, true);
    const QHeaderView& from = *m_table.horizontalHeader();
    QHeaderView& to = *m_above.horizontalHeader();
    int shown = 0;
    for (int place = 0; m_count > 0 && place < from.count(); ++place) {
        const int section = from.logicalIndex(place);
        to.moveSection(to.visualIndex(section), place);
        const bool frozen = !from.isSectionHidden(section) && shown < m_count;
        shown += frozen ? 1 : 0;
        to.setSectionHidden(section, !frozen);
        if (frozen)
            to.resizeSection(section, from.sectionSize(section));
    }
    place();
}

void FrozenColumns::place() {
    m_above.setVisible(m_count > 0);
    if (m_count == 0)
        return;
    const QRect content = m_table.viewport()->geometry();
    const QRect header = m_table.horizontalHeader()->geometry();
    m_above.horizontalHeader()->setFixedHeight(header.height());
    m_above.setGeometry(content.left(), header.top(), m_above.horizontalHeader()->length(),
                        header.height() + content.height());
    m_above.verticalScrollBar()->setValue(m_table.verticalScrollBar()->value());
    m_above.raise();
}

bool FrozenColumns::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize || event->type() == QEvent::Show)
        place();
    else if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut)
        m_above.viewport()->update(); // the frame of the current row comes and goes with the table's focus
    return QObject::eventFilter(watched, event);
}

} // namespace accumulus::ui
