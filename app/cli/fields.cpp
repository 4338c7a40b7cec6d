// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/json_output.h"
#include "app/cli/verbs.h"

#include <fmt/format.h>
#include <memory>

namespace accumulus::cli {
namespace {

std::string section(const ConfigField& field) { return field.key.substr(0, field.key.find('.')); }

void print(Console& console) {
    std::string current;
    for (const ConfigField& field : configFields()) {
        if (section(field) != current) {
            current = section(field);
            if (&field != &configFields().front())
                console.line("");
            console.line("[" + current + "]");
        }
        const std::string unit = field.unit.empty() ? "" : ", " + field.unit;
        console.line(fmt::format("{} = {}    ({}{})", field.key, fieldText(field.get(ExperimentConfig{})),
                                 allowedText(field), unit));
        console.line("    " + field.help);
    }
}

} // namespace

void addFields(CLI::App& app, Work& chosen) {
    const auto json = std::make_shared<bool>(false);
    CLI::App& verb = *app.add_subcommand("fields", "Every setting with its default, what is allowed, and what it does");
    verb.add_flag("--json", *json, "One JSON array: key, type, unit, minimum, maximum, choices, default, help, ...");
    verb.callback([json, &chosen] {
        chosen = [json](Console& console) {
            if (!*json) {
                print(console);
                return 0;
            }
            Json rows = Json::array();
            for (const ConfigField& field : configFields())
                rows.push_back(fieldJson(field));
            console.line(oneLine(rows));
            return 0;
        };
    });
}

} // namespace accumulus::cli
