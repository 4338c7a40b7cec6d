// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/style/row_copy.h"

#include <QAction>
#include <QClipboard>
#include <QCoreApplication>
#include <QEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QPushButton>
#include <QTableView>
#include <algorithm>

namespace accumulus::ui {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(accumulus::ui::row_copy)
};

QList<int> shownColumns(const QTableView& table) {
    QList<int> columns;
    const QHeaderView* header = table.horizontalHeader();
    for (int place = 0; place < header->count(); ++place)
        if (const int column = header->logicalIndex(place); !table.isColumnHidden(column))
            columns << column;
    return columns;
}

QList<int> chosenRows(const QTableView& table) {
    QList<int> rows;
    for (int row = 0; row < table.model()->rowCount(); ++row)
        if (table.selectionModel()->isRowSelected(row) || !table.selectionModel()->hasSelection())
            rows << row;
    return rows;
}

/// One line; what would end a cell or a line is a space.
QString lineOf(QStringList cells) {
    for (QString& cell : cells)
        cell.replace(QLatin1Char('\t'), QLatin1Char(' ')).replace(QLatin1Char('\n'), QLatin1Char(' '));
    return cells.join(QLatin1Char('\t'));
}

void copy(const QTableView& table, CopiedHeads heads) {
    const QList<int> columns = shownColumns(table);
    QStringList lines;
    if (heads == CopiedHeads::Yes) {
        QStringList cells;
        for (const int column : columns)
            cells << table.model()->headerData(column, Qt::Horizontal).toString();
        lines << lineOf(cells);
    }
    for (const int row : chosenRows(table)) {
        QStringList cells;
        for (const int column : columns)
            cells << table.model()->index(row, column).data().toString();
        lines << lineOf(cells);
    }
    QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

/// Keeps an action as enabled as its button.
class AsEnabled : public QObject {
public:
    AsEnabled(QAction& action, QPushButton& button) : QObject(&action), m_action(action), m_button(button) {
        button.installEventFilter(this);
        action.setEnabled(button.isEnabled());
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::EnabledChange)
            m_action.setEnabled(m_button.isEnabled());
        return QObject::eventFilter(watched, event);
    }

private:
    QAction& m_action;
    QPushButton& m_button;
};

} // namespace

void addCopy(QTableView& table, CopiedHeads heads) {
    auto* action = new QAction(Words::tr("Copy"), &table);
    action->setObjectName(table.objectName() + QStringLiteral(".copy"));
    action->setShortcut(QKeySequence::Copy);
    action->setShortcutContext(Qt::WidgetShortcut);
    QObject::connect(action, &QAction::triggered, &table, [&table, heads] { copy(table, heads); });
    table.addAction(action);
    table.setContextMenuPolicy(Qt::ActionsContextMenu);
}

void addToMenu(QTableView& table, QPushButton& button) {
    auto* action = new QAction(button.text(), &table);
    new AsEnabled(*action, button);
    QObject::connect(action, &QAction::triggered, &button, [&button] { button.click(); });
    table.addAction(action);
    table.setContextMenuPolicy(Qt::ActionsContextMenu);
}

} // namespace accumulus::ui
