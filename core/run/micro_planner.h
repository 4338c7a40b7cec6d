// SPDX-License-Identifier: GPL-3.0-or-later
// The planner as far as one process needs it: a trial of one size, plans that the library keeps, and an estimate that
// needs no trial. The sweep, whose trials are processes of their own, is planMicroBatch() in core/launch/micro_sweep.h.
#pragma once

#include "core/analysis/micro_plan.h"
#include "core/base/result.h"
#include "core/config/experiment_config.h"
#include "core/store/run_reader.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace accumulus {

struct PlanRequest {
    RunConfig config;
    std::int64_t seed = 0;
    bool ragged = false;                ///< sizes that do not divide B as well
    std::vector<std::int64_t> sizes{};  ///< only these; empty: chosen
    std::optional<double> noiseScale{}; ///< B_noise, for the cheapest effective batch
    std::filesystem::path program{};    ///< accumulus-cli; empty: the one beside this program
};

/// The run that is tried for a size of the request: one device, the first effective batch, micro-batches of `micro`.
/// Errors of resolveBatch.
[[nodiscard]] Result<RunConfig> trialConfig(const PlanRequest& request, std::int64_t micro);
/// B of the trials.
[[nodiscard]] Result<std::int64_t> trialEffective(const RunConfig& config);

/// What is known before the first trial: subject, device, notes. Errors of the settings, whatever the size.
[[nodiscard]] Result<MicroPlan> emptyPlan(const PlanRequest& request);

/// Tries one size in this process, which may not survive it. `confirm`: a run of its own with more windows, for the
/// lanes that device.lanes and device.threads name. A size that cannot be trained with is a point that does not fit;
/// errors are those that no size would mend: of configuration, data, model and device.
[[nodiscard]] Result<MicroTrialReport> tryHere(const RunConfig& config, std::int64_t seed, bool confirm);

/// What identifies a plan: model (of a network from a file its bytes), shapes, precision, B, device and versions. A
/// plan is kept in the library under it.
[[nodiscard]] std::string planKey(const PlanRequest& request);
/// The plan of that key; nothing where there is none, or where another version wrote it.
[[nodiscard]] Result<std::optional<MicroPlan>> planOf(RunReader& reader, const PlanRequest& request);
/// The newest plan of that key; nothing where there is none, or no library.
[[nodiscard]] Result<std::optional<MicroPlan>> storedPlan(const std::filesystem::path& library,
                                                          const PlanRequest& request);
[[nodiscard]] Status storePlan(const std::filesystem::path& library, const PlanRequest& request, const MicroPlan& plan);

/// Memory of a run by formula, at once, in bytes; see core/config for the settings. Wide: a factor of two is usual.
struct MemoryEstimate {
    std::int64_t parameters = 0, gradients = 0, optimizer = 0, activations = 0;
    bool complete = true; ///< false: activations are not known, nobody has said what the layers are
    /// Scratch of kernels and gradients on their way, on a GPU the data that lies there: no formula tells it, only what
    /// a plan has measured beyond the other parts.
    std::optional<std::int64_t> workspace{};
    [[nodiscard]] std::int64_t total() const {
        return parameters + gradients + optimizer + activations + workspace.value_or(0);
    }
    bool operator==(const MemoryEstimate&) const = default;
};
[[nodiscard]] Result<MemoryEstimate> estimateMemory(const RunConfig& config);

} // namespace accumulus
