// SPDX-License-Identifier: GPL-3.0-or-later
// Looking after a library: is it sound, a copy of it while it is in use, and the way back from a copy. Checkpoint files
// are no part of a copy. Any thread that owns the library's connection.
#pragma once

#include "core/store/library.h"
#include "core/store/run_store.h"

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

namespace accumulus {

struct LibraryHealth {
    std::vector<std::string> problems; ///< of the file, in SQLite's words; empty: sound
    std::int64_t runs = 0, checkpoints = 0;
    std::vector<std::string> missing; ///< checkpoint files that the library names and that are not there
};

/// Reads every page of the file. Errors "library.read", "library.corrupt", "library.cancelled".
[[nodiscard]] Result<LibraryHealth> checkLibrary(Library& library, const std::stop_token& stop = {});
/// A whole library of the same contents, also while others write: as it was at the beginning. `to` is there once it is
/// complete, in place of what was there. Errors "library.write", also where `to` is a library in use,
/// "library.disk-full", "library.locked", "library.cancelled".
[[nodiscard]] Status backUpLibrary(Library& library, const std::filesystem::path& to, const std::stop_token& stop = {});
/// Puts the contents of `from`, of this version or an older one, in place of the library's, all or nothing. `from`
/// stays as it is; runs that it holds as training become interrupted. What was in the library before is in `kept`
/// afterwards, where that is given and nothing failed. The library is open for writing. Errors as of Library::open for
/// `from`, "library.run-active", "library.corrupt" where it is not sound, "library.write".
[[nodiscard]] Status restoreLibrary(RunStore& store, const std::filesystem::path& from,
                                    const std::filesystem::path& kept = {});

} // namespace accumulus
