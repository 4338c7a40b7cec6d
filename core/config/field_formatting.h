// SPDX-License-Identifier: GPL-3.0-or-later
// Words and small text checks shared by the readers and writers of settings. Internal to core/config.
#pragma once

#include "core/config/config_fields.h"

namespace accumulus {

/// "config.value" for a field: what was given, why it is refused, and what the table allows.
[[nodiscard]] Error valueError(const ConfigField& field, std::string value, std::string reason);
/// "config.unknown-key" with the nearest known key.
[[nodiscard]] Error unknownKeyError(std::string_view key);

/// Shortest text that reads back as the same double and is a real in TOML ("1.0", "1e-08").
[[nodiscard]] std::string realText(double value);
/// A TOML basic string with its quotes.
[[nodiscard]] std::string quoted(std::string_view text);
/// At most `limit` bytes of outside text for a message, control characters shown as '?'.
[[nodiscard]] std::string excerpt(std::string_view text, std::size_t limit = 60);
/// Why a text cannot be stored, or null: it must be UTF-8 without control characters, of at most 4096 bytes.
[[nodiscard]] const char* textProblem(std::string_view text);

} // namespace accumulus
