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

/// The last weights of a run that was cut off are those of a periodic checkpoint, also where an earlier stop left a
/// last one.
[[nodiscard]] bool standsFor(CheckpointKind kind, CheckpointKind wanted);

/// The newest checkpoint that stands for that kind; of equal updates the later one. Error "export.no-checkpoint".
[[nodiscard]] Result<CheckpointRecord> newestCheckpoint(RunReader& reader, const RunRecord& run, CheckpointKind kind);

/// Its weights. Errors of both.
[[nodiscard]] Result<std::filesystem::path> newestWeights(RunReader& reader, const RunRecord& run, CheckpointKind kind);

} // namespace accumulus
