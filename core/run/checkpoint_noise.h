// SPDX-License-Identifier: GPL-3.0-or-later
// The gradient noise scale at a checkpoint's weights, parameter by parameter. Blocks; call it from a worker thread.
// Free of torch.
#pragma once

#include "core/analysis/noise_scale.h"
#include "core/base/result.h"
#include "core/store/run_reader.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace accumulus {

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
