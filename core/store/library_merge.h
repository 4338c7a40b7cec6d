// SPDX-License-Identifier: GPL-3.0-or-later
// Runs that come from somewhere else, in two steps: what takes long is done before the library is locked. A run of the
// same UUID that is here already, even in the Trash, stays as it is. Written with a RunStore, as parts of its open
// batch where there is one. What was imported is marked by its event "run.imported" and can neither be resumed nor
// verified here: its checkpoints stay where it was trained.
#pragma once

#include "core/store/run_store.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace accumulus {

inline constexpr const char* importedEvent = "run.imported";

/// Where in the library a run of this UUID is.
enum class RunPlace { Nowhere, Listed, Trash };
[[nodiscard]] Result<RunPlace> placeOfRun(RunStore& store, const std::string& run);

/// Another library as it was when it was read: a copy beside `library`, brought to this version and checked. Its own
/// file is never changed. Used by one thread at a time.
class OtherLibrary {
public:
    /// Errors those of Library::open for `other`, "library.corrupt" where it is not sound, "library.cancelled".
    [[nodiscard]] static Result<OtherLibrary>
    read(const std::filesystem::path& other, const std::filesystem::path& library, const std::stop_token& stop = {});
    OtherLibrary(OtherLibrary&&) noexcept;
    OtherLibrary& operator=(OtherLibrary&&) noexcept;
    ~OtherLibrary(); ///< the copy goes with it

    struct Impl; ///< of this folder only
    [[nodiscard]] Impl& impl() const { return *m_impl; }

private:
    explicit OtherLibrary(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

struct MergedRun {
    std::string id;
    std::vector<std::string> tags;
    bool operator==(const MergedRun&) const = default;
};

struct MergedLibrary {
    std::vector<MergedRun> added;
    std::int64_t known = 0;        ///< runs that were here already
    std::int64_t knownInTrash = 0; ///< of these, in the Trash
    std::int64_t unfinished = 0;   ///< left out: queued, or not over
    std::int64_t trashed = 0;      ///< left out: in the other library's Trash
    bool operator==(const MergedLibrary&) const = default;
};

/// Adds the runs of another library with their studies, curves, events, tags and audits. Errors those of RunStore, and
/// "library.cancelled".
[[nodiscard]] Result<MergedLibrary> mergeLibrary(RunStore& store, const OtherLibrary& other,
                                                 const std::stop_token& stop = {});

} // namespace accumulus
