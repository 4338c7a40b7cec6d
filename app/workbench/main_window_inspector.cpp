// SPDX-License-Identifier: GPL-3.0-or-later
// The inspector in the window: its dock, its action, and which page it follows.
#include "app/workbench/inspector_dock.h"
#include "app/workbench/main_window.h"
#include "widgets/pages/library_session.h"

#include <QAction>

namespace accumulus::ui {

void MainWindow::createInspector() {
    m_inspector = new InspectorDock(m_services, m_services.session.edits, this);
    addDockWidget(Qt::RightDockWidgetArea, m_inspector);
    m_inspector->hide();
    connect(&m_navigator, &Navigator::shown, m_inspector, &InspectorDock::follow);
    connect(m_actions.showInspector, &QAction::triggered, m_inspector, &InspectorDock::setWanted);
    connect(m_inspector, &InspectorDock::stateChanged, this, [this] {
        const Page* page = m_navigator.current();
        const bool possible = page->inspectedRun().has_value();
        m_actions.showInspector->setEnabled(possible);
        m_actions.showInspector->setChecked(possible && m_inspector->isWanted());
        m_actions.showInspector->setProperty(
            kWhyNotProperty, possible ? QString()
                                      : tr("The inspector opens beside Live, Compare, and the report or audit of a "
                                           "run. The Library shows the details of the selected run itself."));
    });
}

} // namespace accumulus::ui
