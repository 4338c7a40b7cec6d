// SPDX-License-Identifier: GPL-3.0-or-later
// What settings, their choices and their special values are called, in English: the workbench and reports translate
// these words. A setting or choice without a row goes by its own name, so a new one appears at once. Every word ends
// with a null, for Qt. Any thread.
#pragma once

#include <span>
#include <string_view>

namespace accumulus {

struct SettingWord {
    std::string_view name; ///< the setting's key, or the choice
    std::string_view words;
};
[[nodiscard]] std::span<const SettingWord> settingTitleRows();
[[nodiscard]] std::span<const SettingWord> choiceTitleRows(); ///< without models and data sets
[[nodiscard]] std::span<const SettingWord> zeroMeaningRows();
[[nodiscard]] std::span<const SettingWord> emptyMeaningRows();

// Each empty where there is no such row.
[[nodiscard]] std::string_view settingTitle(std::string_view key);   ///< "Effective batch B"
[[nodiscard]] std::string_view choiceTitle(std::string_view choice); ///< "LeNet-5", "cross entropy"
[[nodiscard]] std::string_view zeroMeaning(std::string_view key);    ///< of a 0 that is special: "= all"
[[nodiscard]] std::string_view emptyMeaning(std::string_view key);   ///< of an empty text: "bundled copy"

} // namespace accumulus
