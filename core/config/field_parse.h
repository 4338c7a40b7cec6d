// SPDX-License-Identifier: GPL-3.0-or-later
// Values of settings out of TOML text. Internal to core/config; no toml++ types, so that few files pay for its header.
#pragma once

#include "core/config/config_fields.h"

#include <string>
#include <string_view>
#include <vector>

namespace accumulus {

/// One `section.key = value` of a file. A value that the setting's type refuses is an error already here.
struct ParsedSetting {
    std::string key;
    FieldValue value;
    std::size_t line = 0;
};

/// All settings of a document in the order of the table's keys. Errors "config.syntax", "config.unknown-key",
/// "config.value"; of a document that names no section of ours "config.not-toml", "config.foreign-settings".
[[nodiscard]] Result<std::vector<ParsedSetting>> parseSettings(std::string_view toml, const std::string& name);

/// A single value as it would stand in a file. Error "config.value".
[[nodiscard]] Result<FieldValue> parseFieldValue(const ConfigField& field, std::string_view toml);

} // namespace accumulus
