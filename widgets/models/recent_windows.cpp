// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/recent_windows.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace accumulus::ui {

namespace {

bool sameBits(const std::vector<double>& a, const std::vector<double>& b) {
    return std::ranges::equal(
        a, b, [](double x, double y) { return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y); });
}

std::pair<std::int64_t, std::int64_t> placeOf(const MicroStepRecord& record) {
    return {record.window, record.microStep};
}

} // namespace

bool ProbedWindow::constantUntilUpdate() const {
    return std::ranges::all_of(microSteps, [this](const MicroStepRecord& record) {
        return sameBits(record.values, microSteps.front().values);
    });
}

bool ProbedWindow::movedByUpdate() const {
    return updated && !microSteps.empty() && !sameBits(updated->values, microSteps.front().values);
}

void RecentWindows::add(const WindowRecord& window) {
    if (!m_windows.empty() && window.window <= m_windows.back().window)
        return;
    m_windows.push_back(window);
    if (m_windows.size() > maxWindows)
        m_windows.pop_front();
}

void RecentWindows::add(const MicroStepRecord& microStep) {
    if (!m_microSteps.empty() && placeOf(microStep) <= placeOf(m_microSteps.back()))
        return;
    m_microSteps.push_back(microStep);
    while (m_microSteps.front().window <= microStep.window - maxProbed)
        m_microSteps.pop_front();
}

void RecentWindows::truncate(std::int64_t last) {
    std::erase_if(m_windows, [last](const WindowRecord& window) { return window.window > last; });
    std::erase_if(m_microSteps, [last](const MicroStepRecord& record) { return record.window > last; });
}

void RecentWindows::append(const RecentWindows& later) {
    for (const WindowRecord& window : later.m_windows)
        add(window);
    for (const MicroStepRecord& record : later.m_microSteps)
        add(record);
}

WindowCost RecentWindows::cost() const {
    WindowCost cost;
    for (const WindowRecord& window : m_windows) {
        cost.data += window.dataSeconds;
        cost.forward += window.forwardSeconds;
        cost.backward += window.backwardSeconds;
        cost.commit += window.commitSeconds;
        cost.update += window.updateSeconds;
        cost.whole += window.seconds;
        if (!window.ranks.empty()) {
            cost.waiting += window.ranks.front().waitingSeconds;
            cost.reducing += window.ranks.front().reducingSeconds;
        }
        cost.peakBytes = std::max(cost.peakBytes, window.peakBytes);
        cost.lossScale = window.lossScale;
    }
    cost.windows = m_windows.size();
    if (cost.windows > 0)
        for (double* mean : {&cost.data, &cost.forward, &cost.backward, &cost.commit, &cost.waiting, &cost.reducing,
                             &cost.update, &cost.whole})
            *mean /= static_cast<double>(cost.windows);
    return cost;
}

RankTotals RecentWindows::rankTotals() const {
    RankTotals totals;
    if (m_windows.empty() || m_windows.back().ranks.empty())
        return totals;
    for (const WindowRecord& window : m_windows)
        totals.add(window);
    return totals;
}

std::vector<ProbedWindow> RecentWindows::probedWindows() const {
    std::vector<ProbedWindow> windows;
    for (const MicroStepRecord& record : m_microSteps) {
        if (windows.empty() || windows.back().window != record.window)
            windows.push_back({record.window, {}, {}});
        ProbedWindow& window = windows.back();
        // A closed window says how many micro-steps it had; what comes after them is the update.
        const auto closed = std::ranges::find(m_windows, record.window, &WindowRecord::window);
        if (closed != m_windows.end() && record.microStep >= closed->microSteps)
            window.updated = record;
        else
            window.microSteps.push_back(record);
    }
    return windows;
}

} // namespace accumulus::ui
