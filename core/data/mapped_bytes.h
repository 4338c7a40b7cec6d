// SPDX-License-Identifier: GPL-3.0-or-later
// A file as memory: read where it is used, given back by the system where memory is short.
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace accumulus {

/// A copy keeps the mapping alive. Any thread may read.
struct MappedBytes {
    const std::byte* data = nullptr; ///< null where the file is empty
    std::int64_t size = 0;           ///< bytes
    std::shared_ptr<const void> storage;

    [[nodiscard]] std::span<const std::byte> bytes() const { return {data, static_cast<std::size_t>(size)}; }
};

/// A regular file, read-only. Error `family`.open with the arguments file and reason.
[[nodiscard]] Result<MappedBytes> mapFile(const std::filesystem::path& file, const std::string& family);

} // namespace accumulus
