// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the library's table that is the menu of a column.
#include "widgets/pages/library/frozen_columns.h"
#include "widgets/pages/library/run_table.h"

#include <QHeaderView>
#include <QMenu>
#include <utility>

namespace accumulus::ui {

/// `column`: none is -1.
void RunTable::showColumnMenu(int column, const QPoint& position) {
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(QStringLiteral("runColumnMenu"));
    if (column >= 0) {
        menu->setAccessibleName(m_model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
        addSortChoices(*menu, column);
        Q_EMIT columnMenuOpening(static_cast<RunColumn>(column), menu);
        menu->addSeparator();
        addMoveChoices(*menu, column);
    }
    addColumnChoices(*menu->addMenu(tr("Columns")));
    const int shown = column < 0 ? 0 : static_cast<int>(shownColumns().indexOf(static_cast<RunColumn>(column))) + 1;
    if (shown > 0)
        connect(menu->addAction(tr("Keep in sight up to here")), &QAction::triggered, this,
                [this, shown] { setFrozen(shown); });
    if (m_frozen->count() > 0)
        connect(menu->addAction(tr("Let all columns scroll")), &QAction::triggered, this, [this] { setFrozen(0); });
    connect(menu->addAction(tr("Reset columns")), &QAction::triggered, this, &RunTable::resetColumns);
    menu->popup(position);
}

void RunTable::showColumnMenu() {
    const QList<RunColumn> columns = shownColumns();
    const auto current = static_cast<RunColumn>(currentIndex().column());
    const int column = static_cast<int>(columns.contains(current) ? current : columns.constFirst());
    if (const QModelIndex at = currentIndex(); at.isValid())
        scrollTo(at.siblingAtColumn(column));
    const QHeaderView& header = *horizontalHeader();
    showColumnMenu(column, header.mapToGlobal(QPoint(header.sectionViewportPosition(column), header.height())));
}

void RunTable::addSortChoices(QMenu& menu, int section) {
    for (const auto& [text, order] :
         {std::pair(tr("Sort ascending"), Qt::AscendingOrder), std::pair(tr("Sort descending"), Qt::DescendingOrder)})
        connect(menu.addAction(text), &QAction::triggered, this,
                [this, section, by = order] { m_model.sort(section, by); });
    connect(menu.addAction(tr("Sort by this as well")), &QAction::triggered, this,
            [this, section] { m_model.sortAlso(section, Qt::AscendingOrder); });
}

void RunTable::addMoveChoices(QMenu& menu, int section) {
    const QList<RunColumn> columns = shownColumns();
    const qsizetype place = columns.indexOf(static_cast<RunColumn>(section));
    for (const auto& [text, to] : {std::pair(tr("Move left"), place - 1), std::pair(tr("Move right"), place + 1)}) {
        QAction* move = menu.addAction(text);
        move->setEnabled(place >= 0 && to >= 0 && to < columns.size());
        if (!move->isEnabled())
            continue;
        connect(move, &QAction::triggered, this, [this, section, other = static_cast<int>(columns[to])] {
            QHeaderView* header = horizontalHeader();
            header->moveSection(header->visualIndex(section), header->visualIndex(other));
        });
    }
}

} // namespace accumulus::ui
