// SPDX-License-Identifier: GPL-3.0-or-later
// Whole files, written so that a crash or a full disk never leaves half a file under the final name.
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace accumulus {

/// Writes to a temporary file beside `path`, syncs it, renames it, syncs the folder. Creates missing folders. A
/// symbolic link stays, its target is replaced; an existing file keeps its permissions, a new one gets those that the
/// umask leaves. What is no regular file (/dev/stdout, /dev/null, a named pipe) stays what it is and receives the
/// content. Abandoned temporary files in the same folder are removed. Error "file.write".
[[nodiscard]] Status writeFileAtomically(const std::filesystem::path& path, std::string_view content);
/// The same in pieces, for contents too large to join first.
[[nodiscard]] Status writeFileAtomically(const std::filesystem::path& path,
                                         std::span<const std::span<const std::byte>> pieces);

/// Takes the next piece; an error once nothing can be written any more.
using TakePiece = std::function<Status(std::string_view piece)>;
/// The same, for contents too large for memory: `produce` hands over piece after piece. Nothing is written where it
/// ends with an error, which is returned, or throws.
[[nodiscard]] Status writeFileInPieces(const std::filesystem::path& path,
                                       const std::function<Status(const TakePiece& take)>& produce);

/// Removes the temporary files in `folder` (not below it) whose writer died. A writer holds a lock on its file while it
/// lives; files that another boot or computer began must be a day old, too, since some file systems do not share locks.
/// Returns how many were removed.
std::size_t removeAbandonedFiles(const std::filesystem::path& folder);

/// The whole file. Error "file.open". `limit` bytes at most (an error beyond).
[[nodiscard]] Result<std::string> readFile(const std::filesystem::path& path, std::size_t limit = std::size_t{1} << 32);

} // namespace accumulus
