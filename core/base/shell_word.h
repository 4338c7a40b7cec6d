// SPDX-License-Identifier: GPL-3.0-or-later
// Words of a shell command. Pure.
#pragma once

#include <string>
#include <string_view>

namespace accumulus {

/// The word as any POSIX shell reads it back, quoted where it has to be.
[[nodiscard]] std::string posixWord(std::string_view word);

} // namespace accumulus
