// SPDX-License-Identifier: GPL-3.0-or-later
// The one place where the workbench calls the planner; tests bring plans of their own.
#include "widgets/bridge/plan_runner.h"

namespace accumulus::ui {

PlanSource enginePlans() { return {planMicroBatch, storePlan, storedPlan}; }

} // namespace accumulus::ui
