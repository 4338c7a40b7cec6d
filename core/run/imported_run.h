// SPDX-License-Identifier: GPL-3.0-or-later
// One run as a file that is imported tells it. Internal to the import: readers of each kind, and the rules that all of
// them keep, so that nothing gets into the library that a training could not have written. Any thread.
#pragma once

#include "core/base/message.h"
#include "core/base/result.h"
#include "core/run/run_import.h"
#include "core/store/run_records.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <set>
#include <stop_token>
#include <string_view>
#include <vector>

namespace accumulus {

struct ImportedRun {
    RunRecord run;
    std::optional<StudyRecord> study; ///< as the file tells it
    std::vector<WindowRecord> windows;
    std::vector<EvaluationRecord> evaluations;
    std::vector<EventRecord> events;
    std::set<std::size_t> withoutLoss; ///< evaluations of which the file holds no loss: it is NaN here
};

/// Long or wide, as exportRunCsv and exportRunWideCsv write it. Errors "import.csv", "data.table.form".
[[nodiscard]] Result<ImportedRun> importedCsv(const std::filesystem::path& file);
/// As exportRunJson writes it; memory for its rows only, whatever the size of the file. Errors "import.json",
/// "library.cancelled".
[[nodiscard]] Result<ImportedRun> importedJson(const std::filesystem::path& file, const std::stop_token& stop = {});
/// Of this program or another. Errors "import.events", "import.no-batch".
[[nodiscard]] Result<ImportedRun> importedEvents(std::string_view bytes, const std::filesystem::path& file,
                                                 const ImportOptions& options);

/// Counters that are whole, not negative and go up, as they do in a training; what is wrong first, with {row}. Losses
/// may be NaN, times and counters may not.
[[nodiscard]] Status checkMeasured(const ImportedRun& imported, const Error& otherwise);

/// For files that hold measurements only: an id made of the file's bytes, so that the same file is never imported
/// twice; a batch as the windows show it, or `effective` where there are none (0: as the first evaluation shows it);
/// the loss's kind by what is measured; the summary.
void describeByMeasured(ImportedRun& imported, std::string_view content, const std::filesystem::path& file,
                        std::int64_t effective = 0);
/// What the file's summary lacks because it was not finite, for which JSON has no word: the rows say it.
void takeNonfinite(ImportedRun& imported);

} // namespace accumulus
