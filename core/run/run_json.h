// SPDX-License-Identifier: GPL-3.0-or-later
// A run without what it measured, as one object of JSON: in exports, in event files, and read back from them. Any
// thread.
#pragma once

#include "core/store/run_records.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace accumulus {

[[nodiscard]] nlohmann::ordered_json runJson(const RunRecord& run);
/// With its study's name, settings and time: the margin was fixed by then. `study`: nothing where it is not known.
[[nodiscard]] nlohmann::ordered_json runJson(const RunRecord& run, const std::optional<StudyRecord>& study);

/// The other way round. Members that are missing keep their defaults; nothing where the object is no run of ours: id,
/// settings, arm or state are missing or not understood. Owner and Trash are not part of it.
[[nodiscard]] std::optional<RunRecord> runFromJson(const nlohmann::ordered_json& json);

/// The study that stands in a run's object; nothing where it is missing or not understood.
[[nodiscard]] std::optional<StudyRecord> studyFromJson(const nlohmann::ordered_json& json);

/// Objects and arrays in each other. Ours are far below; who reads settings takes a call for each.
inline constexpr int deepestJson = 64;
/// Of a text that is JSON, and no deeper; nothing of any other.
[[nodiscard]] std::optional<nlohmann::ordered_json> shallowJson(std::string_view text);

/// Of isoTime's text; 0 for anything else.
[[nodiscard]] double timeFromIso(const std::string& iso);

} // namespace accumulus
