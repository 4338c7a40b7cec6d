// SPDX-License-Identifier: GPL-3.0-or-later
// The planner as applications call it: a sweep over m in child processes, so that a trial that is killed for memory
// ends only itself and training beside it goes on. Blocks; call it from a worker thread.
#pragma once

#include "core/analysis/micro_plan.h"
#include "core/base/result.h"
#include "core/config/experiment_config.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
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

/// Called after each point, with the plan so far; from the calling thread.
using PlanProgress = std::function<void(const MicroPlan& soFar)>;

/// Ends within a second of a stop being requested, with what was measured. Errors of configuration, data, model and
/// device; "plan.program" where accumulus-cli cannot be started.
[[nodiscard]] Result<MicroPlan> planMicroBatch(const PlanRequest& request, const PlanProgress& progress = {},
                                               std::stop_token stop = {});

/// What identifies a plan: model, shapes, precision, B, device and versions. A plan is kept in the library under it.
[[nodiscard]] std::string planKey(const PlanRequest& request);
/// The newest plan of that key; nothing where there is none.
[[nodiscard]] Result<std::optional<MicroPlan>> storedPlan(const std::filesystem::path& library,
                                                          const PlanRequest& request);
[[nodiscard]] Status storePlan(const std::filesystem::path& library, const PlanRequest& request, const MicroPlan& plan);

/// Memory of a run by formula, at once, in bytes; see core/config for the settings. Wide: a factor of two is usual.
struct MemoryEstimate {
    std::int64_t parameters = 0, gradients = 0, optimizer = 0, activations = 0;
    [[nodiscard]] std::int64_t total() const { return parameters + gradients + optimizer + activations; }
};
[[nodiscard]] Result<MemoryEstimate> estimateMemory(const RunConfig& config);

} // namespace accumulus
