// SPDX-License-Identifier: GPL-3.0-or-later
// What an axis of the settings is called and what its values read, in the workbench's language. Pure functions; GUI
// thread.
#pragma once

#include "core/analysis/setting_axes.h"

#include <QString>

namespace accumulus::ui::setting_axis_text {

/// "Learning rate", "Micro-batch (samples)", "Seed", "Final test accuracy (%)".
[[nodiscard]] QString title(const SettingAxes& axes, const SettingAxis& axis);
/// In one run, with its unit; "(not set)" where the setting does not matter.
[[nodiscard]] QString value(const SettingAxes& axes, const SettingAxis& axis, std::size_t run);
/// A number beside the axis, without its unit.
[[nodiscard]] QString number(const SettingAxes& axes, const SettingAxis& axis, double value);
/// A word beside the axis.
[[nodiscard]] QString word(const SettingAxes& axes, const SettingAxis& axis, std::size_t word);
/// What one unit of the axis is shown as: 100 for accuracies, else 1.
[[nodiscard]] double factor(const SettingAxes& axes, const SettingAxis& axis);
[[nodiscard]] QString groupLetter(std::size_t group); ///< "A", "B"

} // namespace accumulus::ui::setting_axis_text
