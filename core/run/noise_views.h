// SPDX-License-Identifier: GPL-3.0-or-later
// The gradient noise scale of runs and studies as applications show it. Free of torch.
#pragma once

#include "core/analysis/noise_scale.h"
#include "core/base/message.h"
#include "core/base/result.h"
#include "core/store/run_reader.h"

#include <cstdint>
#include <optional>
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

} // namespace accumulus
