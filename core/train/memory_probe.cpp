// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/memory_probe.h"

#include "core/train/trainer_impl.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <iterator>
#include <mutex>

namespace accumulus {
namespace {

/// Holds the first micro-step of each lane back until all lanes have one, between the forward pass and the backward
/// pass: their activations are there at once.
class Rendezvous {
public:
    /// For the next window; so many lanes will get a micro-step of it.
    void open(std::int64_t lanes) {
        m_lanes = lanes;
        m_arrived = 0;
    }

    void arrive(FaultPoint point, std::int64_t microStep) {
        std::unique_lock lock(m_mutex);
        if (point != FaultPoint::Backward || microStep >= m_lanes)
            return;
        if (++m_arrived == m_lanes)
            m_complete.notify_all();
        m_complete.wait_for(lock, longestWait, [&] { return m_arrived >= m_lanes; });
    }

private:
    static constexpr std::chrono::seconds longestWait{30}; // a lane that failed never comes

    std::mutex m_mutex;
    std::condition_variable m_complete;
    std::int64_t m_lanes = 0;
    std::int64_t m_arrived = 0;
};

} // namespace

class MemoryProbe {
public:
    MemoryProbe(std::unique_ptr<Trainer> trainer, Rendezvous& rendezvous)
        : m_trainer(std::move(trainer)), m_rendezvous(rendezvous) {}

    void trainWindow(std::int64_t number, bool firstMicroStepOnly) {
        Trainer::Impl& self = *m_trainer->m_impl;
        const auto scope = self.scope();
        auto plan = self.m_planner.next();
        if (!plan)
            return;
        if (firstMicroStepOnly)
            plan->microSizes.resize(1);
        m_rendezvous.open(std::min<std::int64_t>(self.m_engine.laneCount(),
                                                 std::ssize(plan->microSizes))); // the window may be a short one
        WindowOptions options;
        options.window = number;
        options.seed = self.m_setup.seed;
        options.lossScale = self.m_scaler.scale();
        (void)self.m_engine.accumulate(*plan, self.m_window, self.m_statistics, options, [] { return true; });
        if (!firstMicroStepOnly && self.m_window.finish().units > 0)
            self.m_optimizer.update(self.m_parameters, self.m_window.gradient(), self.m_window.touched(), 0.0);
        self.m_window.clear();
        self.m_statistics.clear();
    }

    [[nodiscard]] std::int64_t peakBytes() const { return m_trainer->m_impl->peakBytes(); }

private:
    std::unique_ptr<Trainer> m_trainer;
    Rendezvous& m_rendezvous;
};

Result<std::int64_t> probeMemory(TrainerSetup setup) {
    const bool tooEarly = setup.bug == PlantedBug::ProbesTooEarly;
    setup.config.device.memoryLimit.clear();
    setup.config.device.onOom = OnOutOfMemory::Stop;
    setup.config.device.capture = CapturePolicy::Off; // a graph keeps what its micro-step takes at most
    Rendezvous rendezvous;
    setup.fault = [&rendezvous](FaultPoint point, std::int64_t, std::int64_t microStep) {
        rendezvous.arrive(point, microStep);
    };
    ACCUMULUS_TRY_ASSIGN(auto trainer, Trainer::create(std::move(setup)));
    MemoryProbe probe(std::move(trainer), rendezvous);
    try {
        constexpr std::int64_t windows = 2;
        for (std::int64_t window = 1; window <= (tooEarly ? 1 : windows); ++window)
            probe.trainWindow(window, tooEarly);
    } catch (...) {
        return failure(errorOf(std::current_exception()));
    }
    return probe.peakBytes();
}

} // namespace accumulus
