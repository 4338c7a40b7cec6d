// SPDX-License-Identifier: GPL-3.0-or-later
// Asks what an event file of another program leaves open: what its steps count, and how many samples an update saw. GUI
// thread.
#pragma once

#include "core/run/run_import.h"

#include <QDialog>

class QComboBox;
class QSpinBox;

namespace accumulus::ui {

class EventStepsDialog : public QDialog {
    Q_OBJECT
public:
    EventStepsDialog(const QString& why, QWidget* parent);
    [[nodiscard]] ImportOptions options() const;

private:
    QComboBox* m_step;
    QSpinBox* m_effective;
};

} // namespace accumulus::ui
