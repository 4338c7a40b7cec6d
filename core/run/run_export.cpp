// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run_export.h"

#include "core/base/atomic_file.h"
#include "core/base/clock.h"
#include "core/base/input_file.h"
#include "core/base/kept_message.h"
#include "core/run/checkpoint_files.h"
#include "core/run/csv_cells.h"
#include "core/run/measured_json.h"
#include "core/run/run_json.h"

#include <algorithm>
#include <cmath>
#include <cstring>
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

Json eventJson(const EventRecord& row) {
    return {{"time", timeJson(row.wallTime)},
            {"level", row.level},
            {"code", row.code},
            {"text", row.text},
            {"update", row.update},
            {"arguments", row.arguments ? Json::parse(argumentsJson(*row.arguments)) : Json()}};
}

Json checkpointJson(const CheckpointRecord& row) {
    return {{"kind", checkpointKindName(row.kind)},
            {"update", row.update},
            {"samples", row.samples},
            {"weights", row.weightsPath},
            {"bundle", row.bundlePath},
            {"weights_hash", row.weightsHash},
            {"bytes", row.bytes},
            {"time", timeJson(row.wallTime)}};
}

/// One object, written member by member: a million windows as one document would take gigabytes.
class JsonPieces {
public:
    JsonPieces(const TakePiece& take, const std::stop_token& stop) : m_take(take), m_stop(stop) {}

    /// All members of an object.
    void begin(const Json& object) {
        m_text = textOf(object, "");
        m_text.resize(m_text.rfind("\n}"));
    }

    /// One more member, an array.
    template <class T, class ToJson>
    Status addArray(const char* name, const std::vector<T>& rows, ToJson toJson) {
        m_text.append(",\n \"").append(name).append("\": [");
        for (std::size_t i = 0; i < rows.size(); ++i) {
            m_text.append(i == 0 ? "\n  " : ",\n  ").append(textOf(toJson(rows[i]), "  "));
            if (m_text.size() >= enough)
                ACCUMULUS_TRY(flush());
        }
        m_text += rows.empty() ? "]" : "\n ]";
        return {};
    }

    Status end() {
        m_text += "\n}\n";
        return flush();
    }

private:
    static constexpr std::size_t enough = std::size_t{1} << 20;

    /// A note may hold bytes that are not UTF-8: they are replaced, the export never throws for them.
    static std::string textOf(const Json& json, std::string_view indent) {
        std::string text = json.dump(1, ' ', false, Json::error_handler_t::replace);
        for (auto line = text.find('\n'); !indent.empty() && line != std::string::npos;
             line = text.find('\n', line + 1))
            text.insert(line + 1, indent);
        return text;
    }

    Status flush() {
        if (m_stop.stop_requested())
            return failure("library.cancelled");
        const Status taken = m_take(m_text);
        m_text.clear();
        return taken;
    }

    const TakePiece& m_take;
    const std::stop_token& m_stop;
    std::string m_text;
};

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

/// Weights may be larger than memory.
Status copyInPieces(const std::filesystem::path& from, const std::filesystem::path& to, const std::stop_token& stop) {
    InputFile source(from);
    const auto unreadable = [&] {
        return failure("file.open", {{"file", from.string()}, {"reason", std::strerror(source.problem())}});
    };
    if (source.problem() != 0)
        return unreadable();
    return writeFileInPieces(to, [&](const TakePiece& take) -> Status {
        std::string piece;
        for (std::uint64_t at = 0; at < source.size(); at += piece.size()) {
            if (stop.stop_requested())
                return cancelled();
            piece.resize(std::min<std::uint64_t>(std::uint64_t{1} << 22, source.size() - at));
            if (!source.read(at, piece))
                return unreadable();
            ACCUMULUS_TRY(take(piece));
        }
        return {};
    });
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

    auto study = reader.study(record.study);

    return writeFileInPieces(file, [&](const TakePiece& take) -> Status {
        JsonPieces pieces(take, stop);
        pieces.begin(runJson(record, study ? std::optional(std::move(*study)) : std::nullopt));
        ACCUMULUS_TRY(pieces.addArray("windows", windows, [&](const WindowRecord& row) {
            Json json = measuredJson(windowValues(), row);
            addRanks(json, ranksOf(ranks, row.window));
            return json;
        }));
        ACCUMULUS_TRY(pieces.addArray("evaluations", evaluations, [](const EvaluationRecord& row) {
            return measuredJson(evaluationValues(), row);
        }));
        ACCUMULUS_TRY(pieces.addArray("events", events, eventJson));
        ACCUMULUS_TRY(pieces.addArray("checkpoints", checkpoints, checkpointJson));
        return pieces.end();
    });
}

Result<CheckpointRecord> exportedCheckpoint(RunReader& reader, const RunRecord& run, ExportedWeights which) {
    return newestCheckpoint(reader, run, kindOf(which));
}

Status exportRunWeights(RunReader& reader, const std::string& run, ExportedWeights which,
                        const std::filesystem::path& file, const std::stop_token& stop) {
    ACCUMULUS_TRY_ASSIGN(const auto record, reader.run(run));
    ACCUMULUS_TRY_ASSIGN(const auto source, newestWeights(reader, record, kindOf(which)));
    return copyInPieces(source, file, stop);
}

} // namespace accumulus
