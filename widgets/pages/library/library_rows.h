// SPDX-License-Identifier: GPL-3.0-or-later
// What the Library page reads, on the query thread: all runs as rows of the table, and how much the Trash holds.
#pragma once

#include "core/store/run_reader.h"
#include "widgets/models/run_audits.h"
#include "widgets/models/run_configurations.h"
#include "widgets/models/run_row.h"
#include "widgets/models/study_verdicts.h"

#include <QtGlobal>
#include <memory>
#include <optional>
#include <vector>

namespace accumulus::ui {

struct LibraryRows {
    using Rows = std::shared_ptr<const std::vector<RunRow>>; ///< shown without being copied
    Rows kept = std::make_shared<std::vector<RunRow>>(), trashed = kept;
    QString baseline; ///< as Baseline::text() has it
    std::optional<Error> error;
};

/// What is worked out once and kept from one reading to the next. Used on the query thread only.
struct RowMemory {
    RunAudits audits;
    RunConfigurations configurations;
    StudyVerdicts verdicts;
};
[[nodiscard]] LibraryRows readRows(RunReader& reader, RowMemory& memory);

/// What goes with a run when it is deleted.
struct RunFiles {
    struct File {
        QString name; ///< from the run's folder on
        qint64 bytes = 0;
    };
    RunRecord run;
    std::vector<File> files{};
    [[nodiscard]] qint64 bytes() const;
};
[[nodiscard]] std::vector<RunFiles> filesOf(RunReader& reader, const std::vector<RunRecord>& runs);

} // namespace accumulus::ui
