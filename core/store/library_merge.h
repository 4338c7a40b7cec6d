// SPDX-License-Identifier: GPL-3.0-or-later
// Runs that come from somewhere else. A run of the same UUID that is here already, even in the Trash, stays as it is.
// Written with a RunStore, as parts of its open batch where there is one. What was imported is marked by its event
// "run.imported" and can neither be resumed nor verified here: its checkpoints stay where it was trained.
#pragma once

#include "core/store/run_store.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace accumulus {

inline constexpr const char* importedEvent = "run.imported";

/// Is a run of this UUID in the library?
[[nodiscard]] Result<bool> hasRun(RunStore& store, const std::string& run);
[[nodiscard]] Result<bool> hasStudy(RunStore& store, const std::string& study);

struct MergedRun {
    std::string id;
    std::vector<std::string> tags;
    bool operator==(const MergedRun&) const = default;
};

struct MergedLibrary {
    std::vector<MergedRun> added;
    std::int64_t known = 0;      ///< runs that were here already
    std::int64_t unfinished = 0; ///< left out: queued, or not over
    std::int64_t trashed = 0;    ///< left out: in the other library's Trash
    bool operator==(const MergedLibrary&) const = default;
};

/// Adds the runs of another library with their studies, curves, events, tags and audits; its file is read as it is now
/// and never changed. A library of an earlier version is migrated in a copy. Errors those of Library::open for the
/// other file, and of RunStore.
[[nodiscard]] Result<MergedLibrary> mergeLibrary(RunStore& store, const std::filesystem::path& other);

} // namespace accumulus
