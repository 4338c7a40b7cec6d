// SPDX-License-Identifier: GPL-3.0-or-later
// Two files at an update boundary: weights (safetensors, Python's parameter names, strings in the metadata) and the
// resume bundle (optimizer state, counters, position of the sampler). Random draws are keyed by (seed, epoch, ...), so
// there is no random state to keep.
#pragma once

#include "core/base/result.h"
#include "core/model/parameter_arena.h"
#include "core/model/weights_file.h"
#include "core/ranks/communicator.h"
#include "core/window/flat_optimizer.h"
#include "core/window/gradient_window.h"
#include "core/window/loss_scale.h"
#include "core/window/running_statistics.h"
#include "core/window/window_planner.h"

#include <ATen/core/Tensor.h>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace accumulus {

/// Everything of a run that changes while it trains, but tensors.
struct TrainingProgress {
    PlannerPosition position;
    std::int64_t windows = 0;
    std::int64_t updates = 0;
    std::int64_t microSteps = 0;
    std::int64_t samples = 0;
    std::int64_t tokens = 0;
    std::int64_t epochsCompleted = 0;
    std::int64_t openMicroSteps = 0; ///< of the window at `position`, committed before a stop in its middle
    std::int64_t skippedInARow = 0;
    double epochPosition = 0.0;
    double activeSeconds = 0.0;
    /// Best mainMetric() so far, on the validation samples: of accuracies RunSummary::bestValidationAccuracy.
    std::optional<double> bestMetric;
    std::optional<double> bestTestAccuracy;
    bool operator==(const TrainingProgress&) const = default;
};

/// What a checkpoint is made of; refers to the trainer's own.
struct TrainingState {
    const ParameterLayout& layout;
    at::Tensor& parameters; ///< flat
    const ParameterLayout& buffers;
    RunningStatistics& statistics;
    FlatOptimizer& optimizer;
    GradientWindow& window;
    LossScaler& scaler;
};

/// What the ranks keep of the state, together on the rank that writes a bundle.
struct GatheredState {
    std::map<std::string, at::Tensor> optimizer; ///< whole, by name
    /// Of an open window: one whole, or one a rank; their sum counts. Row-major, in pieces one behind the other.
    std::vector<std::vector<at::Tensor>> accumulators;
};
/// On rank 0 all of it, on the others nothing. All ranks call it; a window that holds anything is merged. `folder`: for
/// what is not to lie in memory (tensorBeside()).
[[nodiscard]] GatheredState gatherState(const TrainingState& state, const std::vector<FlatRange>& shards,
                                        Communicator& ranks, const std::filesystem::path& folder);

/// XXH3-128 over the bytes of all parameters in layout order, row-major, gaps left out, then of the buffers if there
/// are any.
[[nodiscard]] std::string weightsHash(const ParameterLayout& layout, const at::Tensor& parameters,
                                      const ParameterLayout& buffers = {}, const at::Tensor& statistics = {});

/// With buffers, a `num_batches_tracked` (`batches`: how often they have moved) is written beside each pair of them, as
/// torchvision's models have it; a tied weight is written under each of its names.
[[nodiscard]] Result<std::int64_t> saveWeights(const std::filesystem::path& file, const ParameterLayout& layout,
                                               const at::Tensor& parameters,
                                               const std::map<std::string, std::string>& metadata,
                                               const ParameterLayout& buffers = {}, const at::Tensor& statistics = {},
                                               std::int64_t batches = 0);

/// `gathered`: of several ranks, in place of what `state` holds. `leaveOutWindow`: the planted bug ResumeForgetsWindow.
[[nodiscard]] Result<std::int64_t> saveBundle(const std::filesystem::path& file, const TrainingState& state,
                                              const TrainingProgress& progress,
                                              const std::map<std::string, std::string>& metadata,
                                              const GatheredState* gathered = nullptr, bool leaveOutWindow = false);
/// On several ranks each of them loads the same bundle, whatever number of ranks wrote it, and keeps its part. Errors
/// "checkpoint.mismatch" (another model, optimizer or precision), "checkpoint.format" (damaged; a hash covers all that
/// is loaded). After an error another bundle may be loaded; nothing of the first one is left then.
[[nodiscard]] Result<TrainingProgress> loadBundle(const std::filesystem::path& file, const TrainingState& state,
                                                  const Communicator* ranks = nullptr);

} // namespace accumulus
