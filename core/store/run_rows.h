// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/store: records to rows and back. The order of a run's columns stands once, in run_rows.cpp; that of
// measurements in core/base/measured_values.h.
#pragma once

#include "core/base/measured_values.h"
#include "core/store/connection.h"
#include "core/store/run_records.h"

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace accumulus {

/// Letters, digits, '-' and '_' only: ids become names of folders, also those from a file that somebody else made.
[[nodiscard]] bool isUsableId(std::string_view id);

/// Many runs share a configuration; parsing each once keeps long listings fast. One per reader.
class ConfigCache {
public:
    struct Entry {
        RunConfig config;
        std::optional<BatchPlan> batch; ///< of config.batch; none where it does not come out
    };
    [[nodiscard]] Result<Entry> parse(const std::string& json);

private:
    std::unordered_map<std::string, Entry> m_parsed;
};

/// The columns owner_pid, owner_started, owner_host, claim, in this order; nobody is null.
void bindOwner(Query& query, const RunOwner& owner);
[[nodiscard]] RunOwner readOwner(Query& row);

/// The columns error_code, error_arguments, in this order; null where only the text of the error is known.
void bindErrorMessage(Query& query, const std::optional<Error>& error);
[[nodiscard]] std::optional<Error> readErrorMessage(Query& row);

/// True for a row of runs that another library or a file brought.
[[nodiscard]] const std::string& importedSql();
void insertRun(Library::Connection& connection, const RunRecord& run);
/// "SELECT ... FROM runs"; readRun reads its columns, then `number` follows.
[[nodiscard]] const std::string& selectRunsSql();
[[nodiscard]] Result<RunRecord> readRun(Query& row, const Library::Connection& connection, ConfigCache& cache);
/// The summary columns of a run.
[[nodiscard]] RunSummary summaryOf(Library::Connection& connection, std::int64_t run);
/// Writes every summary column of a run.
void updateSummary(Library::Connection& connection, std::int64_t run, const RunSummary& summary);

/// "window, update_number, ...": the columns of windows, of evaluations and of rank_windows in the order of their
/// tables.
[[nodiscard]] const std::string& windowColumnList();
[[nodiscard]] const std::string& evaluationColumnList();
[[nodiscard]] const std::string& rankColumnList();
/// "INSERT INTO windows ..." with the parameters run, attempt and then the columns; `verb` may be "INSERT OR REPLACE".
[[nodiscard]] std::string insertSql(std::string_view verb, std::string_view table, const std::string& columns);
void bindWindow(Query& query, const WindowRecord& window);
void bindEvaluation(Query& query, const EvaluationRecord& evaluation);
void bindRank(Query& query, const RankTimes& times);
[[nodiscard]] WindowRecord readWindow(Query& row);
[[nodiscard]] EvaluationRecord readEvaluation(Query& row);
[[nodiscard]] RankTimes readRank(Query& row);
/// All of a run that are not superseded, by update; of an update that was evaluated twice the later.
[[nodiscard]] std::vector<EvaluationRecord> evaluationsOf(Library::Connection& connection, std::int64_t run);

/// Number of a run in this file, or "library.no-run".
[[nodiscard]] Result<std::int64_t> runNumber(Library::Connection& connection, const std::string& run);

} // namespace accumulus
