// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/store: records to rows and back. The order of the columns stands once, in run_rows.cpp.
#pragma once

#include "core/store/connection.h"
#include "core/store/run_records.h"

#include <string>
#include <string_view>
#include <unordered_map>

namespace accumulus {

/// Letters, digits, '-' and '_' only: ids become names of folders, also those from a file that somebody else made.
[[nodiscard]] bool isUsableId(std::string_view id);

/// Many runs share a configuration; parsing each once keeps long listings fast. One per reader.
class ConfigCache {
public:
    [[nodiscard]] Result<RunConfig> parse(const std::string& json);

private:
    std::unordered_map<std::string, RunConfig> m_parsed;
};

/// The columns owner_pid, owner_started, owner_host, in this order; nobody is null.
void bindOwner(Query& query, const RunOwner& owner);
[[nodiscard]] RunOwner readOwner(Query& row);

void insertRun(Library::Connection& connection, const RunRecord& run);
/// "SELECT ... FROM runs"; readRun reads its columns, then `number` follows.
[[nodiscard]] const std::string& selectRunsSql();
[[nodiscard]] Result<RunRecord> readRun(Query& row, const Library::Connection& connection, ConfigCache& cache);
/// Writes every summary column of a run.
void updateSummary(Library::Connection& connection, std::int64_t run, const RunSummary& summary);

/// Number of a run in this file, or "library.no-run".
[[nodiscard]] Result<std::int64_t> runNumber(Library::Connection& connection, const std::string& run);

[[nodiscard]] std::optional<CheckpointKind> checkpointKindFromName(std::string_view name);

} // namespace accumulus
