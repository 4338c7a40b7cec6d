// SPDX-License-Identifier: GPL-3.0-or-later
// What reports and the core's catalogues say in Chinese. The build makes the table from the one file of translations
// (packaging/translations/sentence_table.cpp). Internal to report.
#pragma once

#include <span>
#include <string_view>

namespace accumulus {

struct TranslatedSentence {
    std::string_view english, translation;
};
/// Ascending by the bytes of the English sentence.
[[nodiscard]] std::span<const TranslatedSentence> chineseSentences();

} // namespace accumulus
