// SPDX-License-Identifier: GPL-3.0-or-later
// What settings and their choices are called in the workbench, in the current language. Keys and choices without an
// entry show their own name, so a new row of the field table appears at once. GUI thread.
#pragma once

#include "core/config/config_fields.h"

#include <QString>

namespace accumulus::ui {

[[nodiscard]] QString fieldTitle(const ConfigField& field);
[[nodiscard]] QString choiceTitle(const std::string& choice);
/// A sentence of the core names settings by their keys; the window by their titles: Set “Device” = CPU.
[[nodiscard]] QString settingTitles(const QString& text);

} // namespace accumulus::ui
