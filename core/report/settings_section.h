// SPDX-License-Identifier: GPL-3.0-or-later
// The settings of a run, and those of both groups of a comparison, in a report: by the names and values that the
// workbench shows. Internal to report.
#pragma once

#include "core/analysis/compare.h"
#include "core/report/report_document.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace accumulus {

/// "Effective batch B", in the report's language.
[[nodiscard]] std::string settingTitleText(std::string_view key);
/// `toml`: as in an experiment file. A choice by its title, what 0 and an empty text stand for, no quotes.
[[nodiscard]] std::string settingValueText(std::string_view key, std::string_view toml);
/// Keys and values in words.
[[nodiscard]] ReportTable settingsTable(const std::vector<std::pair<std::string, std::string>>& settings);

/// Those that differ, unexpected ones first, then `common`: key and value of those that the groups share.
void addSettings(ReportDocument& document, const std::pair<std::string, std::string>& groups,
                 const std::vector<FieldDifference>& differences,
                 const std::vector<std::pair<std::string, std::string>>& common);

} // namespace accumulus
