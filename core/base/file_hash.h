// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a file is still the one that a run began with. Any thread.
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>

namespace accumulus {

/// XXH3-128 of the file's bytes, 32 lower-case hexadecimal digits; read in pieces. Error "file.open".
[[nodiscard]] Result<std::string> fileHash(const std::filesystem::path& file);

} // namespace accumulus
