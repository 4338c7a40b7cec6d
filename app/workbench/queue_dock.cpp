// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/queue_dock.h"

namespace accumulus::ui {

QueueDock::QueueDock(Services services, QUndoStack& edits, QWidget* parent)
    : QDockWidget(tr("Queue"), parent), m_panel(new QueuePanel(services, edits)) {
    setObjectName(QStringLiteral("queueDock"));
    setFeatures(DockWidgetClosable);
    setAllowedAreas(Qt::BottomDockWidgetArea);
    setWidget(m_panel);
}

void QueueDock::open() {
    show();
    raise();
    m_panel->focusTable();
}

} // namespace accumulus::ui
