// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/settings_section.h"

#include "core/report/report_parts.h"
#include "core/report/report_words.h"

namespace accumulus {

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
                        {difference.key, difference.a, difference.b, expected ? say("yes") : say("no")});
        document.blocks.emplace_back(std::move(table));
    }
    if (common.empty())
        return;
    document.blocks.emplace_back(ReportHeading{say("Settings of both groups")});
    document.blocks.emplace_back(listTable("", {say("Setting"), say("Value")}, common));
}

} // namespace accumulus
