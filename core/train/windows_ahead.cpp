// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/windows_ahead.h"

#include <utility>

namespace accumulus {

WindowsAhead::WindowsAhead(TensorColumn column, int rank, int ranks, std::int64_t ahead, ReadAhead::Ask ask)
    : m_rank(rank), m_ranks(ranks), m_reader(std::move(column), ahead, std::move(ask)) {}

/// Samples of micro-steps done + rank, done + rank + ranks, ...
WindowsAhead::Ids WindowsAhead::ownOf(const WindowPlan& plan, std::int64_t done) const {
    Ids ids;
    std::int64_t first = 0;
    for (std::int64_t step = 0; step < std::ssize(plan.microSizes); ++step) {
        const std::int64_t end = first + plan.microSizes[static_cast<std::size_t>(step)];
        if (step >= done && (step - done) % m_ranks == m_rank)
            ids.insert(ids.end(), plan.ids.begin() + first, plan.ids.begin() + end);
        first = end;
    }
    return ids;
}

void WindowsAhead::begin(const WindowPlan& plan, std::int64_t done, WindowPlanner& planner, std::int64_t updates) {
    const Ids own = ownOf(plan, done);
    if (!m_windows.empty() && m_windows.front() == own) {
        m_windows.pop_front();
        m_samples -= std::ssize(own);
    } else { // the first one, or not what was foreseen: a window was skipped, or a run goes on
        m_reader.forget();
        m_windows.clear();
        m_samples = 0;
        m_end = 0;
        m_reader.want(own);
        m_position = planner.position();
        m_updates = updates + 1;
    }
    m_reader.passed(m_end);
    m_readBy.assign(plan.microSizes.size(), m_end);
    for (std::size_t step = 0; step < m_readBy.size(); ++step) {
        const auto index = static_cast<std::int64_t>(step);
        if (index >= done && (index - done) % m_ranks == m_rank)
            m_end += plan.microSizes[step];
        m_readBy[step] = m_end;
    }
    lookAhead(planner);
}

void WindowsAhead::committed(std::int64_t microStep) {
    m_reader.passed(m_readBy.at(static_cast<std::size_t>(microStep)));
}

void WindowsAhead::lookAhead(WindowPlanner& planner) {
    const PlannerPosition now = planner.position();
    // The order of another epoch is drawn when this one ends: to draw it and then this one again takes long.
    while (m_position.epoch == now.epoch &&
           (m_windows.empty() || (m_reader.wantsMore() && m_windows.size() < mostWindows && m_samples < mostSamples))) {
        planner.seek(m_position);
        const auto plan = planner.next(m_updates);
        if (!plan)
            break;
        m_position = planner.position();
        ++m_updates;
        Ids own = ownOf(*plan, 0);
        m_reader.want(own);
        m_samples += std::ssize(own);
        m_windows.push_back(std::move(own));
    }
    planner.seek(now);
}

} // namespace accumulus
