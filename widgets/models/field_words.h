// SPDX-License-Identifier: GPL-3.0-or-later
// What the workbench says of a setting beside its title (field_titles.h), in the current language. GUI thread.
#pragma once

#include "core/config/config_check.h"
#include "core/config/config_fields.h"
#include "widgets/style/field_titles.h" // IWYU pragma: export

#include <QString>

namespace accumulus::ui {

[[nodiscard]] QString fieldHelp(const ConfigField& field);    ///< one line
[[nodiscard]] QString fieldToolTip(const ConfigField& field); ///< help, details, range, default and key as rich text
[[nodiscard]] QString fieldUnit(const ConfigField& field);
/// What the value 0 stands for ("all", "automatic"), empty when it is an ordinary number.
[[nodiscard]] QString zeroMeaning(const ConfigField& field);
/// What an empty text stands for ("bundled copy").
[[nodiscard]] QString emptyMeaning(const ConfigField& field);
[[nodiscard]] QString extentUnitTitle(Extent::Unit unit);
[[nodiscard]] QString allowedValues(const ConfigField& field); ///< "Allowed: 1 and more."

/// Sentences of config_check in the current language.
[[nodiscard]] QString findingText(const Finding& finding);
[[nodiscard]] QString fixLabel(const Fix& fix);

} // namespace accumulus::ui
