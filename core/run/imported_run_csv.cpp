// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/atomic_file.h"
#include "core/data/csv_file.h"
#include "core/run/imported_run.h"
#include "core/run/measured_parse.h"

#include <algorithm>
#include <array>
#include <limits>

namespace accumulus {
namespace {

constexpr std::array<std::string_view, 2> splits{"test", "validation"};

/// What a column of a row can be; in the wide format a row is a window and evaluations.
struct Column {
    std::string name;
    const WindowValue* window = nullptr;
    const EvaluationValue* evaluation = nullptr;
    const RankValue* rank = nullptr;
    std::string_view split{}; ///< wide: of this one
};

/// "test_accuracy" is the accuracy on the test set. Where the row stands (update, samples, epochs) is the window's.
Column wideColumn(std::string_view name) {
    Column column{std::string(name), valueNamed(windowValues(), name), nullptr, nullptr};
    for (const std::string_view split : splits)
        if (name.starts_with(split) && name.size() > split.size() && name[split.size()] == '_') {
            column.evaluation = valueNamed(evaluationValues(), name.substr(split.size() + 1));
            column.split = split;
        }
    return column;
}

class Reader {
public:
    Reader(ImportedRun& into, const std::filesystem::path& file) : m_into(into), m_file(file) {}

    Result<bool> take(const CsvRecord& record) {
        m_line = record.line;
        if (m_columns.empty())
            return header(record.fields);
        if (record.fields.size() != m_columns.size())
            return wrong("reason.import-fields");
        const Status read = m_long ? longRow(record.fields) : wideRow(record.fields);
        return read ? Result<bool>(true) : failure(read.error());
    }

    [[nodiscard]] bool hasHeader() const { return !m_columns.empty(); }

private:
    tl::unexpected<Error> wrong(std::string_view reason, std::string_view column = {}) const {
        return failure("import.csv", {{"file", m_file.string()},
                                      {"line", std::to_string(m_line)},
                                      {"reason", std::string(reason)},
                                      {"column", std::string(column)}});
    }

    Result<bool> header(std::span<const std::string_view> fields) {
        const auto has = [&](std::string_view name) { return std::ranges::find(fields, name) != fields.end(); };
        if (!has("window") || !has("samples") || !has("loss"))
            return wrong("reason.import-header");
        m_long = fields.front() == "kind";
        for (const std::string_view name : fields) {
            const bool isNew = std::ranges::find(m_columns, name, &Column::name) == m_columns.end();
            if (!isNew)
                return wrong("reason.import-header");
            m_columns.push_back(m_long ? Column{std::string(name), valueNamed(windowValues(), name),
                                                valueNamed(evaluationValues(), name), valueNamed(rankValues(), name)}
                                       : wideColumn(name));
        }
        return true;
    }

    template <class Record>
    Status set(Record& record, const MeasuredValue<Record>* value, std::string_view text) const {
        if (value && !setFromText(record, *value, text))
            return wrong("reason.import-value", value->name);
        return {};
    }

    Status longRow(std::span<const std::string_view> fields) {
        const std::string_view kind = fields.front();
        WindowRecord window;
        EvaluationRecord evaluation;
        RankTimes rank;
        for (std::size_t i = 1; i < fields.size(); ++i) {
            if (kind == "window")
                ACCUMULUS_TRY(set(window, m_columns[i].window, fields[i]));
            else if (kind == "evaluation")
                ACCUMULUS_TRY(set(evaluation, m_columns[i].evaluation, fields[i]));
            else if (kind == "rank")
                ACCUMULUS_TRY(set(rank, m_columns[i].rank, fields[i]));
            else
                return wrong("reason.import-row");
        }
        if (kind == "window")
            m_into.windows.push_back(std::move(window));
        else if (kind == "evaluation")
            m_into.evaluations.push_back(std::move(evaluation));
        else
            return addRank(rank);
        return {};
    }

    /// Ranks follow all windows, in their order.
    Status addRank(const RankTimes& rank) {
        const auto window = std::ranges::lower_bound(m_into.windows, rank.window, {}, &WindowRecord::window);
        if (window == m_into.windows.end() || window->window != rank.window ||
            rank.rank != static_cast<std::int64_t>(window->ranks.size()))
            return wrong("reason.import-rank");
        window->ranks.push_back(rank);
        return {};
    }

    Status wideRow(std::span<const std::string_view> fields) {
        WindowRecord window;
        std::array<EvaluationRecord, splits.size()> evaluations;
        std::array<bool, splits.size()> measured{}, hasLoss{};
        bool isWindow = false;
        for (std::size_t i = 0; i < fields.size(); ++i) {
            const Column& column = m_columns[i];
            ACCUMULUS_TRY(set(window, column.window, fields[i]));
            isWindow = isWindow || (column.name == "window" && !fields[i].empty());
            if (column.split.empty())
                continue;
            const auto split = static_cast<std::size_t>(std::ranges::find(splits, column.split) - splits.begin());
            ACCUMULUS_TRY(set(evaluations[split], column.evaluation, fields[i]));
            measured[split] = measured[split] || !fields[i].empty();
            hasLoss[split] =
                hasLoss[split] || (column.evaluation && column.evaluation->name == "loss" && !fields[i].empty());
        }
        for (std::size_t i = 0; i < splits.size(); ++i) {
            if (!measured[i])
                continue;
            if (!hasLoss[i]) {
                evaluations[i].loss = std::numeric_limits<double>::quiet_NaN();
                m_into.withoutLoss.insert(m_into.evaluations.size());
            }
            evaluations[i].split = splits[i];
            evaluations[i].update = window.update.value_or(0);
            evaluations[i].samples = window.samples;
            evaluations[i].epochPosition = window.epochPosition;
            m_into.evaluations.push_back(evaluations[i]);
        }
        if (isWindow)
            m_into.windows.push_back(std::move(window));
        return {};
    }

    ImportedRun& m_into;
    std::filesystem::path m_file;
    std::vector<Column> m_columns;
    std::int64_t m_line = 0;
    bool m_long = false;
};

} // namespace

Result<ImportedRun> importedCsv(const std::filesystem::path& file) {
    ImportedRun imported;
    ACCUMULUS_TRY_ASSIGN(const auto csv, openCsv(file));
    const auto bytes = csv.content->bytes();
    const std::string_view text(static_cast<const char*>(static_cast<const void*>(bytes.data())), bytes.size());
    const auto wrong = [&](const char* reason) {
        const auto lines = std::ranges::count(text, '\n') + 1;
        return failure("import.csv", {{"file", file.string()}, {"line", std::to_string(lines)}, {"reason", reason}});
    };
    // An export ends with its last line: one that was cut off in a number would read as another number.
    if (!text.ends_with('\n'))
        return wrong("reason.import-cut");
    Reader reader(imported, file);
    ACCUMULUS_TRY(readCsv(csv, [&](const CsvRecord& record) { return reader.take(record); }));
    if (imported.windows.empty() && imported.evaluations.empty())
        return wrong("reason.import-empty");
    ACCUMULUS_TRY(checkMeasured(imported, {"import.measured", {{"file", file.string()}}}));
    describeByMeasured(imported, text, file);
    return imported;
}

} // namespace accumulus
