// SPDX-License-Identifier: GPL-3.0-or-later
// What the Library page reads, on the query thread: all runs as rows of the table, and how much the Trash holds.
#pragma once

#include "core/store/run_reader.h"
#include "widgets/models/run_audits.h"
#include "widgets/models/run_row.h"

#include <QtGlobal>
#include <optional>
#include <vector>

namespace accumulus::ui {

struct LibraryRows {
    std::vector<RunRow> kept, trashed;
    std::optional<Error> error;
};

/// `audits` keeps what it has worked out from one reading to the next.
[[nodiscard]] LibraryRows readRows(RunReader& reader, RunAudits& audits);

struct FolderSize {
    qint64 files = 0, bytes = 0;
};

/// Of the folders of these runs.
[[nodiscard]] FolderSize sizeOf(RunReader& reader, const std::vector<RunRecord>& runs);

} // namespace accumulus::ui
