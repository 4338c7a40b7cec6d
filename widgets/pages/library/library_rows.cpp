// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/library/library_rows.h"

#include <filesystem>

namespace accumulus::ui {

LibraryRows readRows(RunReader& reader, RunAudits& audits) {
    LibraryRows rows;
    auto known = reader.audits(false);
    if (!known) {
        rows.error = known.error();
        return rows;
    }
    audits.setAudits(std::move(*known));
    for (const bool trashed : {false, true}) {
        auto runs = reader.runs({trashed, {}});
        if (!runs) {
            rows.error = runs.error();
            return rows;
        }
        for (RunRecord& run : *runs) {
            const AuditRecord* audit = audits.of(run);
            (trashed ? rows.trashed : rows.kept)
                .push_back(makeRunRow(std::move(run), audit ? audit->verdict : std::string()));
        }
    }
    return rows;
}

FolderSize sizeOf(RunReader& reader, const std::vector<RunRecord>& runs) {
    FolderSize size;
    for (const RunRecord& run : runs) {
        std::error_code error;
        for (std::filesystem::recursive_directory_iterator at(reader.library().runFolder(run.id), error), end;
             !error && at != end; at.increment(error))
            if (at->is_regular_file(error)) {
                ++size.files;
                size.bytes += static_cast<qint64>(at->file_size(error));
            }
    }
    return size;
}

} // namespace accumulus::ui
