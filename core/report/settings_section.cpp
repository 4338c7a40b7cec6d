// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/settings_section.h"

#include "core/config/config_fields.h"
#include "core/config/setting_words.h"
#include "core/report/report_parts.h"
#include "core/report/report_words.h"

#include <algorithm>

namespace accumulus {

std::string settingTitleText(std::string_view key) {
    if (const std::string_view title = settingTitle(key); !title.empty())
        return say(title);
    std::string name(key.substr(key.find('.') + 1));
    std::ranges::replace(name, '_', ' ');
    return capitalised(std::move(name));
}

std::string settingValueText(std::string_view key, std::string_view toml) {
    if (toml == "true" || toml == "false")
        return toml == "true" ? say("yes") : say("no");
    if (toml == "[]" || toml == "\"\"") {
        const std::string_view meaning = emptyMeaning(key);
        return meaning.empty() ? "–" : say(meaning);
    }
    const ConfigField* field = findField(key);
    std::string_view text = toml;
    if (text.size() > 1 && text.front() == '"' && text.back() == '"')
        text = text.substr(1, text.size() - 2);
    if (const std::string_view zero = zeroMeaning(key);
        !zero.empty() && (text == "0" || text == "0.0" || text.starts_with("0 ")))
        return "0 " + say(zero);
    if (field && field->type == FieldType::Choice)
        if (const std::string_view title = choiceTitle(text); !title.empty())
            return say(title);
    if (field && (field->type == FieldType::IntegerList || field->type == FieldType::RealList))
        text = text.substr(1, text.size() - 2); // without brackets
    return std::string(text);
}

ReportTable settingsTable(const std::vector<std::pair<std::string, std::string>>& settings) {
    ReportTable table{"", {say("Setting"), say("Value")}, {}, {}};
    for (const auto& [key, value] : settings)
        table.rows.push_back({settingTitleText(key), settingValueText(key, value)});
    return table;
}

void addSettings(ReportDocument& document, const std::pair<std::string, std::string>& groups,
                 const std::vector<FieldDifference>& differences,
                 const std::vector<std::pair<std::string, std::string>>& common) {
    document.blocks.emplace_back(ReportHeading{say("Settings that differ")});
    if (differences.empty()) {
        document.blocks.emplace_back(ReportParagraph{say("None.")});
    } else {
        ReportTable table{
            "",
            {say("Setting"), capitalised(groups.first), capitalised(groups.second), say("Expected between partners")},
            {},
            {}};
        for (const bool expected : {false, true})
            for (const FieldDifference& difference : differences)
                if (difference.expected == expected)
                    table.rows.push_back(
                        {settingTitleText(difference.key), settingValueText(difference.key, difference.a),
                         settingValueText(difference.key, difference.b), expected ? say("yes") : say("no")});
        document.blocks.emplace_back(std::move(table));
    }
    if (common.empty())
        return;
    document.blocks.emplace_back(ReportHeading{say("Settings of both groups")});
    document.blocks.emplace_back(settingsTable(common));
}

} // namespace accumulus
