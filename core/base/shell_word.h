// SPDX-License-Identifier: GPL-3.0-or-later
// Words of a shell command. Pure.
#pragma once

#include <string>
#include <string_view>

namespace accumulus {

/// The word as any POSIX shell reads it back, quoted where it has to be.
[[nodiscard]] std::string posixWord(std::string_view word);
/// The word in a command that is shown for a person to type: what cannot be printed is escaped.
[[nodiscard]] std::string shellWord(const std::string& word);

} // namespace accumulus
