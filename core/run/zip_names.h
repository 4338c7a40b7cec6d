// SPDX-License-Identifier: GPL-3.0-or-later
// What a zip file says it holds: names and places only, nothing is unpacked. Any thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace accumulus {

struct ZipEntry {
    std::string name;
    std::uint64_t header = 0; ///< offset of its local header
    bool stored = false;      ///< not compressed
};

/// From the list at the end of the file, of which at most 4 MiB and 50 000 names are read. Nothing when there is no
/// such list (the file ends too early), or when it is damaged.
[[nodiscard]] std::optional<std::vector<ZipEntry>> zipEntries(const std::filesystem::path& file);

/// Up to `bytes` of a stored entry; empty for a compressed one.
[[nodiscard]] std::string storedContent(const std::filesystem::path& file, const ZipEntry& entry, std::size_t bytes);

} // namespace accumulus
