// SPDX-License-Identifier: GPL-3.0-or-later
// The one place where the form asks the engine; tests bring answers of their own.
#include "widgets/models/setup_facts.h"

namespace accumulus::ui {

namespace {

/// The newest one, with ragged sizes or without.
Result<std::optional<MicroPlan>> newestPlan(const std::filesystem::path& library, const PlanRequest& request) {
    PlanRequest ragged = request;
    ragged.ragged = true;
    ACCUMULUS_TRY_ASSIGN(auto plan, storedPlan(library, request));
    ACCUMULUS_TRY_ASSIGN(auto other, storedPlan(library, ragged));
    return other && (!plan || plan->createdAt < other->createdAt) ? other : plan;
}

} // namespace

SetupQueries engineQueries() {
    return {inspectData,
            parameterCount,
            inspectDevice,
            {estimateMemory, roomOn, newestPlan},
            inspectModel,
            [](const DataConfig& data) { return previewSamples(data); },
            {checkOutputFolder, checkDeviceNow}};
}

} // namespace accumulus::ui
