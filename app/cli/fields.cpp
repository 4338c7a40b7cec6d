// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/json_output.h"
#include "app/cli/verbs.h"

#include <fmt/format.h>
#include <memory>
#include <vector>

namespace accumulus::cli {
namespace {

std::string section(const ConfigField& field) { return field.key.substr(0, field.key.find('.')); }

void print(const ConfigField& field, Console& console) {
    const std::string unit = field.unit.empty() ? "" : ", " + field.unit;
    console.line(fmt::format("{} = {}    ({}{})", field.key, fieldText(field.get(ExperimentConfig{})),
                             allowedText(field), unit));
    console.line("    " + field.help);
}

/// The fields with `key`: all where it is empty, one, or a section's.
std::vector<const ConfigField*> fieldsOf(const std::string& key) {
    std::vector<const ConfigField*> chosen;
    for (const ConfigField& field : configFields())
        if (key.empty() || key == field.key || key == section(field))
            chosen.push_back(&field);
    return chosen;
}

void print(const std::vector<const ConfigField*>& fields, Console& console) {
    std::string current;
    for (const ConfigField* field : fields) {
        if (section(*field) != current) {
            current = section(*field);
            if (field != fields.front())
                console.line("");
            console.line("[" + current + "]");
        }
        print(*field, console);
    }
}

void printDetails(const ConfigField& field, Console& console) {
    print(field, console);
    if (!field.details.empty())
        console.line("    " + field.details);
    if (!field.dependsOn.empty())
        console.line(fmt::format("    Whether it is used depends on {}.", fmt::join(field.dependsOn, ", ")));
}

int fields(const std::string& key, bool json, Console& console) {
    const std::vector<const ConfigField*> chosen = fieldsOf(key);
    if (chosen.empty())
        return console.fail({"config.unknown-key", {{"key", key}, {"nearest", nearestKey(key)}}});
    if (json) {
        Json rows = Json::array();
        for (const ConfigField* field : chosen)
            rows.push_back(fieldJson(*field));
        console.line(oneLine(rows));
    } else if (key == chosen.front()->key) {
        printDetails(*chosen.front(), console);
    } else {
        print(chosen, console);
    }
    return 0;
}

} // namespace

void addFields(CLI::App& app, Work& chosen) {
    struct Options {
        std::string key;
        bool json = false;
    };
    const auto options = std::make_shared<Options>();
    CLI::App& verb = *app.add_subcommand("fields", "Every setting with its default, what is allowed, and what it does");
    verb.add_option("KEY", options->key,
                    "Only this setting, with its details, or this section: batch.micro or batch, for example")
        ->type_name("");
    verb.add_flag("--json", options->json,
                  "One JSON array: key, type, unit, minimum, maximum, choices, default, help, details, ...");
    verb.callback([options, &chosen] {
        chosen = [options](Console& console) { return fields(options->key, options->json, console); };
    });
}

} // namespace accumulus::cli
