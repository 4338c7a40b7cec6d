// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/setup/changed_chip.h"

#include "widgets/models/field_values.h"

namespace accumulus::ui {

ChangedChip::ChangedChip(const Theme& theme, const ConfigField& field, const ConfigForm& form, QWidget* parent)
    : RoleLabel(theme, TextRole::Caption, tr("changed"), parent), m_field(field), m_form(form) {
    setObjectName(QStringLiteral("setup.%1.changed").arg(QString::fromStdString(field.key)));
    setWordWrap(false);
    connect(&form, &ConfigForm::changed, this, &ChangedChip::refresh);
    refresh();
}

void ChangedChip::refresh() {
    const FormStart& start = m_form.start();
    setVisible(m_form.differsFromStart(m_field));
    setToolTip(QStringLiteral("%1: %2").arg(startTitle(start), fieldValueText(m_field, start.experiment)));
    setAccessibleDescription(toolTip());
}

} // namespace accumulus::ui
