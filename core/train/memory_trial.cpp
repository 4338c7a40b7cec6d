// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/memory_trial.h"

#include "core/base/available_memory.h"
#include "core/engine/engine_trial.h"
#include "core/engine/memory_counter.h"

namespace accumulus {

Result<std::int64_t> measurePeakMemory(const EngineSetup& setup, std::int64_t limit) {
    ACCUMULUS_TRY_ASSIGN(const auto batch, resolveBatch(setup.config.batch));
    const std::int64_t samples = usedSamples(setup.config.data, batch, setup.data->trainCount());
    if (batch.largestEffective() > samples)
        return failure("config.batch.exceeds-data",
                       {{"effective", std::to_string(batch.largestEffective())}, {"samples", std::to_string(samples)}});
    EngineTrial::Settings settings;
    settings.lanes = setup.lanes;
    settings.memoryLimit = limit > 0 ? limit : MemoryCounter::current() + availableMemory();
    ACCUMULUS_TRY_ASSIGN(const auto trial, EngineTrial::create(setup, settings));
    return trial->peakBytes(setup.bug == PlantedBug::ProbesTooEarly);
}

} // namespace accumulus
