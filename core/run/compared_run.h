// SPDX-License-Identifier: GPL-3.0-or-later
// Runs of the library as a comparison wants them.
#pragma once

#include "core/analysis/compare_family.h"
#include "core/base/result.h"
#include "core/store/run_reader.h"

#include <vector>

namespace accumulus {

/// Columns that runNoiseOf() needs of a run.
[[nodiscard]] unsigned noiseColumns(const RunConfig& config);
/// What the windows of a run leave of the noise scale; `columns` with noiseColumns().
[[nodiscard]] RunNoise runNoiseOf(const RunConfig& config, const WindowColumns& columns);

/// What a run's row says of it.
[[nodiscard]] ComparedRun withoutCurves(const RunRecord& record);
/// One run with its curves.
[[nodiscard]] Result<ComparedRun> loadComparedRun(RunReader& reader, const RunRecord& record,
                                                  CurveAxis axis = CurveAxis::Samples);
/// All of them, in order; long ones on several threads at once, each with a connection of its own.
[[nodiscard]] Result<std::vector<ComparedRun>>
loadComparedRuns(RunReader& reader, const std::vector<RunRecord>& records, CurveAxis axis = CurveAxis::Samples);

} // namespace accumulus
