// SPDX-License-Identifier: GPL-3.0-or-later
// The queue at the bottom, beside the log. GUI thread.
#pragma once

#include "widgets/pages/queue/queue_panel.h"

#include <QDockWidget>

namespace accumulus::ui {

class QueueDock : public QDockWidget {
    Q_OBJECT
public:
    QueueDock(Services services, QUndoStack& edits, QWidget* parent = nullptr);
    void open(); ///< in sight, its table with the focus

private:
    QueuePanel* m_panel;
};

} // namespace accumulus::ui
