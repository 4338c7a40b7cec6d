// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/window/window_planner.h"

#include "core/data/sampler.h"

#include <algorithm>

namespace accumulus {

std::set<std::int64_t> microSizesOfRun(const BatchPlan& batch, TailPolicy tail, std::int64_t samples,
                                       std::int64_t updates, bool wholeEpochs) {
    std::set<std::int64_t> sizes;
    const auto meet = [&](std::int64_t window) {
        for (const std::int64_t size : {std::min(window, batch.micro), window % batch.micro})
            if (size > 0)
                sizes.insert(size);
    };
    if (tail == TailPolicy::Carry) { // every window is full
        meet(batch.effective);
        for (const RampPoint& point : batch.ramp)
            if (point.update <= updates)
                meet(point.effective);
        return sizes;
    }
    // Updates that no window of the current B makes any more.
    const auto endOfPiece = [&](std::int64_t done) {
        for (const RampPoint& point : batch.ramp)
            if (point.update > done + 1)
                return std::min(updates, point.update - 1);
        return updates;
    };
    std::int64_t position = 0; // in the epoch
    for (std::int64_t done = 0; done < updates;) {
        const std::int64_t effective = batch.effectiveAt(done + 1);
        if (effective > samples)
            break; // the run ends
        const std::int64_t left = endOfPiece(done) - done;
        const std::int64_t rest = samples - position;
        const std::int64_t full = rest / effective;
        if (full > 0) {
            meet(effective);
            const std::int64_t made = std::min(full, left);
            done += made;
            position += made * effective;
            if (made == left)
                continue; // the next window may be of another B
        }
        const std::int64_t short_ = samples - position;
        if (short_ > 0 && tail != TailPolicy::Drop) {
            meet(short_);
            done += tail == TailPolicy::Apply ? 1 : 0;
        }
        position = 0;
        // Whole epochs of the same B repeat what was met.
        const std::int64_t perEpoch = samples / effective + (tail == TailPolicy::Apply && samples % effective != 0);
        const std::int64_t epochs = std::max<std::int64_t>(0, endOfPiece(done) - done) / perEpoch;
        if (done < updates && batch.effectiveAt(done + 1) == effective && epochs > 1) {
            meet(effective);
            if (samples % effective != 0 && tail != TailPolicy::Drop)
                meet(samples % effective);
            done += (epochs - 1) * perEpoch;
        }
    }
    if (wholeEpochs && tail == TailPolicy::Leak && position > 0 && position < samples)
        meet(samples - position);
    return sizes;
}

WindowPlanner::WindowPlanner(BatchPlan batch, TailPolicy tail, std::int64_t samples, bool shuffle, std::int64_t seed,
                             std::int64_t epochs, PlantedBug bug, std::int64_t used)
    : m_batch(std::move(batch)), m_tail(tail), m_drawn(samples), m_samples(used > 0 ? used : samples),
      m_shuffle(shuffle), m_seed(seed), m_epochs(epochs), m_bug(bug) {}

const std::vector<std::int64_t>& WindowPlanner::order(std::int64_t epoch) {
    if (m_orderEpoch != epoch) {
        m_order = epochOrder(m_drawn, m_shuffle, m_seed, epoch);
        m_orderEpoch = epoch;
    }
    return m_order;
}

void WindowPlanner::append(WindowPlan& plan, std::int64_t count) {
    const auto& ids = order(m_position.epoch);
    plan.ids.insert(plan.ids.end(), ids.begin() + m_position.sample, ids.begin() + m_position.sample + count);
    plan.epochs.insert(plan.epochs.end(), static_cast<std::size_t>(count), m_position.epoch);
    m_position.sample += count;
    if (m_position.sample == m_samples)
        m_position = {m_position.epoch + 1, 0};
}

std::int64_t WindowPlanner::wantedSamples(std::int64_t effective) const {
    if (m_bug == PlantedBug::BoundaryOffByOne && effective > m_batch.micro)
        return effective - m_batch.micro;
    if (m_bug == PlantedBug::NewBatchOldSteps)
        return std::min(m_batch.micro * m_batch.steps, m_samples);
    return effective;
}

// The short rest of an epoch is left out.
void WindowPlanner::dropTail(std::int64_t effective) {
    if (m_tail == TailPolicy::Drop && m_position.sample > 0 && m_samples - m_position.sample < effective)
        m_position = {m_position.epoch + 1, 0};
}

std::optional<WindowPlan> WindowPlanner::next(std::int64_t updatesDone) {
    const std::int64_t effective = m_batch.effectiveAt(updatesDone + 1);
    dropTail(effective);
    const bool ended = m_epochs > 0 && m_position.epoch >= m_epochs;
    const std::int64_t rest = m_samples - m_position.sample;
    const bool tail = rest < effective;
    if (ended || (tail && m_tail == TailPolicy::Carry && m_epochs > 0 && m_position.epoch + 1 >= m_epochs))
        return std::nullopt;

    WindowPlan plan;
    plan.epoch = m_position.epoch;
    plan.nominal = effective;
    plan.nominalSteps = (effective + m_batch.micro - 1) / m_batch.micro;
    const std::int64_t wanted = wantedSamples(effective);
    if (tail && m_tail == TailPolicy::Carry) {
        append(plan, rest);
        append(plan, wanted - rest);
    } else {
        append(plan, std::min(wanted, rest));
        plan.makesUpdate = !(tail && m_tail == TailPolicy::Leak);
        dropTail(m_batch.effectiveAt(updatesDone + 2)); // at once, so that the epoch counts as completed by this window
    }
    plan.microSizes = microSizes(static_cast<std::int64_t>(plan.ids.size()), m_batch.micro);
    if (m_bug == PlantedBug::RestLeftOut && plan.microSizes.size() > 1 && plan.microSizes.back() < m_batch.micro)
        plan.microSizes.pop_back();
    plan.epochsCompleted = m_position.epoch;
    plan.epochPosition =
        static_cast<double>(m_position.epoch) + static_cast<double>(m_position.sample) / static_cast<double>(m_samples);
    return plan;
}

std::optional<WindowPlan> WindowPlanner::foresee(std::int64_t updatesDone) {
    if (m_tail == TailPolicy::Carry && m_samples - m_position.sample < m_batch.effectiveAt(updatesDone + 1))
        return std::nullopt;
    const PlannerPosition here = m_position;
    auto plan = next(updatesDone);
    m_position = here;
    return plan;
}

} // namespace accumulus
