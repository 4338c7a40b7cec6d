// SPDX-License-Identifier: GPL-3.0-or-later
// The languages that a report can be made in, the same for the command line and the workbench. Any thread.
#pragma once

#include "core/base/message.h"

#include <array>
#include <string>
#include <string_view>

namespace accumulus {

struct ReportLanguageRow {
    std::string_view code; ///< as locales name it
    std::string_view tag;  ///< as HTML names it
    std::string_view name; ///< in itself
};
inline constexpr std::array reportLanguageRows{ReportLanguageRow{"en", "en", "English"},
                                               ReportLanguageRow{"zh_CN", "zh-CN", "中文"}};

/// What the language does with sentences of reports and of the core, and with titles of models and data sets; English
/// for a code that is not in the table.
[[nodiscard]] const Language& languageOfReports(std::string_view code);
/// Of a code: "zh-CN"; "en" for one that is not in the table.
[[nodiscard]] std::string tagOfReports(std::string_view code);
/// The code for this process's locale (LC_ALL, LC_MESSAGES, LANG: the first that is set); English where reports do not
/// speak its language.
[[nodiscard]] std::string_view localeOfReports();

} // namespace accumulus
