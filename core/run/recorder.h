// SPDX-License-Identifier: GPL-3.0-or-later
// The only writer of a running study: a thread that drains a bounded queue of events into the library, one transaction
// per 250 ms or 500 rows, and hands each batch on after its commit. It never drops an event: when it lags, post() waits
// and counts the wait. When the library cannot be written for now (full disk, lock) it says so, keeps the batch and
// tries again every second, which pauses training once the queue is full; the batch is lost only when it is given up.
// Where trying again does not help (a constraint, a damaged file, a run that is gone or belongs to another process) it
// writes what comes before, says so and ends.
#pragma once

#include "core/base/result.h"
#include "core/run/run_events.h"
#include "core/store/run_store.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

namespace accumulus {

/// Disk, memory and locks may become free; whatever else SQLite says stays as it is.
[[nodiscard]] bool mayPass(const Error& error);

class Recorder {
public:
    /// `givesUp` is asked after each attempt to write that failed, on the recorder's thread: true gives the batch up.
    Recorder(RunStore store, RunEventReceiver receive, std::function<bool()> givesUp = {});
    ~Recorder(); ///< writes what is left
    Recorder(const Recorder&) = delete;
    Recorder& operator=(const Recorder&) = delete;

    /// Any thread. Blocks while the queue is full; fails once writing has been given up.
    [[nodiscard]] Status post(RunEvent event);
    /// Events that were read from a launch's journal, and how far it has been read with them: in one transaction.
    [[nodiscard]] Status post(std::vector<RunEvent> events, LaunchRecord launch);
    /// Waits until everything posted so far is in the library and was published.
    [[nodiscard]] Status flush();
    /// A batch that cannot be written is given up instead of being tried again (the person wants to stop).
    void giveUpOnFailure();
    /// Gives signs of life of a run that this process has claimed, from now on until it is posted that the run ended.
    /// `attempt`: which one its next rows belong to, unless it is posted that the run starts.
    void keepAlive(const std::string& run, std::int64_t attempt);
    /// Why nothing is written any more; nothing while it is.
    [[nodiscard]] std::optional<Error> problem() const;
    /// Seconds for which post() has waited.
    [[nodiscard]] double waitSeconds() const;

private:
    /// What is written in one transaction.
    struct Batch {
        std::vector<RunEvent> events;
        std::optional<LaunchRecord> launch;
    };

    [[nodiscard]] Status push(std::span<RunEvent> events, std::optional<LaunchRecord> launch);
    [[nodiscard]] bool hasWork() const { return !m_queue.empty() || m_launch; }
    void loop();
    [[nodiscard]] Status write(const Batch& batch);
    [[nodiscard]] Status writeEvent(const RunEvent& event);
    [[nodiscard]] Status writeNote(const RunNoted& noted);
    [[nodiscard]] double finishTime(const std::string& run) const;
    [[nodiscard]] Status writeRows();
    void writeHeartbeats();
    [[nodiscard]] Status heartbeatAll(double now);
    [[nodiscard]] bool writeUntilDone(Batch& batch);
    void tell(const Error& error, const std::string& consequence);

    RunStore m_store;
    RunEventReceiver m_receive;
    std::function<bool()> m_givesUp;

    mutable std::mutex m_mutex;
    std::condition_variable m_posted;  ///< queue has grown, or the end is asked
    std::condition_variable m_drained; ///< queue has shrunk, or a batch is done
    std::deque<RunEvent> m_queue;
    std::optional<LaunchRecord> m_launch; ///< as it stands after what is queued
    std::uint64_t m_postedCount = 0;
    std::uint64_t m_doneCount = 0;
    bool m_quit = false;
    bool m_hurry = false; ///< somebody waits in flush()
    bool m_giveUp = false;
    std::map<std::string, std::int64_t> m_claimed; ///< by keepAlive, not yet in m_alive and m_attempts
    double m_waitSeconds = 0.0;
    std::optional<Error> m_error;

    // Recorder thread only.
    std::map<std::string, std::int64_t> m_attempts;
    std::map<std::string, double> m_lastTimes; ///< by run, of its last window or evaluation
    bool m_isJournal = false;                  ///< of the batch that is written
    std::string m_activeRun;
    std::set<std::string> m_alive; ///< queued or active
    double m_lastHeartbeat = 0.0;
    std::string m_rowsRun;
    std::vector<WindowRecord> m_rows; ///< of m_rowsRun, not yet inserted in this transaction
    std::size_t m_written = 0;        ///< events of the batch before these rows

    std::thread m_thread;
};

} // namespace accumulus
