// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/kept_message.h"
#include "core/config/metric_rows.h"
#include "core/run/imported_run.h"
#include "core/run/measured_parse.h"
#include "core/run/run_json.h"

#include <fstream>
#include <istream>
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
    if (const auto arguments = json.find("arguments"); arguments != json.end())
        event.arguments = argumentsFromJson(arguments->dump());
}

/// Why a file is none of ours: ends the reading of it at once.
struct Refusal {
    const char* reason;
    std::string detail{};
};

/// Takes every row out of the document as soon as it has been read: a million of them never stand in it at once.
class RowTaker {
public:
    RowTaker(ImportedRun& into, const std::stop_token& stop) : m_into(into), m_stop(stop) {}

    /// False: the value is left out of the document.
    bool operator()(int depth, Json::parse_event_t event, const Json& parsed) {
        using Event = Json::parse_event_t;
        if (m_stop.stop_requested())
            throw Refusal{nullptr};
        if (depth == 1 && event == Event::key)
            m_rows = rowsNamed(parsed.get_ref<const std::string&>());
        const bool inRow = m_rows != Rows::None && depth >= 2;
        if (depth > deepestJson || ++(inRow ? m_inRow : m_outside) > mostValues)
            throw Refusal{"reason.import-json-size"};
        const bool isOver = event == Event::value || event == Event::object_end || event == Event::array_end;
        if (!inRow || depth != rowDepth || !isOver)
            return true;
        take(parsed);
        m_inRow = 0;
        return false;
    }

private:
    enum class Rows { None, Windows, Evaluations, Events };
    static constexpr int rowDepth = 2;                    ///< in an array of the outermost object
    static constexpr std::int64_t mostValues = 1'000'000; ///< of one row, and of everything but the rows
    static constexpr std::size_t mostRows = 5'000'000;

    static Rows rowsNamed(const std::string& name) {
        return name == "windows"       ? Rows::Windows
               : name == "evaluations" ? Rows::Evaluations
               : name == "events"      ? Rows::Events
                                       : Rows::None;
    }

    void take(const Json& row) {
        if (m_into.windows.size() + m_into.evaluations.size() + m_into.events.size() >= mostRows)
            throw Refusal{"reason.import-json-size"};
        if (m_rows == Rows::Windows && !readWindow(m_into.windows.emplace_back(), row))
            throw Refusal{"reason.import-json-window", std::to_string(m_into.windows.size())};
        if (m_rows == Rows::Evaluations && !readMeasured(m_into.evaluations.emplace_back(), evaluationValues(), row))
            throw Refusal{"reason.import-json-evaluation", std::to_string(m_into.evaluations.size())};
        if (m_rows == Rows::Events && row.is_object())
            readEvent(m_into.events.emplace_back(), row);
    }

    ImportedRun& m_into;
    const std::stop_token& m_stop;
    Rows m_rows = Rows::None;
    std::int64_t m_inRow = 0, m_outside = 0;
};

bool hasArray(const Json& json, const char* name) {
    const auto found = json.find(name);
    return found != json.end() && found->is_array();
}

/// All but the rows, which are in `imported` then.
Json readDocument(std::istream& stream, ImportedRun& imported, const std::stop_token& stop) {
    RowTaker taker(imported, stop);
    Json json = Json::parse(
        stream, [&](int depth, Json::parse_event_t event, const Json& parsed) { return taker(depth, event, parsed); },
        false);
    if (json.is_discarded())
        throw Refusal{"reason.import-json-syntax"};
    auto run = runFromJson(json);
    if (!run || !hasArray(json, "windows") || !hasArray(json, "evaluations"))
        throw Refusal{"reason.import-json-run"};
    imported.run = std::move(*run);
    return json;
}

} // namespace

Result<ImportedRun> importedJson(const std::filesystem::path& file, const std::stop_token& stop) {
    ImportedRun imported;
    std::ifstream stream(file, std::ios::binary);
    try {
        const Json document = readDocument(stream, imported, stop);
        imported.study = studyFromJson(document);
        // Exports of before validation was summed up.
        if (const auto summary = document.find("summary");
            summary == document.end() || !summary->is_object() || !summary->contains("validation_loss"))
            for (const EvaluationRecord& evaluation : imported.evaluations)
                if (evaluation.split == "validation")
                    takeEvaluation(imported.run.summary, evaluation);
        takeNonfinite(imported);
    } catch (const Refusal& refusal) {
        if (!refusal.reason)
            return failure("library.cancelled");
        return failure("import.json",
                       {{"file", file.string()}, {"reason", refusal.reason}, {"detail", refusal.detail}});
    }
    ACCUMULUS_TRY(checkMeasured(imported, {"import.measured", {{"file", file.string()}}}));
    return imported;
}

} // namespace accumulus
