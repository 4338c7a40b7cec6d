// SPDX-License-Identifier: GPL-3.0-or-later
// The gradient noise scale of runs and studies as applications show it, and layer by layer on request. Free of torch.
#pragma once

#include "core/analysis/noise_scale.h"
#include "core/base/message.h"
#include "core/base/result.h"
#include "core/store/run_reader.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace accumulus {

/// What one run, or the accumulated runs of a study together, tell.
struct NoiseView {
    std::string run; ///< UUID; empty: pooled
    Arm arm = Arm::Accumulated;
    std::int64_t seed = 0;
    std::string unit = "samples"; ///< of the noise scale and of `effective`
    double effective = 0.0;       ///< B
    NoiseScale recent;            ///< of the second half of the windows
    NoiseCourse course;           ///< not of several runs pooled
    std::optional<Error> missing; ///< "noise.no-terms": why there is nothing
};
/// Of one run; `missing` where no window has terms. Errors of the reader.
[[nodiscard]] Result<NoiseView> runNoiseView(RunReader& reader, const RunRecord& run);

struct StudyNoise {
    std::vector<NoiseView> runs;
    NoiseView pooled; ///< over the accumulated runs that have terms
};
[[nodiscard]] Result<StudyNoise> studyNoise(RunReader& reader, const StudyRecord& study);

/// One parameter, or the model.
struct TensorNoise {
    std::string name;
    std::vector<std::int64_t> shape;
    NoiseScale noise;
};
struct CheckpointNoise {
    std::string checkpoint; ///< "initial", "best", "last"
    std::int64_t update = 0;
    std::int64_t effective = 0, micro = 0, steps = 0; ///< of the windows that were computed
    std::string unit = "samples";
    double unitsPerSample = 1.0;
    TensorNoise whole;                ///< without name and shape
    std::vector<TensorNoise> tensors; ///< in the model's order
};
/// At the weights of a run's checkpoint (for "initial" without a file: the seed's initial weights), over `windows`
/// windows; blocks while they are computed. Errors "noise.checkpoint" (no such kind), "run.no-checkpoint",
/// "run.not-fetched", "noise.one-sample", "noise.not-finite", "noise.cancelled", those of data, model and device.
[[nodiscard]] Result<CheckpointNoise> checkpointNoise(RunReader& reader, const RunRecord& run,
                                                      const std::string& checkpoint, std::int64_t windows,
                                                      std::stop_token stop = {});

} // namespace accumulus
