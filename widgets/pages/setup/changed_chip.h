// SPDX-License-Identifier: GPL-3.0-or-later
// "changed" beside a setting that differs from what the form was filled from; its tool tip says from what. GUI thread.
#pragma once

#include "widgets/models/config_form.h"
#include "widgets/style/controls.h"

namespace accumulus::ui {

class ChangedChip : public RoleLabel {
    Q_OBJECT
public:
    /// All outlive the chip. Object name: "setup." + key + ".changed".
    ChangedChip(const Theme& theme, const ConfigField& field, const ConfigForm& form, QWidget* parent);

private:
    void refresh();

    const ConfigField& m_field;
    const ConfigForm& m_form;
};

} // namespace accumulus::ui
