// SPDX-License-Identifier: GPL-3.0-or-later
// What every page shares. Pages get what they need by constructor and speak by signals; only MainWindow knows all of
// them.
#pragma once

#include "widgets/bridge/library_gateway.h"
#include "widgets/bridge/run_controller.h"
#include "widgets/style/theme.h"

#include <QWidget>

namespace accumulus::ui {

/// Services handed to pages; all outlive them.
struct Services {
    Theme& theme;
    LibraryGateway& library;
    RunController& runs;
};

class Page : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;
    /// Called whenever the page comes to the front.
    virtual void activated() {}
};

} // namespace accumulus::ui
