// SPDX-License-Identifier: GPL-3.0-or-later
// Where the files of a checkpoint are.
#pragma once

#include "core/base/result.h"
#include "core/store/run_reader.h"

#include <filesystem>

namespace accumulus {

/// The weights of a checkpoint of `run`. Error "run.not-fetched": they lie where the run was trained.
[[nodiscard]] Result<std::filesystem::path> weightsFile(RunReader& reader, const RunRecord& run,
                                                        const CheckpointRecord& checkpoint);

/// The newest checkpoint of that kind. Error "export.no-checkpoint".
[[nodiscard]] Result<CheckpointRecord> newestCheckpoint(RunReader& reader, const RunRecord& run, CheckpointKind kind);

/// Its weights. Errors of both.
[[nodiscard]] Result<std::filesystem::path> newestWeights(RunReader& reader, const RunRecord& run, CheckpointKind kind);

} // namespace accumulus
