// SPDX-License-Identifier: GPL-3.0-or-later
// What an engine does with other ranks.
#include "core/base/clock.h"
#include "core/engine/engine.h"
#include "core/ranks/watched.h"
#include "core/window/contributions.h"

#include <ATen/ATen.h>
#include <algorithm>
#include <atomic>
#include <utility>

namespace accumulus {

/// In stretches between which the ranks agree whether to go on. In the end every rank knows what the window holds.
Accumulated Engine::accumulateOnRanks(const WindowPlan& plan, WindowRequest request, const WindowHooks& hooks) {
    Communicator& ranks = m_ranks->ranks();
    const auto count = std::ssize(plan.microSizes);
    Accumulated all;
    all.committed = request.done;
    all.complete = all.committed == count;
    request.rank = ranks.rank();
    request.ranks = ranks.size();
    for (bool stop = false; !all.complete && !stop;) {
        const std::int64_t rounds =
            std::min(m_ranks->rounds(), (count - all.committed + request.ranks - 1) / request.ranks);
        request.done = all.committed;
        request.end = std::min(count, request.done + rounds * request.ranks);
        Unwatched::Count pausing;
        std::atomic<bool> wantsStop{false};
        const Executor::Gate gate = [&] {
            const Unwatched unwatched(ranks, pausing); // a pause is not a fault
            if (hooks.gate && !hooks.gate())
                wantsStop = true; // all ranks stop together, at the end of the stretch
            return true;
        };
        const Stopwatch watch;
        const Communicator::Traffic before = ranks.traffic();
        const Watched watched(ranks);
        const Executor::AfterCommit afterCommit = [&](std::int64_t microStep, const Accumulated& part) {
            ranks.alive();
            if (!hooks.afterCommit)
                return;
            Accumulated sofar = part;
            sofar.times += all.times;
            sofar.commitSeconds += all.commitSeconds;
            hooks.afterCommit(microStep, sofar);
        };
        const Accumulated part = m_executor->accumulate(plan, request, gate, afterCommit);
        // Where gradients meet in every micro-step, a commit exchanges; that is counted by the ranks.
        const double exchanging =
            ranks.traffic().waitSeconds - before.waitSeconds + ranks.traffic().exchangeSeconds - before.exchangeSeconds;
        if (m_state.window.couples() && part.steps < rounds)
            m_state.window.commitNothing();
        all.steps += part.steps;
        all.times += part.times;
        all.commitSeconds += std::max(0.0, part.commitSeconds - exchanging);
        m_agreed = m_ranks->agree({wantsStop, m_recovery.report(), all.tokens + part.tokens, watch.seconds()}, rounds);
        all.tokens += part.tokens;
        all.committed = request.end;
        all.complete = all.committed == count;
        stop = m_agreed.stop;
    }
    all.tokens = m_agreed.tokens;
    m_state.window.merge(ranks);
    m_state.statistics.merge(ranks);
    return all;
}

/// What fails on one rank before the sums meet begins the window anew on all: injected faults only.
void Engine::failTogether(const std::function<void()>& work) {
    std::exception_ptr problem;
    try {
        work();
    } catch (...) {
        problem = std::current_exception();
    }
    const bool all = agree(!problem);
    if (problem) {
        m_brokeTogether = m_ranks != nullptr;
        std::rethrow_exception(problem);
    }
    if (!all)
        throw WindowBrokenElsewhere();
}

/// The parts of a flat tensor that the ranks have filled, on all of them.
void Engine::collect(at::Tensor& flat) const {
    if (m_exchange) {
        m_exchange->collect(flat, m_shards);
        return;
    }
    m_ranks->ranks().collect({static_cast<std::byte*>(flat.mutable_data_ptr()), flat.nbytes()},
                             endsInBytes(m_shards, static_cast<std::size_t>(flat.element_size())));
}

at::Tensor Engine::wholeGradient() const {
    const at::Tensor& gradient = m_state.window.gradient();
    if (m_shards.empty())
        return gradient;
    at::Tensor whole = at::zeros({m_state.model->layout().gradientSize()}, gradient.options());
    const FlatRange shard = m_shards[static_cast<std::size_t>(m_ranks->ranks().rank())];
    whole.narrow(0, shard.begin, shard.size()).copy_(gradient);
    collect(whole);
    return whole;
}

} // namespace accumulus
