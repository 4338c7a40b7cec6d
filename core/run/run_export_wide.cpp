// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/atomic_file.h"
#include "core/run/csv_cells.h"
#include "core/run/run_export.h"

#include <algorithm>
#include <vector>

namespace accumulus {
namespace {

/// Where an evaluation stands is told by its window's columns.
bool isPlace(const EvaluationValue& value) {
    return value.name == "update" || value.name == "samples" || value.name == "epochs" || value.name == "split";
}

/// The splits that were evaluated, test first.
std::vector<std::string> splitsOf(const std::vector<EvaluationRecord>& evaluations) {
    std::vector<std::string> splits;
    for (const char* split : {"test", "validation"})
        if (std::ranges::find(evaluations, split, &EvaluationRecord::split) != evaluations.end())
            splits.emplace_back(split);
    return splits;
}

/// The evaluations made at one place.
using Place = std::vector<const EvaluationRecord*>;

void addWindowCells(std::string& csv, const WindowRecord* window, const EvaluationRecord* place) {
    WindowRecord stand; // where an evaluation without a window stands
    if (!window && place) {
        if (place->update > 0)
            stand.update = place->update;
        stand.samples = place->samples;
        stand.epochPosition = place->epochPosition;
    }
    for (const WindowValue& value : windowValues()) {
        const bool tells = value.name == "update" || value.name == "samples" || value.name == "epochs";
        if (value.name != "window")
            csv += ',';
        if (window || tells)
            csv += cellText(value.exported(window ? *window : stand));
    }
}

void addRow(std::string& csv, const WindowRecord* window, const Place& place, const std::vector<std::string>& splits) {
    addWindowCells(csv, window, place.empty() ? nullptr : place.front());
    for (const std::string& split : splits) {
        const auto found = std::ranges::find(place, split, &EvaluationRecord::split);
        for (const EvaluationValue& value : evaluationValues()) {
            if (isPlace(value))
                continue;
            csv += ',';
            if (found != place.end())
                csv += cellText(value.exported(**found));
        }
    }
    csv += '\n';
}

std::string header(const std::vector<std::string>& splits) {
    std::string line;
    for (const WindowValue& value : windowValues())
        line += (line.empty() ? "" : ",") + std::string(value.name);
    for (const std::string& split : splits)
        for (const EvaluationValue& value : evaluationValues())
            if (!isPlace(value))
                line += fmt::format(",{}_{}", split, value.name);
    return line + '\n';
}

bool standsAt(const WindowRecord& window, const EvaluationRecord& evaluation) {
    return window.update == evaluation.update && window.samples == evaluation.samples &&
           window.epochPosition == evaluation.epochPosition;
}

} // namespace

Status exportRunWideCsv(RunReader& reader, const std::string& run, const std::filesystem::path& file,
                        const std::stop_token& stop) {
    ACCUMULUS_TRY_ASSIGN(const auto record, reader.run(run));
    ACCUMULUS_TRY_ASSIGN(const auto windows, reader.windows(record.id));
    ACCUMULUS_TRY_ASSIGN(auto evaluations, reader.evaluations(record.id));
    std::ranges::stable_sort(evaluations, {}, &EvaluationRecord::update);
    const auto splits = splitsOf(evaluations);
    std::string csv = header(splits);
    auto next = evaluations.cbegin();
    /// Those before `update` that no window has taken, a row for each update.
    const auto addLoose = [&](std::int64_t before) {
        while (next != evaluations.cend() && next->update < before) {
            Place place;
            for (const auto first = next; next != evaluations.cend() && next->update == first->update; ++next)
                place.push_back(&*next);
            addRow(csv, nullptr, place, splits);
        }
    };
    for (std::size_t i = 0; i < windows.size(); ++i) {
        if (i % 4096 == 0 && stop.stop_requested())
            return failure("library.cancelled");
        const WindowRecord& window = windows[i];
        Place place;
        if (window.update) {
            addLoose(*window.update);
            for (; next != evaluations.cend() && standsAt(window, *next); ++next)
                place.push_back(&*next);
        }
        addRow(csv, &window, place, splits);
    }
    addLoose(std::numeric_limits<std::int64_t>::max());
    return stop.stop_requested() ? Status(failure("library.cancelled")) : writeFileAtomically(file, csv);
}

} // namespace accumulus
