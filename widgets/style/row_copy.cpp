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
#include <QTreeView>

namespace accumulus::ui {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(accumulus::ui::row_copy)
};

const QHeaderView* headerOf(const QAbstractItemView& view) {
    if (const auto* table = qobject_cast<const QTableView*>(&view))
        return table->horizontalHeader();
    const auto* tree = qobject_cast<const QTreeView*>(&view);
    return tree ? tree->header() : nullptr;
}

QList<int> shownColumns(const QAbstractItemView& view) {
    const QHeaderView* header = headerOf(view);
    if (!header)
        return {0};
    QList<int> columns;
    for (int place = 0; place < header->count(); ++place)
        if (const int column = header->logicalIndex(place); !header->isSectionHidden(column))
            columns << column;
    return columns;
}

QModelIndexList shownRows(const QAbstractItemView& view) {
    QModelIndexList rows;
    if (const auto* tree = qobject_cast<const QTreeView*>(&view))
        for (QModelIndex row = view.model()->index(0, 0); row.isValid(); row = tree->indexBelow(row))
            rows << row;
    else
        for (int row = 0; row < view.model()->rowCount(); ++row)
            rows << view.model()->index(row, 0);
    return rows;
}

/// One line; what would end a cell or a line is a space.
QString lineOf(QStringList cells) {
    for (QString& cell : cells)
        cell.replace(QLatin1Char('\t'), QLatin1Char(' ')).replace(QLatin1Char('\n'), QLatin1Char(' '));
    return cells.join(QLatin1Char('\t'));
}

void copy(const QAbstractItemView& view, CopiedHeads heads) {
    const QList<int> columns = shownColumns(view);
    const QItemSelectionModel& selection = *view.selectionModel();
    QStringList lines;
    if (heads == CopiedHeads::Yes) {
        QStringList cells;
        for (const int column : columns)
            cells << view.model()->headerData(column, Qt::Horizontal).toString();
        lines << lineOf(cells);
    }
    for (const QModelIndex& row : shownRows(view)) {
        if (selection.hasSelection() && !selection.isRowSelected(row.row(), row.parent()))
            continue;
        QStringList cells;
        for (const int column : columns)
            cells << row.siblingAtColumn(column).data().toString();
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

void addCopy(QAbstractItemView& view, CopiedHeads heads) {
    auto* action = new QAction(Words::tr("Copy"), &view);
    action->setObjectName(view.objectName() + QStringLiteral(".copy"));
    action->setShortcut(QKeySequence::Copy);
    action->setShortcutContext(Qt::WidgetShortcut);
    QObject::connect(action, &QAction::triggered, &view, [&view, heads] { copy(view, heads); });
    view.addAction(action);
    view.setContextMenuPolicy(Qt::ActionsContextMenu);
}

void addToMenu(QAbstractItemView& view, QPushButton& button) {
    auto* action = new QAction(button.text(), &view);
    new AsEnabled(*action, button);
    QObject::connect(action, &QAction::triggered, &button, [&button] { button.click(); });
    view.addAction(action);
    view.setContextMenuPolicy(Qt::ActionsContextMenu);
}

} // namespace accumulus::ui
