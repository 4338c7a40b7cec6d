// SPDX-License-Identifier: GPL-3.0-or-later
// Files of runs that were trained elsewhere. The library names them where they lie once they have been fetched.
#pragma once

#include "core/base/result.h"
#include "core/run/run_export.h"

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>

namespace accumulus {

/// Copies the checkpoints of a run from where it was trained, the newest first, as far as they are not here. Returns
/// how many were copied. `run`: id or prefix. Errors "launch.not-elsewhere" (it was trained here), "launch.fetch",
/// "library.cancelled"
/// (`stop`; what was copied whole stays), those of commandAt() and of the library.
[[nodiscard]] Result<std::int64_t> fetchCheckpoints(const std::string& run, const std::filesystem::path& library,
                                                    const std::stop_token& stop = {});
/// exportRunWeights() of a run that was trained anywhere: weights that are not here are fetched first, and nothing
/// else. Blocks for as long as that takes.
[[nodiscard]] Status exportWeightsFromAnywhere(RunReader& reader, const std::string& run, ExportedWeights which,
                                               const std::filesystem::path& file, const std::stop_token& stop = {});

} // namespace accumulus
