// SPDX-License-Identifier: GPL-3.0-or-later
// How the micro-steps of a window are computed, closed and applied. Three ways: LaneExecutor computes several at a time
// and commits them in order, LeanExecutor adds each gradient in place, GraphExecutor queues them on a device. What is
// computed is the same. Called by the trainer's thread.
#pragma once

#include "core/engine/lane_pool.h"
#include "core/engine/micro_step.h"
#include "core/engine/model_state.h"
#include "core/engine/recovery.h"
#include "core/window/window_planner.h"

#include <exception>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <utility>

namespace accumulus {

/// Which window is to be computed, and how.
struct WindowRequest {
    std::int64_t window = 0; ///< number in the run, from 1
    std::int64_t seed = 0;
    std::int64_t done = 0; ///< micro-steps that the open window holds already, over all ranks
    std::int64_t end = 0;  ///< those to compute now are done, ..., end - 1, over all ranks
    int rank = 0;          ///< takes every ranks-th of them, from number `rank` on
    int ranks = 1;
    double scale = 1.0;                ///< loss scale to begin with
    std::set<std::int64_t> leaveOut{}; ///< micro-steps known to be not finite, found when they were added already
};

/// What computing it took.
struct Accumulated {
    bool complete = true;       ///< false: the gate said no
    std::int64_t steps = 0;     ///< micro-steps that this rank has committed
    std::int64_t committed = 0; ///< micro-steps of the plan that the window holds now, over all ranks
    std::int64_t tokens = 0;
    MicroTimes times; ///< sums over lanes
    double commitSeconds = 0.0;
};

/// A failure while the window was being changed: what it holds is of no use.
class WindowBroken : public std::exception {
public:
    explicit WindowBroken(std::exception_ptr cause) : m_cause(std::move(cause)) {}
    [[nodiscard]] const char* what() const noexcept override { return "the window broke while it was being changed"; }
    [[nodiscard]] const std::exception_ptr& cause() const { return m_cause; }

private:
    std::exception_ptr m_cause;
};

/// A micro-step whose gradient was added before it turned out not to be finite.
class MicroStepNotFinite : public std::exception {
public:
    MicroStepNotFinite(std::int64_t index, bool overflow) : m_index(index), m_overflow(overflow) {}
    [[nodiscard]] const char* what() const noexcept override { return "a micro-step that is not finite was added"; }
    [[nodiscard]] std::int64_t index() const { return m_index; }
    [[nodiscard]] bool overflow() const { return m_overflow; } ///< its loss is finite: a lower loss scale may help

private:
    std::int64_t m_index;
    bool m_overflow;
};

/// A window cut into micro-batches, by their place in it.
class MicroBatches {
public:
    MicroBatches(const WindowPlan& plan, const WindowRequest& request);
    /// Those that this rank is to compute: index(0), index(1), ..., index(count() - 1).
    [[nodiscard]] std::int64_t count() const {
        const std::int64_t left = m_request.end - m_request.done - m_request.rank;
        return left > 0 ? (left + m_request.ranks - 1) / m_request.ranks : 0;
    }
    [[nodiscard]] std::int64_t index(std::int64_t turn) const {
        return m_request.done + m_request.rank + turn * m_request.ranks;
    }
    [[nodiscard]] std::int64_t size(std::int64_t index) const {
        return m_plan.microSizes[static_cast<std::size_t>(index)];
    }
    [[nodiscard]] SampleKeys keys(std::int64_t index) const;
    [[nodiscard]] MicroStepPlace place(std::int64_t index) const { return {m_request.window, index}; }

private:
    const WindowPlan& m_plan;
    const WindowRequest& m_request;
    std::vector<std::size_t> m_starts;
};

class Executor {
public:
    /// Called by any lane before it takes another micro-step; may block (pause). False ends the window behind the
    /// micro-steps that are committed.
    using Gate = std::function<bool()>;
    /// Called in commit order after micro-step k (0, 1, ...) was committed, by the lane that computed it, with what
    /// this window has taken since it was begun or taken up again.
    using AfterCommit = std::function<void(std::int64_t, const Accumulated&)>;
    /// The window that will probably follow; another one may.
    using NextPlan = std::function<std::optional<WindowPlan>()>;

    virtual ~Executor() = default;

    /// The micro-steps of `plan` from request.done on into state's window and statistics. Throws what Recovery gives
    /// up on (then the window holds what was committed before), WindowBroken and MicroStepNotFinite.
    [[nodiscard]] virtual Accumulated accumulate(const WindowPlan& plan, const WindowRequest& request, const Gate& gate,
                                                 const AfterCommit& afterCommit) = 0;
    /// Divides and clips. An executor whose device decides by itself whether the window is finite makes the update
    /// too, at learning rate `lr`; while the device does so, it may ask for the `next` window (may be null).
    [[nodiscard]] virtual WindowGradient close(double lr, const NextPlan& next);
    /// Does close() change the weights?
    [[nodiscard]] virtual bool closeUpdates() const { return false; }
    /// Applies the closed window, if close() has not.
    virtual void update(double lr);
    /// Does an overflow show only when more was added to the window? Then the whole window is computed again.
    [[nodiscard]] virtual bool seesOverflowsLate() const { return false; }
    /// For a look at a micro-step beside the window, in lane 0, while nothing is accumulated.
    [[nodiscard]] virtual MicroStep& firstLane() = 0;
    /// Why CUDA graphs are not used although they were to be; empty otherwise.
    [[nodiscard]] virtual std::string graphProblem() const { return {}; }

protected:
    Executor(ModelState& state, Recovery& recovery, FaultInjector fault)
        : m_state(state), m_recovery(recovery), m_fault(std::move(fault)) {}

    /// One micro-gradient, through faults, overflows and exhausted memory; nothing of it is committed.
    /// `enter(alone)` returns what must be held while it is computed, or nothing when the window was broken off.
    template <class Enter>
    std::optional<MicroGradient> compute(MicroStep& step, const MicroBatches& batches, std::int64_t index, double scale,
                                         Enter enter) {
        Recovery::Attempt attempt{.scale = scale};
        for (;;) {
            MicroGradient micro;
            try {
                const auto held = enter(attempt.alone);
                if (!held)
                    return std::nullopt;
                attempt.part = m_recovery.largestPart();
                micro = step.gradient(batches.keys(index), batches.place(index), attempt.scale, attempt.part,
                                      m_recovery.smallestPart());
            } catch (...) {
                attempt = m_recovery.afterFailure(attempt, std::current_exception(), batches.size(index),
                                                  Recovery::Scope::MicroStep);
                continue;
            }
            if (micro.finite || attempt.scale == 1.0 || !std::isfinite(micro.lossSum))
                return micro;
            const auto lower = m_recovery.afterOverflow(attempt);
            if (!lower)
                return micro;
            attempt = *lower;
        }
    }
    /// accumulate() on one lane: add(batches, index, accumulated) computes and commits one micro-step after the other.
    template <class Add>
    static Accumulated oneByOne(LanePool& lanes, const WindowPlan& plan, const WindowRequest& request, const Gate& gate,
                                const AfterCommit& afterCommit, Add add) {
        const MicroBatches batches(plan, request);
        Accumulated accumulated;
        lanes.run([&](int) {
            for (std::int64_t turn = 0; turn < batches.count() && gate(); ++turn) {
                add(batches, batches.index(turn), accumulated);
                if (afterCommit)
                    afterCommit(batches.index(turn), accumulated);
            }
        });
        accumulated.complete = accumulated.steps == batches.count();
        return accumulated;
    }
    /// Adds a micro-step to the window, in its turn.
    void commit(const MicroGradient& micro, const MicroStepPlace& place, Accumulated& accumulated);
    void injectFault(FaultPoint point, const MicroStepPlace& place) const {
        if (m_fault)
            m_fault(point, place.window, place.microStep);
    }

    ModelState& m_state;
    Recovery& m_recovery;

private:
    FaultInjector m_fault;
};

} // namespace accumulus
