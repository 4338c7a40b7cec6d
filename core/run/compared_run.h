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

/// How much is read of the windows.
struct CurveReading {
    CurveAxis axis = CurveAxis::Samples;
    bool outline = false; ///< of long runs about outlinePoints windows each, for a first picture
};
inline constexpr std::int64_t outlinePoints = 1000;

/// One run with its curves: of all its windows, or of one of every `every`.
[[nodiscard]] Result<ComparedRun> loadComparedRun(RunReader& reader, const RunRecord& record,
                                                  CurveAxis axis = CurveAxis::Samples, std::int64_t every = 1);
/// All of them, in order; long ones on several threads at once, each with a connection of its own. Outlines have the
/// windows of the longest run.
[[nodiscard]] Result<std::vector<ComparedRun>>
loadComparedRuns(RunReader& reader, const std::vector<RunRecord>& records, const CurveReading& reading = {});

} // namespace accumulus
