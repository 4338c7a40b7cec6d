// SPDX-License-Identifier: GPL-3.0-or-later
// Trainer's inside, shared by trainer.cpp (creation and the public face), trainer_loop.cpp (the loop),
// trainer_notes.cpp and trainer_checkpoints.cpp. Not for others.
#pragma once

#include "core/engine/engine.h"
#include "core/train/checkpoint.h"
#include "core/train/evaluator.h"
#include "core/train/trainer.h"
#include "core/train/windows_ahead.h"

namespace accumulus {

/// Fires when an extent has passed: every N updates, samples or epochs.
class Interval {
public:
    explicit Interval(Extent every) : m_every(every) {}
    /// Has a multiple of the extent been reached between the two states of progress?
    [[nodiscard]] bool passed(const TrainingProgress& before, const TrainingProgress& after) const;

private:
    Extent m_every;
};

/// Lengths of a run, all in updates.
struct UpdateCounts {
    std::int64_t total = 0;
    std::int64_t warmup = 0;
    std::int64_t decayEvery = 0;
};

struct Trainer::Impl {
    /// On the thread and in the scope of `stream`.
    Impl(TrainerSetup setup, std::shared_ptr<const Model> model, const BatchPlan& batch, DeviceChoice choice,
         gpu::WorkStream stream);

    // trainer.cpp
    [[nodiscard]] RunSummary summary() const;
    [[nodiscard]] std::string hashWeights() const;
    [[nodiscard]] double learningRate(std::int64_t update) const;
    [[nodiscard]] bool lengthReached() const;
    [[nodiscard]] std::optional<WindowPlan> nextPlan();

    // trainer_loop.cpp
    enum class Loop { Continue, Ended, Stopped };
    TrainingEnd train(TrainingObserver& observer);
    Result<Loop> trainWindow(TrainingObserver& observer);
    [[nodiscard]] TrainingObserver::Wish wishOfAll(TrainingObserver& observer);
    [[nodiscard]] Status endTogether(TrainingObserver& observer, Status status);
    Status tellProbes(TrainingObserver& observer);
    Result<WindowOutcome> compute(TrainingObserver& observer, const WindowPlan& plan);
    void beginProgress(TrainingObserver& observer, const WindowPlan& plan);
    Result<Loop> stopInMidWindow(TrainingObserver& observer, const WindowOutcome& outcome, double seconds);
    [[nodiscard]] WindowRecord describe(const WindowPlan& plan, const WindowOutcome& outcome);
    Status applyUpdate(const WindowPlan& plan, const WindowGradient& gradient, const WindowOutcome& outcome,
                       WindowRecord& record);
    [[nodiscard]] std::vector<RankTimes> timesOfRanks(const WindowRecord& record, const Accumulated& accumulated,
                                                      double pausedSeconds);
    Status tell(TrainingObserver& observer, const WindowOutcome& outcome, WindowRecord& record, double seconds,
                bool lost);
    void leaveRanks(const Error& error);
    void noteRecoveries(TrainingObserver& observer, const Recovery::Report& report);
    void noteGraphProblem(TrainingObserver& observer);
    void noteExchange(TrainingObserver& observer);
    void advance(const WindowPlan& plan);
    void probeGradient(const WindowRecord& record) const;
    void probeParameter(std::int64_t window, std::int64_t microStep);

    // trainer_notes.cpp
    [[nodiscard]] Error brokenDown(const WindowOutcome& outcome) const; ///< by values that are not finite
    [[nodiscard]] Error allSkipped(const WindowOutcome& outcome) const; ///< too many windows in a row
    void noteNonfinite(TrainingObserver& observer, const WindowRecord& record, const WindowOutcome& outcome);

    // trainer_checkpoints.cpp
    Status evaluateAndTell(TrainingObserver& observer);
    EvaluationRecord evaluateSplit(const std::string& split, const EvaluationWatch& watch = {});
    Status saveCheckpoint(TrainingObserver& observer, CheckpointKind kind);
    Status saveInitial(TrainingObserver& observer);
    Result<std::int64_t> writeCheckpoint(const CheckpointRecord& record, const GatheredState* gathered);
    Result<std::int64_t> writeOnFirst(TrainingObserver& observer, const CheckpointRecord& record);
    Status checkSameWeights(const std::string& hash);
    [[nodiscard]] Communicator* ranks() const { return m_engine.ranks(); }
    [[nodiscard]] bool ranksLeft() const { return m_left; }
    [[nodiscard]] bool writes() const { return !ranks() || ranks()->rank() == 0; }

    [[nodiscard]] gpu::WorkStream::Scope scope() const { return gpu::WorkStream::Scope(m_stream); }
    [[nodiscard]] TrainingState state();
    [[nodiscard]] std::int64_t peakBytes() const; ///< of training: evaluations have a peak of their own

    // What it was told.
    TrainerSetup m_setup;
    DeviceChoice m_choice;
    gpu::WorkStream m_stream;
    // What trains.
    WindowPlanner m_planner;
    Engine m_engine;
    UpdateCounts m_counts;
    // How far it is.
    TrainingProgress m_progress;
    std::optional<EvaluationRecord> m_lastTest, m_lastValidation;
    std::optional<double> m_lastLoss;
    std::optional<CheckpointRecord> m_lastCheckpoint;
    std::int64_t m_peakBefore = 0; ///< of training until the last evaluation
    std::int64_t m_evaluationPeak = 0;
    // Beside the loop.
    std::unique_ptr<WindowsAhead> m_windowsAhead; ///< null where the data are in memory
    Communicator::Traffic m_trafficBefore;        ///< when the window began
    std::optional<std::size_t> m_probedParameter;
    std::vector<MicroStepRecord> m_probed; ///< of the open window, in commit order
    WindowProgress m_open;                 ///< told while a window is computed
    bool m_graphProblemNoted = false;
    bool m_exchangeNoted = false;
    int m_leftOutNotes = 0;
    bool m_failedTogether = false; ///< on all ranks alike
    bool m_left = false;           ///< the others
    std::int64_t m_notedPart = 0;  ///< largest part that was told of
};

} // namespace accumulus
