// SPDX-License-Identifier: GPL-3.0-or-later
// What a setting's value is called in the workbench, in the current language, and how a ramp is typed. GUI thread.
#pragma once

#include "core/config/config_fields.h"

#include <QString>
#include <optional>

namespace accumulus::ui {

/// The setting's value with its unit in words: "LeNet-5", "3 epochs", "32 samples", "all" for a 0 that means it.
[[nodiscard]] QString fieldValueText(const ConfigField& field, const ExperimentConfig& experiment);
/// The unit behind the number while it is typed; of the margin what it is in Compare: "= 0.5 points".
[[nodiscard]] QString unitInField(const ConfigField& field, const ExperimentConfig& experiment);
/// What a 0 stands for, with the number that will be used where the experiment tells it: "= default, 0.2 points".
[[nodiscard]] QString zeroInField(const ConfigField& field, const ExperimentConfig& experiment);
/// The margin that a comparison will have: "±0.2 points, the metric's default".
[[nodiscard]] QString marginText(const ExperimentConfig& experiment);
/// "100: 64, 500: 512": from which update on which effective batch; empty for none.
[[nodiscard]] QString rampText(const BatchRamp& ramp);
/// Reads what rampText writes, or the list of an experiment file; nothing when it is neither.
[[nodiscard]] std::optional<BatchRamp> rampFromText(const QString& text);

} // namespace accumulus::ui
