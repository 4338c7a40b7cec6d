// SPDX-License-Identifier: GPL-3.0-or-later
// The widget for one row of the field table: its type decides the control, the row gives unit, range, choices, help and
// default. GUI thread.
#pragma once

#include "widgets/models/config_form.h"

#include <QHBoxLayout>
#include <QWidget>

namespace accumulus::ui {

class FieldEditor : public QWidget {
    Q_OBJECT
public:
    /// The editor reads and writes `form`; both outlive it. Object name of the control: "setup." + key.
    [[nodiscard]] static FieldEditor* create(const ConfigField& field, ConfigForm& form, QWidget* parent = nullptr);

    [[nodiscard]] const ConfigField& field() const { return m_field; }
    /// The control that takes the keyboard; buddy of the label.
    [[nodiscard]] QWidget* control() const { return m_control; }

Q_SIGNALS:
    void edited(); ///< after the form has taken the value
    /// A path was chosen in a dialog or among the recent ones, for a setting that a file may bring others with it
    /// (a data set, a network, weights): whoever knows files takes it from here.
    void fileChosen(const QString& file);

protected:
    FieldEditor(const ConfigField& field, ConfigForm& form, QWidget* parent);
    /// Names, tool tip, focus; called once by the constructor of each kind.
    void adopt(QWidget* control);
    [[nodiscard]] QHBoxLayout& row() const { return *m_row; }
    /// What the person made of the control now: into the form, or refused with the reason.
    void commit(const FieldValue& value);
    void refuse();
    /// Shows a value without telling anyone.
    virtual void show(const FieldValue& value) = 0;
    /// The form has changed, here or elsewhere.
    virtual void follow(const ExperimentConfig& /*experiment*/) {}

private:
    void pull();

    const ConfigField& m_field;
    ConfigForm& m_form;
    QHBoxLayout* m_row;
    QWidget* m_control = nullptr;
    bool m_committing = false;
};

} // namespace accumulus::ui
