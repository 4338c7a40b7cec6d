// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/imported_run.h"
#include "core/run/measured_parse.h"
#include "core/run/run_json.h"

#include <string>

namespace accumulus {
namespace {

using Json = nlohmann::ordered_json;

/// The members of an object that are values of a record. False: one of them is none.
template <class Record>
bool readMeasured(Record& record, std::span<const MeasuredValue<Record>> values, const Json& json) {
    if (!json.is_object())
        return false;
    for (const auto& [name, member] : json.items())
        if (const auto* value = valueNamed(values, name); value && !setFromJson(record, *value, member))
            return false;
    return true;
}

bool readWindow(WindowRecord& window, const Json& json) {
    if (!readMeasured(window, windowValues(), json))
        return false;
    const auto ranks = json.find("ranks");
    if (ranks == json.end())
        return true;
    if (!ranks->is_array())
        return false;
    for (const Json& row : *ranks)
        if (!readMeasured(window.ranks.emplace_back(), rankValues(), row) ||
            window.ranks.back().window != window.window ||
            window.ranks.back().rank + 1 != static_cast<std::int64_t>(window.ranks.size()))
            return false;
    return true;
}

void readEvent(EventRecord& event, const Json& json) {
    const auto text = [&](const char* name) {
        const auto found = json.find(name);
        return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
    };
    event.level = text("level");
    event.code = text("code");
    event.text = text("text");
    event.wallTime = timeFromIso(text("time"));
    if (const auto update = json.find("update"); update != json.end() && update->is_number_integer())
        event.update = update->get<std::int64_t>();
}

/// The array of that name; null where there is none.
const Json* arrayNamed(const Json& json, const char* name) {
    const auto found = json.find(name);
    return found == json.end() || !found->is_array() ? nullptr : &*found;
}

} // namespace

Result<ImportedRun> importedJson(std::string_view text, const std::filesystem::path& file) {
    const auto wrong = [&](const char* reason, std::string detail = {}) {
        return failure("import.json", {{"file", file.string()}, {"reason", reason}, {"detail", std::move(detail)}});
    };
    const Json json = Json::parse(text, nullptr, false);
    if (json.is_discarded())
        return wrong("reason.import-json-syntax");
    auto run = runFromJson(json);
    const Json* windows = run ? arrayNamed(json, "windows") : nullptr;
    const Json* evaluations = run ? arrayNamed(json, "evaluations") : nullptr;
    if (!windows || !evaluations)
        return wrong("reason.import-json-run");
    ImportedRun imported;
    imported.run = std::move(*run);
    for (const Json& row : *windows)
        if (!readWindow(imported.windows.emplace_back(), row))
            return wrong("reason.import-json-window", std::to_string(imported.windows.size()));
    for (const Json& row : *evaluations)
        if (!readMeasured(imported.evaluations.emplace_back(), evaluationValues(), row))
            return wrong("reason.import-json-evaluation", std::to_string(imported.evaluations.size()));
    if (const Json* events = arrayNamed(json, "events"))
        for (const Json& row : *events)
            if (row.is_object())
                readEvent(imported.events.emplace_back(), row);
    ACCUMULUS_TRY(checkMeasured(imported, {"import.measured", {{"file", file.string()}}}));
    return imported;
}

} // namespace accumulus
