// SPDX-License-Identifier: GPL-3.0-or-later
// The planner's sweep over m: every trial is a process of its own (`accumulus-cli plan - --trial`), so that one that is
// killed for memory ends only itself and training beside it goes on. Blocks; call it from a worker thread.
#pragma once

#include "core/base/result.h"
#include "core/run/micro_planner.h"

#include <cstddef>
#include <functional>
#include <stop_token>

namespace accumulus {

/// Called after each point, with the plan so far; from the calling thread.
using PlanProgress = std::function<void(const MicroPlan& soFar)>;

/// Tries sizes from small to large, until one lacks memory, then confirms the one to recommend by a run of its own.
/// Ends within a second of a stop being requested, with what was measured. Errors of configuration, data, model and
/// device; "plan.size"; "plan.program" where accumulus-cli is missing, "launch.start" where it cannot be started.
[[nodiscard]] Result<MicroPlan> planMicroBatch(const PlanRequest& request, const PlanProgress& progress = {},
                                               std::stop_token stop = {});

} // namespace accumulus
