// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/pages/page.h"

namespace accumulus::ui {

/// First page: three cards (one-minute demo, set up an experiment, open a library) and a line on the device.
class HomePage : public Page {
    Q_OBJECT
public:
    explicit HomePage(Services services, QWidget* parent = nullptr);

Q_SIGNALS:
    void demoRequested();
    void setupRequested();
    void openLibraryRequested();
};

} // namespace accumulus::ui
