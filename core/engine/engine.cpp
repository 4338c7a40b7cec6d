// SPDX-License-Identifier: GPL-3.0-or-later
// A window from its first micro-step to its update, and what is done again when something fails.
#include "core/engine/engine.h"

#include "core/base/clock.h"
#include "core/engine/graph_executor.h"
#include "core/engine/memory_counter.h"
#include "core/engine/tensor_in_file.h"
#include "core/window/contributions.h"

#include <ATen/ATen.h>
#include <cmath>
#include <utility>

namespace accumulus {

Engine::Snapshot Engine::snapshot() {
    Snapshot now{m_state.window.save(), m_state.statistics.pending()};
    if (now.window.accumulator.defined())
        now.window.accumulator = keptBeside(now.window.accumulator);
    for (auto& [name, tensor] : now.statistics)
        tensor = keptBeside(tensor);
    return now;
}

at::Tensor Engine::keptBeside(const at::Tensor& sums) const {
    if (!sums.is_cpu())
        return sums.clone();
    at::Tensor copy = tensorBeside(sums.numel(), sums.scalar_type(), m_folder);
    return copy.copy_(sums);
}

void Engine::restore(const Snapshot& before) {
    m_state.window.restore(before.window);
    m_state.statistics.restorePending(before.statistics);
}

WindowOutcome Engine::compute(const WindowPlan& plan, std::int64_t window, std::int64_t done, double lr,
                              const WindowHooks& hooks) {
    m_state.window.setNominal(plan.nominal, plan.nominalSteps);
    if (m_state.window.isMerged())
        m_state.window.goOn(m_ranks->ranks().rank() == 0, done);
    else if (done == 0)
        m_state.window.beginPlan();
    castWeights(); // the lanes' leaves are views of them
    m_before = snapshot();
    const Snapshot& before = m_before;
    const auto again = [&] {
        if (m_bug != PlantedBug::RetryCommitsTwice)
            restore(before);
        if (hooks.restarted)
            hooks.restarted();
    };
    m_agreed = {};
    m_recovery.beginWindow();
    Recovery::Attempt attempt{.scale = m_scaler.scale()};
    WindowRequest request{.window = window, .seed = m_seed, .done = done};
    const auto overflowed = [&] {
        return before.window.overflowed || m_recovery.report().overflowed || m_agreed.recovery.overflowed;
    };
    /// The others have to know, unless they agreed on it. Where they are gone, or this rank has left them, the run
    /// ends.
    const auto tellBroken = [&] {
        if (!m_ranks || std::exchange(m_brokeTogether, false))
            return;
        try {
            m_ranks->breakOff();
        } catch (...) {
            restore(before); // so that what was trained can be saved
            throw;
        }
    };
    /// The loss scale falls, or what overflows at every scale goes on as it is.
    const auto lowerScale = [&] {
        const auto lower = m_recovery.afterOverflow(attempt);
        attempt = lower.value_or(attempt);
        return lower.has_value();
    };
    for (;;) {
        request.scale = attempt.scale;
        attempt.part = m_recovery.largestPart();
        try {
            WindowOutcome outcome;
            outcome.accumulated = accumulate(plan, request, hooks);
            if (outcome.accumulated.complete && plan.makesUpdate) {
                const Stopwatch watch;
                const double exchanged = ranks() ? ranks()->traffic().seconds() : 0.0;
                outcome.gradient = close(window, lr, hooks.next);
                outcome.closeSeconds = watch.seconds();
                if (ranks()) // sums that meet here are counted by the ranks
                    outcome.closeSeconds -= ranks()->traffic().seconds() - exchanged;
                // Where gradients are added in place or on a device, an overflow shows only now.
                const bool overflow =
                    !outcome.gradient->finite && m_scaler.scale() != 1.0 && std::isfinite(outcome.gradient->loss);
                if (overflow && agree(attempt.scale != 1.0 && !overflowed() && lowerScale())) {
                    again();
                    continue;
                }
            }
            // Left-over samples of a leaking tail are not closed: the next window starts from them.
            if (outcome.accumulated.complete && !plan.makesUpdate && m_scaler.scale() != 1.0 &&
                m_state.window.nonfiniteSince(0) == GradientWindow::Nonfinite::Gradient &&
                agree(attempt.scale != 1.0 && !overflowed() && lowerScale())) {
                again();
                continue;
            }
            const bool anyOverflowed = m_scaler.active() ? !agree(!overflowed()) : overflowed();
            m_state.window.setOverflowed(anyOverflowed); // what goes on with it has to know
            // An overflow further on computes the window again at a lower scale, where small values round otherwise:
            // a stop before it keeps nothing, so that a resumed run does the same.
            if (!outcome.accumulated.complete && m_scaler.scale() != 1.0 && m_executor->seesOverflowsLate()) {
                again();
                outcome.accumulated.committed = done;
            }
            outcome.recovery = m_ranks ? m_agreed.recovery : m_recovery.report();
            outcome.recovery.overflowed = anyOverflowed;
            if (outcome.gradient && !anyOverflowed)
                outcome.nonfinite = whereNonfinite(plan, request, *outcome.gradient);
            return outcome;
        } catch (const WindowBrokenElsewhere&) {
            again();
        } catch (const MicroStepNotFinite& found) {
            if (!found.overflow() || !lowerScale())
                request.leaveOut.insert(found.index());
            tellBroken();
            again();
        } catch (const WindowBroken& broken) {
            try {
                attempt =
                    m_recovery.afterFailure(attempt, broken.cause(), plan.microSizes.front(), Recovery::Scope::Window);
            } catch (...) {
                restore(before);
                throw;
            }
            tellBroken();
            again();
        } catch (...) {
            restore(before);
            throw;
        }
    }
}

Accumulated Engine::accumulate(const WindowPlan& plan, WindowRequest request, const WindowHooks& hooks) {
    if (m_ranks)
        return accumulateOnRanks(plan, request, hooks);
    request.end = std::ssize(plan.microSizes);
    Accumulated accumulated = m_executor->accumulate(
        plan, request, hooks.gate ? hooks.gate : [] { return true; }, hooks.afterCommit);
    accumulated.committed = request.done + accumulated.steps;
    return accumulated;
}

WindowGradient Engine::close(std::int64_t window, double lr, const Executor::NextPlan& next) {
    try {
        if (m_fault)
            failTogether([&] { m_fault(FaultPoint::Update, window, 0); });
        return m_executor->close(lr, next);
    } catch (const UnusableGraph&) {
        throw; // nothing was changed
    } catch (const RanksInterfere&) {
        throw;
    } catch (...) {
        m_weightsBroken = m_executor->closeUpdates();
        // While sums of ranks meet, nothing can be computed again: the others are in the middle of it, too.
        if (m_weightsBroken || (m_ranks && !m_brokeTogether))
            throw;
        throw WindowBroken(std::current_exception());
    }
}

void Engine::update(double lr) {
    m_weightsBroken = true;
    m_executor->update(lr);
    if (!m_shards.empty()) {
        at::Tensor trained = m_state.parameters.narrow(0, 0, m_state.model->layout().gradientSize());
        collect(trained);
    }
    m_state.statistics.apply();
    m_weightsBroken = false;
}

void Engine::takeBack() { restore(m_before); }

void Engine::endWindow(const WindowPlan& plan, const WindowOutcome& outcome) {
    m_before = {}; // what leaked into the window, or a bundle held of it, is of no more use
    m_recovery.endWindow(plan.microSizes.empty() ? 0 : plan.microSizes.front());
    if (!plan.makesUpdate)
        return;
    const bool overflowed = outcome.recovery.overflowed;
    // Where all of it was tried at every scale, nobody knows what the other micro-steps needed.
    const bool known = !overflowed || !m_executor->seesOverflowsLate();
    m_scaler.windowClosed(known ? m_state.window.smallestScale() : 0.0, overflowed);
    m_state.window.clear();
    m_state.statistics.clear();
}

std::int64_t Engine::peakBytes() const { return m_device.is_cuda() ? gpu::peakBytes(m_device) : MemoryCounter::peak(); }

at::Tensor Engine::castWeights() {
    if (!m_cast)
        return {};
    m_cast->refresh(m_state.parameters, m_lanes.count() > 1 ? &m_lanes : nullptr);
    return m_cast->flat();
}

void Engine::resetPeak() {
    if (m_device.is_cuda())
        gpu::resetPeak(m_device);
    else
        MemoryCounter::resetPeak();
}

} // namespace accumulus
