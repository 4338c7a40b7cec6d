// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/lane_calibration.h"

#include "core/base/clock.h"
#include "core/config/byte_size.h"
#include "core/train/memory_probe.h"
#include "core/train/trainer_impl.h"

#include <algorithm>

namespace accumulus {
namespace {

constexpr double clearlyFaster = 1.15; // what another plan must reach
constexpr double enoughSeconds = 0.04; // of one plan and round
constexpr std::size_t rounds = 5;      // beside the one that warms up; one is enough where they take long
constexpr double mostSeconds = 1.5;    // after which no further round begins

/// Plans to try; the first is the one that needs no reason.
std::vector<LanePlan> candidates(const DeviceConfig& device, std::int64_t steps, int cores) {
    std::vector<LanePlan> plans;
    const auto mostLanes = static_cast<int>(std::clamp<std::int64_t>(steps, 1, cores));
    for (int lanes = mostLanes; lanes >= 1; lanes /= 2) {
        LanePlan plan{lanes, std::max(1, cores / lanes)};
        if (lanes == mostLanes)
            plan.threads = std::max(1, cores / mostLanes);
        if (device.threads > 0)
            plan.threads = static_cast<int>(device.threads);
        plans.push_back(plan);
    }
    return plans;
}

/// Takes out the plans whose lanes together need more than device.memory_limit; the one with the fewest lanes stays, in
/// smaller parts if it must.
Status leaveOutTooLarge(std::vector<LanePlan>& plans, const TrainerSetup& setup) {
    ACCUMULUS_TRY_ASSIGN(const auto limit, parseBytes(setup.config.device.memoryLimit));
    while (limit > 0 && plans.size() > 1) {
        TrainerSetup copy = setup;
        copy.lanes = plans.front();
        ACCUMULUS_TRY_ASSIGN(const auto peak, probeMemory(std::move(copy)));
        if (peak <= limit)
            break; // fewer lanes need less
        plans.erase(plans.begin());
    }
    return {};
}

} // namespace

/// One plan with everything it needs, apart from the run.
class LaneTrial {
public:
    explicit LaneTrial(std::unique_ptr<Trainer> trainer) : m_trainer(std::move(trainer)) {}

    /// Seconds per sample over at least enoughSeconds.
    double measure() {
        Trainer::Impl& self = *m_trainer->m_impl;
        const auto plan = self.m_planner.next();
        self.m_planner.seek({});
        if (!plan)
            return 0.0;
        // Two micro-steps for each lane; a whole window of a large model would take too long.
        WindowPlan part = *plan;
        const auto most = static_cast<std::size_t>(2 * self.m_engine.laneCount());
        part.microSizes.resize(std::min(part.microSizes.size(), most));
        double seconds = 0.0;
        std::int64_t samples = 0;
        for (WindowOptions options; seconds < enoughSeconds;) {
            const Stopwatch watch;
            (void)self.m_engine.accumulate(part, self.m_window, self.m_statistics, options, [] { return true; });
            seconds += watch.seconds();
            for (const std::int64_t size : part.microSizes)
                samples += size;
            self.m_window.clear();
            self.m_statistics.clear();
        }
        return seconds / static_cast<double>(samples);
    }

private:
    std::unique_ptr<Trainer> m_trainer;
};

Result<LanePlan> calibrateLanes(const TrainerSetup& setup, int cores) {
    ACCUMULUS_TRY_ASSIGN(const auto batch, resolveBatch(setup.config.batch));
    ACCUMULUS_TRY_ASSIGN(const auto choice, chooseDevice(setup.config.device.kind));
    if (choice.isGpu())
        return LanePlan{1, 1}; // kernels of one stream
    std::vector<LanePlan> plans = candidates(setup.config.device, batch.steps, cores);
    if (plans.size() == 1 || setup.config.batch.lean)
        return resolveLanes(setup.config.device, Arm::Accumulated, setup.config.batch.lean ? 1 : batch.steps, cores);
    ACCUMULUS_TRY(leaveOutTooLarge(plans, setup));
    if (plans.size() == 1)
        return plans.front();
    try {
        std::vector<LaneTrial> trials;
        std::vector<std::vector<double>> seconds(plans.size());
        for (const LanePlan& plan : plans) {
            TrainerSetup copy = setup;
            copy.lanes = plan;
            copy.config.device.memoryLimit.clear(); // the plans lie in memory beside each other; the run will not
            ACCUMULUS_TRY_ASSIGN(auto trainer, Trainer::create(std::move(copy)));
            trials.emplace_back(std::move(trainer));
        }
        const Stopwatch all;
        for (std::size_t round = 0; round < 2 || (round <= rounds && all.seconds() < mostSeconds); ++round)
            for (std::size_t i = 0; i < trials.size(); ++i)
                if (const double measured = trials[i].measure(); round > 0) // the first warms up
                    seconds[i].push_back(measured);
        std::size_t best = 0;
        for (std::size_t i = 0; i < plans.size(); ++i) {
            std::ranges::sort(seconds[i]);
            const std::size_t middle = seconds[i].size() / 2;
            if (seconds[i][middle] * clearlyFaster < seconds[best][middle])
                best = i;
        }
        return plans[best];
    } catch (...) {
        return failure(errorOf(std::current_exception()));
    }
}

} // namespace accumulus
