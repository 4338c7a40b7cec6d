// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/atomic_file.h"
#include "core/base/clock.h"
#include "core/base/event_file.h"
#include "core/base/measured_values.h"
#include "core/run/run_export.h"
#include "core/run/run_json.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <type_traits>
#include <variant>
#include <vector>

namespace accumulus {
namespace {

/// As a float; nothing for texts and what was not measured.
std::optional<float> floatOf(const ExportedValue& value) {
    return std::visit(
        []<class Type>(const Type& held) -> std::optional<float> {
            if constexpr (std::is_arithmetic_v<Type>)
                return static_cast<float>(held);
            else
                return std::nullopt;
        },
        value);
}

/// The values of one record under their tags.
template <class Record>
class Scalars {
public:
    template <class ToTag>
    Scalars(std::span<const MeasuredValue<Record>> values, ToTag toTag) {
        for (const MeasuredValue<Record>& value : values)
            if (std::string tag = toTag(value.name); !tag.empty())
                m_values.emplace_back(&value, std::move(tag));
    }

    [[nodiscard]] std::vector<EventScalar> of(const Record& record) const {
        std::vector<EventScalar> scalars;
        for (const auto& [value, tag] : m_values)
            if (const auto number = floatOf(value->exported(record)))
                scalars.push_back({tag, *number});
        return scalars;
    }

private:
    std::vector<std::pair<const MeasuredValue<Record>*, std::string>> m_values;
};

std::string evaluationTag(const std::string& split, std::string_view value) {
    constexpr std::array<std::string_view, 5> places{"update", "samples", "epochs", "split", "wall_time"};
    return std::ranges::find(places, value) == places.end() ? fmt::format("{}/{}", split, value) : std::string();
}

std::optional<StudyRecord> studyOf(RunReader& reader, const RunRecord& run) {
    auto study = reader.study(run.study);
    return study ? std::optional(std::move(*study)) : std::nullopt;
}

/// For people, in TensorBoard's Text tab, and for the import.
std::string textOf(const RunRecord& run, const std::optional<StudyRecord>& study, ExportedStep step) {
    nlohmann::ordered_json json = runJson(run, study);
    json["step"] = step == ExportedStep::Updates ? "updates" : "samples";
    return "```json\n" + json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n```";
}

std::filesystem::path eventFilePath(const std::filesystem::path& given, const RunRecord& run) {
    if (given.filename().string().find("tfevents") != std::string::npos)
        return given;
    return given / fmt::format("events.out.tfevents.{}.{}", static_cast<std::int64_t>(std::max(0.0, run.createdAt)),
                               run.id.substr(0, 8));
}

} // namespace

std::string eventTag(std::string_view windowValue) {
    constexpr std::array<std::string_view, 7> counters{"window",  "update", "epoch",         "epochs",
                                                       "samples", "tokens", "active_seconds"};
    const bool counts = std::ranges::find(counters, windowValue) != counters.end();
    return windowValue == "wall_time" ? std::string()
                                      : fmt::format("{}/{}", counts ? "progress" : "train", windowValue);
}

Result<std::filesystem::path> exportRunEvents(RunReader& reader, const std::string& run, ExportedStep step,
                                              const std::filesystem::path& file, const std::stop_token& stop) {
    ACCUMULUS_TRY_ASSIGN(const auto record, reader.run(run));
    ACCUMULUS_TRY_ASSIGN(const auto windows, reader.windows(record.id));
    ACCUMULUS_TRY_ASSIGN(auto evaluations, reader.evaluations(record.id));
    std::ranges::stable_sort(evaluations, {}, &EvaluationRecord::update);
    const double begun = record.startedAt > 0.0 ? record.startedAt : record.createdAt;
    EventFileWriter writer(begun);
    writer.addText(begun, 0, eventRunTag, textOf(record, studyOf(reader, record), step));
    const Scalars<WindowRecord> ofWindow(windowValues(), eventTag);
    const Scalars<EvaluationRecord> ofTest(evaluationValues(),
                                           [](std::string_view name) { return evaluationTag("test", name); });
    const Scalars<EvaluationRecord> ofValidation(
        evaluationValues(), [](std::string_view name) { return evaluationTag("validation", name); });
    auto next = evaluations.cbegin();
    // TensorBoard takes a step that goes back for a restart: evaluations stand between their windows.
    constexpr auto all = std::numeric_limits<std::int64_t>::max();
    const auto addEvaluations = [&](std::int64_t updates, std::int64_t beforeSamples) {
        for (; next != evaluations.cend() && next->update <= updates && next->samples < beforeSamples; ++next)
            writer.addScalars(next->wallTime, step == ExportedStep::Updates ? next->update : next->samples,
                              (next->split == "test" ? ofTest : ofValidation).of(*next));
    };
    std::int64_t updates = 0;
    for (std::size_t i = 0; i < windows.size(); ++i) {
        if (i % 4096 == 0 && stop.stop_requested())
            return failure("library.cancelled");
        const WindowRecord& window = windows[i];
        addEvaluations(window.update ? *window.update - 1 : updates, window.samples);
        updates = window.update.value_or(updates);
        writer.addScalars(window.wallTime, step == ExportedStep::Updates ? updates : window.samples,
                          ofWindow.of(window));
    }
    addEvaluations(all, all);
    if (stop.stop_requested())
        return failure("library.cancelled");
    const auto path = eventFilePath(file, record);
    ACCUMULUS_TRY(writeFileAtomically(path, writer.bytes()));
    return path;
}

} // namespace accumulus
