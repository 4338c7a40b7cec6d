// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/executor.h"

#include "core/base/clock.h"
#include "core/cuda/nccl_group.h"
#include "core/window/contributions.h"

#include <numeric>

namespace accumulus {

MicroBatches::MicroBatches(const WindowPlan& plan, const WindowRequest& request)
    : m_plan(plan), m_request(request), m_starts(plan.microSizes.size()) {
    std::exclusive_scan(plan.microSizes.begin(), plan.microSizes.end(), m_starts.begin(), std::size_t{0},
                        [](auto sum, auto size) { return sum + static_cast<std::size_t>(size); });
}

SampleKeys MicroBatches::keys(std::int64_t index) const {
    const auto at = static_cast<std::size_t>(index);
    const auto count = static_cast<std::size_t>(m_plan.microSizes[at]);
    return {m_request.seed, std::span(m_plan.ids).subspan(m_starts[at], count),
            std::span(m_plan.epochs).subspan(m_starts[at], count)};
}

WindowGradient Executor::close(double, const NextPlan&) { return m_state.window.close(); }

void Executor::update(double lr) {
    m_state.optimizer.update(m_state.parameters, m_state.window.gradient(), m_state.window.touched(), lr);
}

void Executor::commit(const MicroGradient& micro, const MicroStepPlace& place, Accumulated& accumulated) {
    Stopwatch watch;
    try {
        if (m_state.window.commit(micro)) // what is left out must not move the running statistics either
            m_state.statistics.commit(micro.statistics, place.microStep);
        injectFault(FaultPoint::Commit, place);
    } catch (const RanksInterfere&) {
        throw;
    } catch (const gpu::NcclFailed&) {
        throw; // trying again would meet nobody
    } catch (...) {
        throw WindowBroken(std::current_exception());
    }
    accumulated.tokens += micro.tokens;
    accumulated.times += micro.times;
    accumulated.commitSeconds += watch.seconds();
    ++accumulated.steps;
}

} // namespace accumulus
