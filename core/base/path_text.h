// SPDX-License-Identifier: GPL-3.0-or-later
// Paths as settings. A path on Linux is any sequence of bytes; a setting is UTF-8 text.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace accumulus {

/// A path as a text setting: itself where it is readable, otherwise "file:" with the other bytes as %E9.
[[nodiscard]] std::string textOfPath(const std::filesystem::path& path);
/// The path behind such a text; "file:///data/x" and "file:x" are understood, too.
[[nodiscard]] std::filesystem::path pathOfText(std::string_view text);

} // namespace accumulus
