// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/report_languages.h"

#include "core/report/sentence_table.h"

#include <algorithm>
#include <cstdlib>

namespace accumulus {
namespace {

constexpr std::string_view chineseCode = reportLanguageRows[1].code;

std::string inChinese(std::string_view words) {
    const auto table = chineseSentences();
    const auto found = std::ranges::lower_bound(table, words, {}, &TranslatedSentence::english);
    return std::string(found != table.end() && found->english == words ? found->translation : words);
}

} // namespace

const Language& languageOfReports(std::string_view code) {
    static const Language chinese{inChinese, english().count}; // numbers look alike in both
    return code == chineseCode ? chinese : english();
}

std::string tagOfReports(std::string_view code) {
    const auto row = std::ranges::find(reportLanguageRows, code, &ReportLanguageRow::code);
    return std::string(row == reportLanguageRows.end() ? reportLanguageRows.front().tag : row->tag);
}

std::string_view localeOfReports() {
    std::string_view locale;
    for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"})
        if (const char* value = std::getenv(name); locale.empty() && value != nullptr)
            locale = value;
    const bool chinese = locale.starts_with("zh") && (locale.size() == 2 || locale[2] == '_' || locale[2] == '.');
    return chinese ? chineseCode : reportLanguageRows.front().code;
}

} // namespace accumulus
