// SPDX-License-Identifier: GPL-3.0-or-later
// What may come next in the library's filter line: keys, and after a key the values that the runs have. Pure; any
// thread.
#pragma once

#include "widgets/models/run_filter.h"

#include <QStringList>
#include <vector>

namespace accumulus::ui {

struct QueryCompletion {
    int start = 0;     ///< of what is completed, which ends at the cursor
    QStringList words; ///< that may stand in its place; empty: nothing to offer, or it is complete
    bool operator==(const QueryCompletion&) const = default;
};
[[nodiscard]] QueryCompletion completeQuery(const QString& text, int cursor, const std::vector<RunRow>& rows);

/// What stands in a column, the most frequent first, in the words of the filter. Nothing for numbers and notes.
[[nodiscard]] QStringList queryValues(RunColumn column, const std::vector<RunRow>& rows, qsizetype most);
/// `model:mlp`, with quotes where the value needs them.
[[nodiscard]] QString queryTerm(const QString& key, const QString& comparison, const QString& value);
/// The number of a row as a value, as the table shows it: the filter finds it again. `run`: of that row.
[[nodiscard]] QString queryNumber(RunColumn column, double number, const RunConfig& run);

} // namespace accumulus::ui
