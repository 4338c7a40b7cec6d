// SPDX-License-Identifier: GPL-3.0-or-later
// The button beside a path: a file, a folder, or one of those used lately. GUI thread.
#pragma once

#include "core/config/config_fields.h"
#include "core/run/file_kind.h"

#include <QPushButton>
#include <functional>

class QMenu;

namespace accumulus::ui {

/// What a file for this setting is kept as among the recent ones; None: the setting keeps none.
[[nodiscard]] FileRole roleOfSetting(const ConfigField& field);

class PathChooser : public QPushButton {
    Q_OBJECT
public:
    /// `current`: where dialogs begin.
    PathChooser(const ConfigField& field, std::function<QString()> current, QWidget* parent = nullptr);

Q_SIGNALS:
    void chosen(const QString& file);

private:
    void fill();
    void addRecent();
    void take(const QString& file);

    const ConfigField& m_field;
    std::function<QString()> m_current;
    QMenu* m_menu;
};

} // namespace accumulus::ui
