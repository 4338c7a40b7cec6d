// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/run_progress.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

namespace accumulus::ui {
namespace {
constexpr std::size_t recentWindows = 200;
constexpr std::size_t blocks = 5; // the range of the remaining time is that of the block means
constexpr std::int64_t updatesBeforeEstimate = 20;
} // namespace

void RunProgress::take(const std::vector<RunEvent>& events) {
    for (const RunEvent& event : events)
        std::visit([this](const auto& happened) { handle(happened); }, event);
}

RunProgress::Planned* RunProgress::find(const std::string& run) {
    const auto found = std::ranges::find(m_runs, run, &Planned::id);
    return found == m_runs.end() ? nullptr : &*found;
}

void RunProgress::resume(const std::vector<RunRecord>& runs, const QStringList& resumed) {
    *this = RunProgress();
    for (const RunRecord& run : runs) {
        Planned& planned = m_runs.emplace_back();
        planned.id = run.id;
        planned.arm = run.arm;
        planned.updates = run.summary.updates;
        planned.total = run.totalUpdates;
        planned.finished = run.state == RunState::Completed;
        planned.awaited = resumed.contains(QString::fromStdString(run.id));
        if (planned.finished && run.summary.updates > 0)
            m_secondsPerUpdate[run.arm] = run.summary.activeSeconds / static_cast<double>(run.summary.updates);
    }
}

void RunProgress::handle(const StudyStarted& event) {
    *this = RunProgress();
    for (const RunRecord& run : event.runs)
        m_runs.push_back({run.id, run.arm, 0, run.totalUpdates, false});
}

void RunProgress::handle(const RunStarted& event) {
    Planned* known = find(event.run.id);
    if (!known) { // of a study that is not known
        *this = RunProgress();
        m_runs.push_back({event.run.id, event.run.arm, 0, 0, false});
        known = &m_runs.back();
    }
    const RunSummary& before = event.run.summary;
    known->total = event.run.totalUpdates;
    known->updates = event.resumed ? event.updatesDone : before.updates;
    // Planned runs of the same arm are as long until their own start says otherwise.
    for (Planned& other : m_runs)
        if (other.total == 0 && other.arm == known->arm)
            other.total = known->total;
    m_current = event.run.id;
    m_counters = {known->updates, before.samples, event.run.totalUpdates, before.microSteps};
    // The library may have counted windows that a crash took from the checkpoint.
    if (known->updates != before.updates)
        m_counters.microSteps.reset();
    m_updatesHere = 0;
    m_peakBytes = 0;
    m_shown.reset();
    m_lastSamples.reset();
    if (known->updates == before.updates)
        m_lastSamples = before.samples;
    m_recent.clear();
    m_pausedSeconds = 0.0;
    m_paused = false;
}

void RunProgress::handle(const RunStateChanged& event) {
    if (event.run == m_current && event.state == RunState::Paused)
        m_paused = true;
}

void RunProgress::handle(const WindowClosed& event) {
    if (event.run != m_current)
        return;
    const WindowRecord& window = event.window;
    if (m_counters.microSteps)
        *m_counters.microSteps += window.microSteps;
    m_counters.samples = window.samples;
    m_peakBytes = window.peakBytes;
    if (window.update) {
        m_counters.updates = *window.update;
        ++m_updatesHere;
    }
    if (Planned* run = find(event.run))
        run->updates = m_counters.updates;
    // All that passed beyond the window's own time is taken for the pause.
    if (m_paused && !m_recent.empty())
        m_pausedSeconds += std::max(0.0, window.wallTime - m_lastWallTime - window.seconds);
    m_paused = false;
    m_lastWallTime = window.wallTime;
    // How many samples the first window after lost ones has is not known: its units may be tokens or weights.
    if (m_lastSamples)
        m_recent.push_back({window.wallTime - m_pausedSeconds, window.seconds, window.samples - *m_lastSamples});
    m_lastSamples = window.samples;
    if (m_recent.size() > recentWindows)
        m_recent.pop_front();
    if (const double second = std::floor(window.wallTime); !m_shown || second != m_shownSecond) {
        m_shown = remaining();
        m_shownSecond = second;
    }
}

void RunProgress::handle(const RunFinished& event) {
    if (Planned* run = find(event.run)) {
        run->finished = true;
        run->updates = event.summary.updates;
        if (event.summary.updates > 0)
            m_secondsPerUpdate[run->arm] = event.summary.activeSeconds / static_cast<double>(event.summary.updates);
    }
    if (event.run == m_current) {
        m_counters.updates = event.summary.updates;
        m_counters.microSteps = event.summary.microSteps;
        m_counters.samples = event.summary.samples;
    }
}

std::size_t RunProgress::finishedRuns() const {
    return static_cast<std::size_t>(std::ranges::count(m_runs, true, &Planned::finished));
}

std::size_t RunProgress::currentNumber() const {
    const auto current = std::ranges::find(m_runs, m_current, &Planned::id);
    const auto place = static_cast<std::size_t>(current - m_runs.begin());
    return std::min(current == m_runs.end() ? finishedRuns() + 1 : place + 1, m_runs.size());
}

double RunProgress::fraction() const {
    std::int64_t longest = 0;
    for (const Planned& run : m_runs)
        longest = std::max(longest, run.total);
    double done = 0.0;
    double all = 0.0;
    for (const Planned& run : m_runs) {
        const auto total = static_cast<double>(run.total > 0 ? run.total : longest);
        all += total;
        done += run.finished ? total : std::min(static_cast<double>(run.updates), total);
    }
    return all > 0.0 ? done / all : 0.0;
}

double RunProgress::samplesPerSecond() const {
    double seconds = 0.0;
    std::int64_t samples = 0;
    for (const Recent& window : m_recent) {
        seconds += window.seconds;
        samples += window.samples;
    }
    return seconds > 0.0 ? static_cast<double>(samples) / seconds : 0.0;
}

std::int64_t RunProgress::remainingUpdates(Arm arm) const {
    std::int64_t longest = 0;
    for (const Planned& run : m_runs)
        longest = std::max(longest, run.total);
    std::int64_t updates = 0;
    for (const Planned& run : m_runs)
        if (run.arm == arm && !run.finished && run.awaited)
            updates += std::max<std::int64_t>(0, (run.total > 0 ? run.total : longest) - run.updates);
    return updates;
}

std::optional<RunProgress::Range> RunProgress::remaining() const {
    if (m_updatesHere < updatesBeforeEstimate || m_recent.size() < 2 * blocks)
        return {};
    double fastest = std::numeric_limits<double>::infinity();
    double slowest = 0.0;
    for (std::size_t block = 0; block < blocks; ++block) {
        const std::size_t first = block * m_recent.size() / blocks;
        const std::size_t last = (block + 1) * m_recent.size() / blocks - 1;
        const double seconds = (m_recent[last].clock - m_recent[first].clock) / static_cast<double>(last - first);
        fastest = std::min(fastest, seconds);
        slowest = std::max(slowest, seconds);
    }
    const auto current = std::ranges::find(m_runs, m_current, &Planned::id);
    const Arm here = current == m_runs.end() ? Arm::Accumulated : current->arm;
    const Arm other = here == Arm::Accumulated ? Arm::LargeBatch : Arm::Accumulated;
    const auto hereUpdates = static_cast<double>(remainingUpdates(here));
    const auto otherUpdates = static_cast<double>(remainingUpdates(other));
    // The other arm at its own measured speed once one of its runs has finished, before that at this one's.
    const auto known = m_secondsPerUpdate.find(other);
    const double otherFastest = known == m_secondsPerUpdate.end() ? fastest : known->second;
    const double otherSlowest = known == m_secondsPerUpdate.end() ? slowest : known->second;
    return Range{hereUpdates * fastest + otherUpdates * otherFastest,
                 hereUpdates * slowest + otherUpdates * otherSlowest};
}

} // namespace accumulus::ui
