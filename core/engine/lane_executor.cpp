// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/lane_executor.h"

#include <atomic>
#include <mutex>
#include <variant>

namespace accumulus {

/// One call of accumulate(). What several lanes write is written in the turnstile's order.
struct LaneExecutor::Job {
    const MicroBatches& batches;
    const WindowRequest& request;
    const Gate& gate;
    const AfterCommit& afterCommit;
    std::atomic<std::int64_t> nextTurn{0};
    std::atomic<bool> abandoned{false};
    Accumulated accumulated{};
};

LaneExecutor::LaneExecutor(ModelState& state, Recovery& recovery, LanePool& lanes,
                           std::vector<std::unique_ptr<MicroStep>> steps, FaultInjector fault)
    : Executor(state, recovery, std::move(fault)), m_lanes(lanes), m_steps(std::move(steps)) {}

Accumulated LaneExecutor::accumulate(const WindowPlan& plan, const WindowRequest& request, const Gate& gate,
                                     const AfterCommit& afterCommit) {
    const MicroBatches batches(plan, request);
    Job job{batches, request, gate, afterCommit};
    m_turnstile.reset();
    m_lanes.run([&](int lane) {
        try {
            work(job, *m_steps[static_cast<std::size_t>(lane)]);
        } catch (...) {
            job.abandoned = true;
            m_turnstile.breakOff(); // nobody waits for a turn that never comes
            throw;
        }
    });
    job.accumulated.complete = job.accumulated.steps == batches.count();
    return job.accumulated;
}

void LaneExecutor::work(Job& job, MicroStep& step) {
    for (;;) {
        // Whoever has taken a micro-step commits it: a window that is broken off holds micro-steps 0 to k without a
        // hole.
        if (job.abandoned || !job.gate()) {
            job.abandoned = true;
            return;
        }
        const std::int64_t turn = job.nextTurn.fetch_add(1, std::memory_order_relaxed);
        if (turn >= job.batches.count())
            return;
        const auto micro = computeInLane(job, step, turn);
        if (!micro || !m_turnstile.wait(static_cast<std::uint32_t>(turn)))
            return;
        const std::int64_t index = job.batches.index(turn);
        commit(*micro, job.batches.place(index), job.accumulated);
        if (job.afterCommit)
            job.afterCommit(index, job.accumulated);
        m_turnstile.next();
    }
}

std::optional<MicroGradient> LaneExecutor::computeInLane(Job& job, MicroStep& step, std::int64_t turn) {
    using Shared = std::shared_lock<std::shared_mutex>;
    using Alone = std::unique_lock<std::shared_mutex>;
    // Memory that ran out: once it is this micro-step's turn those before it have given theirs back, and those after
    // it finish what they compute and then wait.
    const auto enter = [&](bool alone) -> std::optional<std::variant<Shared, Alone>> {
        if (!alone)
            return Shared(m_activations);
        if (!m_turnstile.wait(static_cast<std::uint32_t>(turn)))
            return std::nullopt;
        return Alone(m_activations);
    };
    return compute(step, job.batches, job.batches.index(turn), job.request.scale, enter);
}

} // namespace accumulus
