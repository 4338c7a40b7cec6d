// SPDX-License-Identifier: GPL-3.0-or-later
// Looking after a library: is it sound, a copy of it while it is in use, and the way back from a copy. Checkpoint files
// are no part of a copy. Any thread that owns the library's connection.
#pragma once

#include "core/store/library.h"

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

/// Reads every page of the file. Errors "library.read", "library.corrupt".
[[nodiscard]] Result<LibraryHealth> checkLibrary(Library& library);
/// A whole library of the same contents, also while others write. `to` is there once it is complete, in place of what
/// was there. Errors "library.write", "library.disk-full", "library.cancelled".
[[nodiscard]] Status backUpLibrary(Library& library, const std::filesystem::path& to, const std::stop_token& stop = {});
/// Puts the contents of `from`, of this version or an older one, in place of the library's, all or nothing. `from`
/// stays as it is. The library is open for writing. Errors as of Library::open for `from`, "library.corrupt" where it
/// is not sound, "library.write".
[[nodiscard]] Status restoreLibrary(Library& library, const std::filesystem::path& from);

} // namespace accumulus
