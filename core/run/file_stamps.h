// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the files that settings name are still the same, without reading them: their sizes and when they were last
// changed. Any thread; a slow disk is waited for.
#pragma once

#include "core/config/experiment_config.h"

#include <string>

namespace accumulus {

/// The settings that name files, as "KEY=PATH" lines; nothing is asked of a disk.
[[nodiscard]] std::string filesOf(const RunConfig& run);
/// Size and time of change of each of them, as text; another text: another content. A folder is told by what lies
/// directly in it, up to 1000 entries. A file that is not there has a text as well.
[[nodiscard]] std::string fileStamps(const RunConfig& run);

} // namespace accumulus
