// SPDX-License-Identifier: GPL-3.0-or-later
// Whole files, written so that a crash or a full disk never leaves half a file under the final name.
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace accumulus {

/// Writes to a temporary name beside `path`, syncs, renames. Creates missing folders. Error "file.write".
[[nodiscard]] Status writeFileAtomically(const std::filesystem::path& path, std::string_view content);
/// The same in pieces, for contents too large to join first.
[[nodiscard]] Status writeFileAtomically(const std::filesystem::path& path,
                                         std::span<const std::span<const std::byte>> pieces);
/// The whole file. Error "file.open". `limit` bytes at most (an error beyond).
[[nodiscard]] Result<std::string> readFile(const std::filesystem::path& path, std::size_t limit = std::size_t{1} << 32);

} // namespace accumulus
