// SPDX-License-Identifier: GPL-3.0-or-later
// Names a place to train at: a machine that ssh reaches, a Slurm cluster, or both. GUI thread.
#pragma once

#include "core/store/run_records.h"
#include "widgets/style/controls.h"

#include <QDialog>

class QCheckBox;
class QLineEdit;

namespace accumulus::ui {

class PlaceDialog : public QDialog {
    Q_OBJECT
public:
    /// `known`: one that is changed, and can be removed.
    PlaceDialog(const Theme& theme, const std::optional<LaunchPlace>& known, QWidget* parent);

    [[nodiscard]] LaunchPlace place() const;

Q_SIGNALS:
    void removed();

private:
    void check();

    QLineEdit* m_host;
    QCheckBox* m_isSlurm;
    QLineEdit* m_slurm;
    QLineEdit* m_program;
    QLineEdit* m_library;
    RoleLabel* m_problem;
    QPushButton* m_save = nullptr;
};

} // namespace accumulus::ui
