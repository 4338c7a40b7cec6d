// SPDX-License-Identifier: GPL-3.0-or-later
// The languages that a report can be made in, whatever the window's is. Any thread, once the first call has returned.
#pragma once

#include "core/base/message.h"

#include <QString>
#include <utility>
#include <vector>

namespace accumulus::ui {

/// Codes as of the window's languages, each with its own name.
[[nodiscard]] const std::vector<std::pair<QString, QString>>& reportLanguages();
/// Of the window, as far as reports know it.
[[nodiscard]] QString windowLanguage();
/// What a code of reportLanguages() does with sentences; English for any other.
[[nodiscard]] const Language& languageOf(const QString& code);
/// As HTML names it: "zh-CN".
[[nodiscard]] std::string languageTag(const QString& code);

} // namespace accumulus::ui
