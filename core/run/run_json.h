// SPDX-License-Identifier: GPL-3.0-or-later
// A run without what it measured, as one object of JSON: in exports, in event files, and read back from them. Any
// thread.
#pragma once

#include "core/store/run_records.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace accumulus {

[[nodiscard]] nlohmann::ordered_json runJson(const RunRecord& run);

/// The other way round. Members that are missing keep their defaults; nothing where the object is no run of ours: id,
/// settings, arm or state are missing or not understood. Owner and Trash are not part of it.
[[nodiscard]] std::optional<RunRecord> runFromJson(const nlohmann::ordered_json& json);

/// Of isoTime's text; 0 for anything else.
[[nodiscard]] double timeFromIso(const std::string& iso);

} // namespace accumulus
