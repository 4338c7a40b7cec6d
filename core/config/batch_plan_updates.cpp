// SPDX-License-Identifier: GPL-3.0-or-later
// How many updates an epoch, a number of samples or a whole run makes: batch_plan.h's counting. A ramp cuts a run into
// pieces of constant B; each is followed by arithmetic, never window by window.
#include "core/config/batch_plan.h"

#include <algorithm>
#include <limits>

namespace accumulus {

namespace {

using std::int64_t;

// Products of 64-bit counts: a length of 2^63 epochs is absurd but no reason to overflow.
__extension__ typedef __int128 Wide;

constexpr Wide unlimited = Wide{1} << 63; // its square still fits

constexpr Wide ceilDivide(Wide a, Wide b) { return a / b + (a % b != 0 ? 1 : 0); }

int64_t saturated(Wide value) {
    return static_cast<int64_t>(std::min<Wide>(value, std::numeric_limits<int64_t>::max()));
}

/// Where a run ends; what comes first counts.
struct Goal {
    Wide updates = unlimited;
    Wide epochs = unlimited;
    Wide samples = unlimited; ///< at the first update at or after them
};

/// A run followed through pieces of constant B. Between two pieces it stands right behind an update.
class RunWalk {
public:
    RunWalk(int64_t samples, TailPolicy tail, Goal goal) : m_epochSamples(samples), m_tail(tail), m_goal(goal) {}

    /// At most `most` updates of `effective` samples each. False when the run has ended or stands still.
    bool follow(Wide effective, Wide most) {
        if (m_updates >= m_goal.updates || m_seen >= m_goal.samples)
            return false;
        if (leavesTail()) {
            if (effective > m_epochSamples)
                return false; // no window is ever completed
            if (m_epochSamples - m_sample < effective)
                moveTo(m_epoch + 1, 0);
        }
        const Wide updates =
            std::min({most, m_goal.updates - m_updates, untilEpochs(effective), untilSamples(effective)});
        if (updates > 0)
            advance(effective, updates);
        return updates == most;
    }

    [[nodiscard]] Wide updates() const { return m_updates; }
    [[nodiscard]] Wide seen() const { return m_seen; }

private:
    /// Is the short rest of an epoch left without an update?
    [[nodiscard]] bool leavesTail() const { return m_tail == TailPolicy::Drop || m_tail == TailPolicy::Leak; }

    /// Updates of the open epoch, and of each later one.
    [[nodiscard]] Wide here(Wide effective) const {
        const Wide rest = m_epochSamples - m_sample;
        return leavesTail() ? rest / effective : ceilDivide(rest, effective);
    }
    [[nodiscard]] Wide each(Wide effective) const {
        return leavesTail() ? m_epochSamples / effective : ceilDivide(m_epochSamples, effective);
    }

    [[nodiscard]] Wide untilEpochs(Wide effective) const {
        if (m_goal.epochs <= m_epoch)
            return 0;
        if (m_tail == TailPolicy::Carry) // only whole windows
            return ((m_goal.epochs - m_epoch) * m_epochSamples - m_sample) / effective;
        return here(effective) + (m_goal.epochs - m_epoch - 1) * each(effective);
    }

    [[nodiscard]] Wide untilSamples(Wide effective) const {
        if (m_goal.samples == unlimited)
            return unlimited;
        const Wide missing = m_goal.samples - m_seen;
        if (m_tail == TailPolicy::Carry || m_tail == TailPolicy::Drop) // every update adds B to what was seen
            return ceilDivide(missing, effective);
        const Wide rest = m_epochSamples - m_sample;
        if (missing <= std::min(here(effective) * effective, rest))
            return std::max<Wide>(1, ceilDivide(missing, effective)); // a tail just left may have reached the goal
        if (missing <= rest) // among the left-over samples: the next epoch's first update follows them
            return here(effective) + 1;
        const Wide epochs = (missing - rest - 1) / m_epochSamples;
        return here(effective) + epochs * each(effective) +
               ceilDivide(missing - rest - epochs * m_epochSamples, effective);
    }

    void advance(Wide effective, Wide updates) {
        m_updates += updates;
        m_dropSeen += updates * effective;
        if (m_tail == TailPolicy::Carry) {
            const Wide place = m_sample + updates * effective;
            moveTo(m_epoch + place / m_epochSamples, place % m_epochSamples);
        } else if (updates <= here(effective)) {
            placeInEpoch(m_epoch, m_sample + updates * effective);
        } else {
            const Wide further = updates - here(effective); // at least one, in a later epoch
            const Wide epochs = (further - 1) / each(effective);
            placeInEpoch(m_epoch + 1 + epochs, (further - epochs * each(effective)) * effective);
        }
    }
    void placeInEpoch(Wide epoch, Wide sample) {
        if (sample >= m_epochSamples) // apply: the last window was short
            moveTo(epoch + 1, 0);
        else
            moveTo(epoch, sample);
    }
    void moveTo(Wide epoch, Wide sample) {
        m_epoch = epoch;
        m_sample = sample;
        m_seen = m_tail == TailPolicy::Drop ? m_dropSeen : m_epoch * m_epochSamples + m_sample;
    }

    Wide m_epochSamples;
    TailPolicy m_tail;
    Goal m_goal;
    Wide m_epoch = 0;
    Wide m_sample = 0;
    Wide m_updates = 0;
    Wide m_seen = 0;
    Wide m_dropSeen = 0; ///< without what was dropped
};

RunWalk walk(const BatchPlan& batch, int64_t samples, TailPolicy tail, Goal goal) {
    RunWalk run(samples, tail, goal);
    Wide effective = batch.effective;
    Wide from = 1;
    for (const RampPoint& point : batch.ramp) {
        if (!run.follow(effective, point.update - from))
            return run;
        effective = point.effective;
        from = point.update;
    }
    run.follow(effective, unlimited);
    return run;
}

} // namespace

EpochPlan planEpoch(const BatchPlan& batch, int64_t samples, TailPolicy tail) {
    if (batch.effective <= 0 || samples <= 0)
        return {};
    EpochPlan plan{samples, 0, samples, 0};
    for (;;) {
        const int64_t effective = batch.effectiveAt(plan.fullWindows + 1);
        const auto change =
            std::ranges::upper_bound(batch.ramp, plan.fullWindows + 1, {}, &RampPoint::update); // of B, the next one
        const int64_t fitting = plan.tailSamples / effective;
        const int64_t windows =
            change == batch.ramp.end() ? fitting : std::min(fitting, change->update - 1 - plan.fullWindows);
        plan.fullWindows += windows;
        plan.tailSamples -= windows * effective;
        if (windows == fitting && (change == batch.ramp.end() || plan.fullWindows + 1 < change->update))
            break;
    }
    plan.updates = plan.fullWindows + (tail == TailPolicy::Apply && plan.tailSamples > 0 ? 1 : 0);
    return plan;
}

int64_t totalUpdates(const BatchPlan& batch, int64_t samples, TailPolicy tail, const Extent& length) {
    if (batch.effective <= 0 || samples <= 0 || length.count <= 0)
        return 0;
    Goal goal;
    switch (length.unit) {
    case Extent::Unit::Updates:
        goal.updates = length.count;
        break;
    case Extent::Unit::Samples:
        goal.samples = length.count;
        break;
    case Extent::Unit::Epochs:
        goal.epochs = length.count;
        break;
    }
    return saturated(walk(batch, samples, tail, goal).updates());
}

int64_t extentInUpdates(const Extent& extent, const BatchPlan& batch, int64_t samples, TailPolicy tail) {
    if (extent.count <= 0)
        return 0;
    return std::max<int64_t>(1, totalUpdates(batch, samples, tail, extent));
}

int64_t samplesOfUpdates(const BatchPlan& batch, int64_t samples, TailPolicy tail, int64_t updates) {
    if (batch.effective <= 0 || samples <= 0 || updates <= 0)
        return 0;
    Goal goal;
    goal.updates = updates;
    return saturated(walk(batch, samples, tail, goal).seen());
}

} // namespace accumulus
