// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run_export.h"

#include "core/base/atomic_file.h"
#include "core/base/clock.h"
#include "core/run/checkpoint_files.h"
#include "core/run/csv_cells.h"
#include "core/run/measured_json.h"
#include "core/run/run_json.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

namespace accumulus {
namespace {

/// One column of the CSV. A row of a kind that does not measure it leaves it empty.
struct CsvColumn {
    std::string_view name;
    const WindowValue* window = nullptr;
    const EvaluationValue* evaluation = nullptr;
    const RankValue* rank = nullptr;
};

/// The column of that name, which is added where there is none.
CsvColumn& columnNamed(std::vector<CsvColumn>& columns, std::string_view name) {
    const auto column = std::ranges::find(columns, name, &CsvColumn::name);
    return column == columns.end() ? columns.emplace_back(name) : *column;
}

/// The values of windows, and those that only evaluations or ranks have: the accuracy beside the loss, the rest at the
/// end.
std::vector<CsvColumn> csvColumns(bool withRanks) {
    std::vector<CsvColumn> columns;
    for (const WindowValue& value : windowValues()) {
        columns.push_back({value.name, &value});
        if (value.name == "loss")
            columns.push_back({"accuracy"});
    }
    for (const EvaluationValue& value : evaluationValues())
        columnNamed(columns, value.name).evaluation = &value;
    if (withRanks)
        for (const RankValue& value : rankValues())
            columnNamed(columns, value.name).rank = &value;
    return columns;
}

std::string csvHeader(const std::vector<CsvColumn>& columns) {
    std::string line = "kind";
    for (const CsvColumn& column : columns)
        line.append(",").append(column.name);
    return line + '\n';
}

template <class Record>
void addRow(std::string& csv, std::string_view kind, const std::vector<CsvColumn>& columns,
            const MeasuredValue<Record>* CsvColumn::*value, const Record& row) {
    csv += kind;
    for (const CsvColumn& column : columns) {
        csv += ',';
        if (column.*value)
            csv += cellText((column.*value)->exported(row));
    }
    csv += '\n';
}

using Json = nlohmann::ordered_json;

Json timeJson(double unixSeconds) { return unixSeconds > 0 ? Json(isoTime(unixSeconds)) : Json(nullptr); }

template <class Record>
Json measuredJson(std::span<const MeasuredValue<Record>> values, const Record& row) {
    Json json = Json::object();
    addMeasured(json, values, row);
    return json;
}

template <class T, class ToJson>
Json arrayJson(const std::vector<T>& rows, ToJson toJson) {
    Json array = Json::array();
    for (const T& row : rows)
        array.push_back(toJson(row));
    return array;
}

/// Those of one window, out of rows by window.
std::span<const RankTimes> ranksOf(std::span<const RankTimes> rows, std::int64_t window) {
    const auto found = std::ranges::equal_range(rows, window, {}, &RankTimes::window);
    return {found.begin(), found.end()};
}

CheckpointKind kindOf(ExportedWeights which) {
    switch (which) {
    case ExportedWeights::Initial:
        return CheckpointKind::Initial;
    case ExportedWeights::Best:
        return CheckpointKind::Best;
    case ExportedWeights::Last:
        return CheckpointKind::Last;
    }
    return CheckpointKind::Last;
}

/// Every so often among many rows.
bool isAsked(const std::stop_token& stop, std::size_t row) { return row % 4096 == 0 && stop.stop_requested(); }

tl::unexpected<Error> cancelled() { return failure("library.cancelled"); }

/// Unless it was cancelled.
Status write(const std::filesystem::path& file, std::string_view content, const std::stop_token& stop) {
    return stop.stop_requested() ? Status(cancelled()) : writeFileAtomically(file, content);
}

} // namespace

Status exportRunCsv(RunReader& reader, const std::string& run, const std::filesystem::path& file,
                    const std::stop_token& stop) {
    ACCUMULUS_TRY_ASSIGN(const auto record, reader.run(run));
    ACCUMULUS_TRY_ASSIGN(const auto windows, reader.windows(record.id));
    ACCUMULUS_TRY_ASSIGN(const auto evaluations, reader.evaluations(record.id));

    ACCUMULUS_TRY_ASSIGN(const auto ranks, reader.rankTimes(record.id));
    const std::vector<CsvColumn> columns = csvColumns(!ranks.empty());
    std::string csv = csvHeader(columns);
    for (std::size_t i = 0; i < windows.size(); ++i) {
        if (isAsked(stop, i))
            return cancelled();
        addRow(csv, "window", columns, &CsvColumn::window, windows[i]);
    }
    for (const EvaluationRecord& row : evaluations)
        addRow(csv, "evaluation", columns, &CsvColumn::evaluation, row);
    for (const RankTimes& row : ranks)
        addRow(csv, "rank", columns, &CsvColumn::rank, row);
    return write(file, csv, stop);
}

Status exportRunJson(RunReader& reader, const std::string& run, const std::filesystem::path& file,
                     const std::stop_token& stop) {
    ACCUMULUS_TRY_ASSIGN(const auto record, reader.run(run));
    ACCUMULUS_TRY_ASSIGN(const auto windows, reader.windows(record.id));
    ACCUMULUS_TRY_ASSIGN(const auto ranks, reader.rankTimes(record.id));
    ACCUMULUS_TRY_ASSIGN(const auto evaluations, reader.evaluations(record.id));
    ACCUMULUS_TRY_ASSIGN(const auto events, reader.events(record.id));
    ACCUMULUS_TRY_ASSIGN(const auto checkpoints, reader.checkpoints(record.id));

    Json json = runJson(record);
    Json& array = json["windows"] = Json::array();
    for (std::size_t i = 0; i < windows.size(); ++i) {
        if (isAsked(stop, i))
            return cancelled();
        addRanks(array.emplace_back(measuredJson(windowValues(), windows[i])), ranksOf(ranks, windows[i].window));
    }
    json["evaluations"] =
        arrayJson(evaluations, [](const EvaluationRecord& row) { return measuredJson(evaluationValues(), row); });
    json["events"] = arrayJson(events, [](const EventRecord& row) {
        return Json{{"time", timeJson(row.wallTime)},
                    {"level", row.level},
                    {"code", row.code},
                    {"text", row.text},
                    {"update", row.update}};
    });
    json["checkpoints"] = arrayJson(checkpoints, [](const CheckpointRecord& row) {
        return Json{{"kind", checkpointKindName(row.kind)},
                    {"update", row.update},
                    {"samples", row.samples},
                    {"weights", row.weightsPath},
                    {"bundle", row.bundlePath},
                    {"weights_hash", row.weightsHash},
                    {"bytes", row.bytes},
                    {"time", timeJson(row.wallTime)}};
    });
    // A note may hold bytes that are not UTF-8: they are replaced, the export never throws for them.
    if (stop.stop_requested())
        return cancelled();
    return write(file, json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n", stop);
}

Status exportRunWeights(RunReader& reader, const std::string& run, ExportedWeights which,
                        const std::filesystem::path& file, const std::stop_token& stop) {
    ACCUMULUS_TRY_ASSIGN(const auto record, reader.run(run));
    ACCUMULUS_TRY_ASSIGN(const auto source, newestWeights(reader, record, kindOf(which)));
    ACCUMULUS_TRY_ASSIGN(const auto content, readFile(source));
    return write(file, content, stop);
}

} // namespace accumulus
