// SPDX-License-Identifier: GPL-3.0-or-later
// The Log at the bottom: lines from a chosen level up that contain a text; copyable. GUI thread.
#pragma once

#include "widgets/models/log_model.h"
#include "widgets/style/theme.h"

#include <QDockWidget>

namespace accumulus::ui {

class LogDock : public QDockWidget {
    Q_OBJECT
public:
    LogDock(const Theme& theme, LogModel& log, QWidget* parent = nullptr);

private:
    LogFilterModel m_shown;
};

} // namespace accumulus::ui
