// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/lane_calibration.h"

#include "core/base/available_memory.h"
#include "core/base/clock.h"
#include "core/base/median.h"
#include "core/config/byte_size.h"
#include "core/engine/engine_trial.h"
#include "core/engine/memory_counter.h"
#include "core/train/memory_trial.h"

#include <algorithm>
#include <limits>

namespace accumulus {
namespace {

constexpr double clearlyFaster = 1.15; // what fewer lanes must reach
constexpr double enoughSeconds = 0.04; // of one plan and round
constexpr std::size_t maxRounds = 5;   // beside the one that warms up; one is enough where they take long
constexpr double maxSeconds = 1.5;     // after which no further round begins

/// Plans to try, from the fewest lanes up.
std::vector<LanePlan> candidates(const DeviceConfig& device, std::int64_t steps, int cores) {
    std::vector<LanePlan> plans;
    const auto maxLanes = static_cast<int>(std::clamp<std::int64_t>(steps, 1, cores));
    for (int lanes = maxLanes; lanes >= 1; lanes /= 2)
        plans.insert(plans.begin(),
                     {lanes, device.threads > 0 ? static_cast<int>(device.threads) : std::max(1, cores / lanes)});
    return plans;
}

/// Leaves out the plans whose lanes together need more than `limit`; the one with the fewest lanes stays, in smaller
/// parts if it must.
Status leaveOutTooLarge(std::vector<LanePlan>& plans, EngineSetup setup, std::int64_t limit) {
    for (std::size_t i = 0; i < plans.size(); ++i) {
        setup.lanes = plans[i];
        const auto peak = measurePeakMemory(setup, limit);
        const bool tooLarge = !peak && peak.error().code == "training.memory";
        if (!peak && !tooLarge)
            return failure(peak.error());
        if (tooLarge) { // more lanes need more
            plans.resize(std::max<std::size_t>(1, i));
            break;
        }
    }
    return {};
}

struct Timed {
    LanePlan plan;
    std::unique_ptr<EngineTrial> trial;
    std::vector<double> seconds; ///< per sample
};

/// The plans warmed up, from the fewest lanes up while there is memory for all of them at once.
Result<std::vector<Timed>> warmUp(const std::vector<LanePlan>& plans, const EngineSetup& setup,
                                  std::int64_t available) {
    std::vector<Timed> timed;
    const std::int64_t limit =
        MemoryCounter::current() + static_cast<std::int64_t>(laneMemoryShare * static_cast<double>(available));
    std::int64_t perLane = 0;
    for (const LanePlan& plan : plans) {
        if (available > 0 && MemoryCounter::current() + perLane * plan.lanes > limit)
            break;
        const std::int64_t before = MemoryCounter::current();
        MemoryCounter::resetPeak();
        EngineTrial::Settings settings;
        settings.lanes = plan;
        settings.memoryLimit = available > 0 ? limit : 0;
        auto trial = EngineTrial::create(setup, settings);
        const auto seconds = trial ? (*trial)->secondsPerSample(enoughSeconds) : failure(trial.error());
        if (!seconds && !timed.empty() && seconds.error().code == "training.memory")
            break; // those with fewer lanes fit
        if (!seconds)
            return failure(seconds.error());
        perLane = (MemoryCounter::peak() - before) / plan.lanes;
        timed.push_back({plan, std::move(*trial), {}});
    }
    return timed;
}

/// One round. Where memory does not suffice beside the others, the plan of the most lanes goes.
Status timeOnce(std::vector<Timed>& timed) {
    for (std::size_t i = 0; i < timed.size();) {
        const auto seconds = timed[i].trial->secondsPerSample(enoughSeconds);
        if (seconds)
            timed[i++].seconds.push_back(*seconds);
        else if (seconds.error().code == "training.memory" && timed.size() > 1)
            timed.pop_back();
        else
            return failure(seconds.error());
    }
    return {};
}

} // namespace

Result<LanePlan> calibrateLanes(const EngineSetup& original, int cores) {
    return calibrateLanes(original, cores, availableMemory());
}

Result<LanePlan> calibrateLanes(const EngineSetup& original, int cores, std::int64_t available) {
    EngineSetup setup = original;
    setup.weightsFollow = true; // which weights they are takes neither time nor memory
    ACCUMULUS_TRY_ASSIGN(const auto batch, resolveBatch(setup.config.batch));
    ACCUMULUS_TRY_ASSIGN(const auto choice, chooseDevice(setup.config.device.kind));
    ACCUMULUS_TRY_ASSIGN(const auto limit, parseBytes(setup.config.device.memoryLimit));
    if (choice.isGpu())
        return LanePlan{1, 1}; // kernels of one stream
    if (setup.config.batch.lean)
        return resolveLanes(setup.config.device, Arm::Accumulated, 1, cores);
    std::vector<LanePlan> plans = candidates(setup.config.device, batch.largestSteps(), cores);
    if (limit > 0 && plans.size() > 1)
        ACCUMULUS_TRY(leaveOutTooLarge(plans, setup, limit));
    if (plans.size() == 1)
        return plans.front();

    ACCUMULUS_TRY_ASSIGN(auto timed, warmUp(plans, setup, available));
    if (timed.size() == 1) // also where one lane alone is larger than the system's memory: it runs in parts
        return timed.front().plan;
    const Stopwatch all;
    for (std::size_t round = 0; round == 0 || (round < maxRounds && all.seconds() < maxSeconds); ++round)
        ACCUMULUS_TRY(timeOnce(timed));
    std::ranges::reverse(timed); // most lanes first: they need no reason
    const Timed* best = &timed.front();
    for (const Timed& one : timed)
        if (upperMedian(one.seconds) * clearlyFaster < upperMedian(best->seconds))
            best = &one;
    return best->plan;
}

} // namespace accumulus
