// SPDX-License-Identifier: GPL-3.0-or-later
// Runs into the library: from another library, from CSV and JSON as run_export writes them, from TensorBoard's event
// files. Shared by the command line and the workbench. What a file is, its content tells. Thread: the store's.
#pragma once

#include "core/base/result.h"
#include "core/store/run_store.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace accumulus {

/// What an event file calls a step.
enum class EventStep { Updates, Samples };

struct ImportOptions {
    EventStep step = EventStep::Updates; ///< of event files of other programs; ours say it
    std::int64_t effective = 0;          ///< samples of an update where an event file does not tell them; 0: not known
};

struct ImportOutcome {
    std::vector<std::string> added; ///< UUIDs
    std::int64_t known = 0;         ///< runs that were in the library already: they stay as they are
    std::int64_t knownInTrash = 0;  ///< of these, in its Trash
    std::int64_t unfinished = 0;    ///< left out: not over where they come from
    std::int64_t trashed = 0;       ///< left out: in the other library's Trash
    bool operator==(const ImportOutcome&) const = default;
};

/// What files hold, read and checked.
class RunsToImport {
public:
    RunsToImport();
    RunsToImport(RunsToImport&&) noexcept;
    RunsToImport& operator=(RunsToImport&&) noexcept;
    ~RunsToImport();

    struct Impl; ///< of the import only
    [[nodiscard]] Impl& impl() { return *m_impl; }

private:
    std::unique_ptr<Impl> m_impl;
};

/// The first half of importRuns, which takes long and locks nothing: a library that is read is copied beside `library`.
/// Any thread.
[[nodiscard]] Result<RunsToImport> readRuns(std::span<const std::filesystem::path> files,
                                            const std::filesystem::path& library, const ImportOptions& options = {},
                                            const std::stop_token& stop = {});
/// The second half: one transaction.
[[nodiscard]] Result<ImportOutcome> addRuns(RunStore& store, RunsToImport runs, const std::stop_token& stop = {});

/// All files or, after an error, none of them: one transaction. Every run that is added carries the tag "imported" and
/// an event that says where it came from. Errors "import.kind", "import.too-large", those of each kind ("import.csv",
/// "import.json", "import.events", "import.no-batch", "library.*"), "file.open", and "library.cancelled" once `stop`
/// asks for it.
[[nodiscard]] Result<ImportOutcome> importRuns(RunStore& store, std::span<const std::filesystem::path> files,
                                               const ImportOptions& options = {}, const std::stop_token& stop = {});

} // namespace accumulus
