// SPDX-License-Identifier: GPL-3.0-or-later
// Writing to the library. Owned by one thread (the recorder's, or a command's). Every function is one transaction
// unless it says otherwise. Errors: "library.locked", "library.disk-full", "library.write" (disk or memory; trying
// again may help), "library.refused" (trying again does not help), "library.corrupt", "library.no-run", and
// "run.taken-over" for what a run measures. A failed call changes nothing.
#pragma once

#include "core/store/library.h"
#include "core/store/run_records.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace accumulus {

class RunStore {
public:
    explicit RunStore(Library library);
    RunStore(RunStore&&) noexcept;
    RunStore& operator=(RunStore&&) noexcept;
    ~RunStore();

    [[nodiscard]] Library& library();

    [[nodiscard]] Status addStudy(const StudyRecord& study);
    /// Of a run that was imported. One that is known stays as it is, unless only its runs were known: that one has no
    /// createdAt, and gives way.
    [[nodiscard]] Status takeStudy(const StudyRecord& study);
    [[nodiscard]] Status addRun(const RunRecord& run);
    /// Writes everything that is known only once a run has started: resolved batch, lanes, threads, environment, sizes,
    /// attempt, startedAt, owner.
    [[nodiscard]] Status updateStarted(const RunRecord& run);
    /// Also a sign of life when `state` is an active one; then what an earlier attempt left (finish time) is forgotten.
    /// Why it failed is forgotten in any state. A run that is neither queued nor active has no owner any more.
    [[nodiscard]] Status setState(const std::string& run, RunState state);
    [[nodiscard]] Status heartbeat(const std::string& run, double now);
    /// The right to write a run, taken in one transaction before anything is loaded. The run is in state starting then
    /// and belongs to `owner`; nothing else of it has changed. Returns the state it was in, interrupted for one that
    /// was abandoned. From now on, and after addRun with an owner that has a claim, this store writes what the run
    /// measures only as long as nobody else has claimed the run: else "run.taken-over". Errors "run.busy" (its process
    /// lives), "run.elsewhere" (it may live on another computer, and not `takeOver`), "run.not-resumable",
    /// "run.is-imported", "run.in-trash".
    [[nodiscard]] Result<RunState> claim(const std::string& run, const RunOwner& owner, double now,
                                         bool takeOver = false);
    /// Undoes a claim, from any store. Nothing happens when the run was claimed by another owner meanwhile.
    [[nodiscard]] Status giveBack(const std::string& run, const RunOwner& owner, RunState before);
    [[nodiscard]] Status finishRun(const std::string& run, RunState state, const RunSummary& summary, double finishedAt,
                                   const std::string& error = {},
                                   const std::optional<Error>& errorMessage = std::nullopt);

    /// Measured rows of one run and attempt. Many rows a transaction. Windows come with the rows of their ranks and
    /// bring the run's counters, training loss, speed and peak memory up to date, and evaluations its metrics, so that
    /// a listing shows progress and a killed run says the same as one that came to its end there.
    [[nodiscard]] Status addWindows(const std::string& run, std::int64_t attempt,
                                    std::span<const WindowRecord> windows);
    /// Rows of the parameter probe.
    [[nodiscard]] Status addMicroSteps(const std::string& run, std::int64_t attempt,
                                       std::span<const MicroStepRecord> microSteps);
    [[nodiscard]] Status addEvaluations(const std::string& run, std::int64_t attempt,
                                        std::span<const EvaluationRecord> evaluations);
    [[nodiscard]] Status addEvents(const std::string& run, std::span<const EventRecord> events);
    [[nodiscard]] Status addCheckpoint(const std::string& run, const CheckpointRecord& checkpoint);
    /// Forgets the row; the files are the caller's. The run's last checkpoint is the newest one that is left. No row
    /// is no error.
    [[nodiscard]] Status removeCheckpoint(const std::string& run, const std::string& weightsPath);

    /// A resume at `afterWindow` windows: rows beyond it are marked superseded; evaluations likewise. Resume bundles
    /// beyond it are forgotten: nothing can go on from them any more. The summary goes back to that point. Call it
    /// before the first row of the new attempt.
    [[nodiscard]] Status supersede(const std::string& run, std::int64_t afterWindow, std::int64_t afterUpdate);
    /// Queued and active runs that are abandoned (isAbandoned) become interrupted. Returns their ids, oldest first.
    /// Interrupted runs are Stopped, others stay what they are: meanwhile they may have gone on.
    [[nodiscard]] Status giveUp(const std::vector<std::string>& runs);
    [[nodiscard]] Result<std::vector<std::string>> markInterrupted(double now, double stale = staleSeconds);

    [[nodiscard]] Status addLaunch(const LaunchRecord& launch);
    /// Everything that changes while it is followed: study, files, readBytes, follower, endedAt. Written in one
    /// transaction with the events that were read, so that none is missed or written twice.
    [[nodiscard]] Status updateLaunch(const LaunchRecord& launch);
    /// The right to follow a launch. Error "launch.busy": another process follows it.
    [[nodiscard]] Status claimLaunch(const std::string& launch, const RunOwner& follower);

    /// In place of the queue that was there.
    [[nodiscard]] Status putQueue(std::span<const QueueRecord> queue);

    [[nodiscard]] Status addAudit(const AuditRecord& audit);
    /// In place of the plan of that key, if there is one.
    [[nodiscard]] Status putPlan(const PlanRecord& plan);

    /// To and from the trash; running and protected runs are refused ("library.run-active", "library.run-protected").
    [[nodiscard]] Status moveToTrash(std::span<const std::string> runs, double now);
    [[nodiscard]] Status restoreFromTrash(std::span<const std::string> runs);
    struct EmptiedTrash {
        std::int64_t removed = 0;
        std::vector<Error> problems{}; ///< "library.files", one for each folder that stays
    };
    /// Final. Removes trashed runs, of all or of those that were trashed before a time, with their rows, each by
    /// itself, studies that have no run left, and after each commit the run's folder: files that cannot be removed stay
    /// until the trash is emptied again and hold up nothing else. An error only where the library itself fails.
    [[nodiscard]] Result<EmptiedTrash> emptyTrash(std::optional<double> trashedBefore = std::nullopt);
    /// Of these runs only.
    [[nodiscard]] Result<EmptiedTrash> emptyTrash(std::span<const std::string> runs);

    /// Kept sorted, each once.
    [[nodiscard]] Status setTags(const std::string& run, const std::vector<std::string>& tags);
    [[nodiscard]] Status setNotes(const std::string& run, const std::string& notes);
    [[nodiscard]] Status rename(const std::string& run, const std::string& name);
    [[nodiscard]] Status setColor(const std::string& run, const std::string& color); ///< "#rrggbb"; empty: none
    [[nodiscard]] Status setProtected(const std::string& run, bool isProtected);
    /// Something about the library as a whole, such as its baseline; empty: forgotten.
    [[nodiscard]] Status putNote(const std::string& key, const std::string& value);

    /// Several calls as one transaction: begin, ..., commit. The recorder's batches. A call that fails in between
    /// leaves out only itself; when SQLite had to give up the whole batch (full disk), every further call and commit
    /// say so with "library.write".
    [[nodiscard]] Status begin();
    [[nodiscard]] Status commit();
    void rollback(); ///< nothing where no batch is open

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace accumulus
