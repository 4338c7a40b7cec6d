// SPDX-License-Identifier: GPL-3.0-or-later
// What the status bar says about the study in progress, gathered from its events: counters of the current run, share of
// the study done, remaining time as a range, speed. Plain arithmetic on events; GUI thread.
#pragma once

#include "core/run/run_events.h"

#include <QStringList>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace accumulus::ui {

class RunProgress {
public:
    struct Range {
        double shortest = 0.0, longest = 0.0; ///< seconds
    };
    /// Of the run that runs now, or of the last one.
    struct Counters {
        std::int64_t updates = 0, samples = 0, totalUpdates = 0;
        std::optional<std::int64_t> microSteps = 0; ///< empty after a resume behind lost windows, until the run ends
    };

    void take(const std::vector<RunEvent>& events);
    /// Runs of a study go on: all of its runs in their order, and those that will go on.
    void resume(const std::vector<RunRecord>& runs, const QStringList& resumed);

    [[nodiscard]] const Counters& counters() const { return m_counters; }
    [[nodiscard]] std::size_t runCount() const { return m_runs.size(); }
    [[nodiscard]] std::size_t finishedRuns() const;
    /// Of the current run among those of the study, from 1; before the first the one that comes next.
    [[nodiscard]] std::size_t currentNumber() const;
    /// Updates made over updates planned, all runs of the study: 0 to 1.
    [[nodiscard]] double fraction() const;
    /// Training samples a second over the last windows; 0 before the first.
    [[nodiscard]] double samplesPerSecond() const;
    /// Peak tensor memory of training of the current run so far; 0 before the first window.
    [[nodiscard]] std::int64_t peakBytes() const { return m_peakBytes; }
    /// Remaining time of the study, or of those of its runs that go on, without pauses. Empty before 20 updates of this
    /// run: an estimate would be a guess.
    [[nodiscard]] std::optional<Range> remaining() const;
    /// The same as it was at the run's last whole second: whoever shows it shows the same, and it can be read.
    [[nodiscard]] std::optional<Range> shownRemaining() const { return m_shown; }

private:
    struct Planned {
        std::string id;
        Arm arm = Arm::Accumulated;
        std::int64_t updates = 0; ///< made
        std::int64_t total = 0;   ///< planned; 0 while unknown
        bool finished = false;
        bool awaited = true; ///< is to be trained now
    };
    struct Recent {
        double clock = 0.0; ///< wall time without pauses
        double seconds = 0.0;
        std::int64_t samples = 0; ///< of the window
    };

    void handle(const StudyStarted& event);
    void handle(const RunStarted& event);
    void handle(const RunStateChanged& event);
    void handle(const WindowClosed& event);
    void handle(const RunFinished& event);
    template <class Other>
    void handle(const Other&) {}
    Planned* find(const std::string& run);
    [[nodiscard]] std::int64_t remainingUpdates(Arm arm) const;

    std::vector<Planned> m_runs;
    std::string m_current;
    Counters m_counters;
    std::int64_t m_peakBytes = 0;
    std::int64_t m_updatesHere = 0;            ///< of the current run in this process
    std::optional<std::int64_t> m_lastSamples; ///< samples seen after the window before
    std::deque<Recent> m_recent;               ///< newest windows of the current run
    double m_lastWallTime = 0.0;
    std::optional<Range> m_shown;
    double m_shownSecond = 0.0;
    double m_pausedSeconds = 0.0;             ///< of the current run
    bool m_paused = false;                    ///< since its last window
    std::map<Arm, double> m_secondsPerUpdate; ///< of runs that have finished, wall time
};

} // namespace accumulus::ui
