// SPDX-License-Identifier: GPL-3.0-or-later
// What the action search finds in the window, and why something cannot be done now.
#include "app/workbench/action_search.h"
#include "app/workbench/inspector_dock.h"
#include "app/workbench/main_window.h"
#include "app/workbench/page_table.h"
#include "widgets/models/library_rights.h"
#include "widgets/pages/button_action.h"

#include <QMenuBar>

namespace accumulus::ui {

void MainWindow::createSearch() {
    m_search = new ActionSearch(m_services.theme, *this);
    connect(m_search, &ActionSearch::pageRequested, this, [this](Page* page) { m_navigator.show(page); });
    connect(m_actions.search, &QAction::triggered, this, &MainWindow::searchActions);
}

void MainWindow::searchActions() {
    QStringList titles;
    for (const PageEntry& entry : pageTable())
        titles << pageTitle(entry);
    QList<QDockWidget*> docks = findChildren<QDockWidget*>();
    if (m_inspector->isHidden()) // its buttons are about the run of a page that is not in front, or that is not shown
        docks.removeOne(m_inspector);
    m_search->open(gatherActions(*menuBar(), m_pages, titles, docks),
                   [this](const FoundAction& found) { return whyNot(found); });
}

/// Of an action that is disabled; empty: not known.
QString MainWindow::whyNot(const FoundAction& found) const {
    if (found.button)
        return found.button->accessibleDescription();
    const QAction* action = found.action;
    if (!action)
        return {};
    if (action == m_actions.undo)
        return tr("There is nothing to undo.");
    if (action == m_actions.redo)
        return tr("There is nothing to redo.");
    if (const auto* pressing = qobject_cast<const ButtonAction*>(action))
        return pressing->whyNot();
    if (const QString why = action->property(kWhyNotProperty).toString(); !why.isEmpty())
        return why;
    if (const QString why = whyNoWriting(m_services.library); !why.isEmpty())
        return why;
    if (action == m_actions.pause || action == m_actions.stop || action == m_actions.stopNow)
        return m_services.runs.busy() ? tr("The run is stopping.") : tr("Nothing is training.");
    if (action == m_actions.pauseQueue)
        return tr("Nothing is training or waiting.");
    if (action == m_actions.openLibrary || action == m_actions.newLibrary)
        return tr("A study is running. Stop it or wait until it ends before you open another library.");
    if (action->objectName().startsWith(QLatin1String("library")))
        return tr("Select runs in the Library that this works with.");
    return {};
}

} // namespace accumulus::ui
