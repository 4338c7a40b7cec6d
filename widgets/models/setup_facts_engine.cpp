// SPDX-License-Identifier: GPL-3.0-or-later
// The one place where the form asks the engine; tests bring answers of their own.
#include "widgets/models/setup_facts.h"

#include "core/base/available_memory.h"
#include "core/base/machine_features.h"

namespace accumulus::ui {

namespace {

/// What a GPU has left is known from a plan only.
bool trainsOnGpu(const RunConfig& run) {
    return run.device.kind.starts_with("cuda") || (run.device.kind == "auto" && machineFeatures().cuda);
}

std::int64_t freeOnDevice(const RunConfig& run) { return trainsOnGpu(run) ? 0 : availableMemory(); }
std::int64_t totalOfDevice(const RunConfig& run) { return trainsOnGpu(run) ? 0 : memoryUse().total; }

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
            {estimateMemory, freeOnDevice, totalOfDevice, newestPlan},
            inspectModel,
            [](const DataConfig& data) { return previewSamples(data); },
            {checkOutputFolder, checkDeviceNow}};
}

} // namespace accumulus::ui
