// SPDX-License-Identifier: GPL-3.0-or-later
// Trainer's inside, shared by trainer.cpp (the loop) and trainer_checkpoints.cpp. Not for others.
#pragma once

#include "core/base/clock.h"
#include "core/model/model.h"
#include "core/train/checkpoint.h"
#include "core/train/evaluator.h"
#include "core/train/flat_optimizer.h"
#include "core/train/gradient_window.h"
#include "core/train/trainer.h"
#include "core/train/window_engine.h"

#include <ATen/core/Tensor.h>
#include <deque>

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

struct Trainer::Impl {
    Impl(TrainerSetup setup, std::shared_ptr<const Model> model, BatchPlan batch);

    // trainer.cpp
    TrainingEnd train(TrainingObserver& observer);
    enum class Step { Continue, Ended, Stopped };
    Result<Step> trainWindow(TrainingObserver& observer);
    Result<Step> closeWindow(TrainingObserver& observer, const WindowPlan& plan, double seconds);
    Status afterWindow(TrainingObserver& observer, const TrainingProgress& before);
    double learningRate(std::int64_t update) const;
    bool lengthReached() const;
    void applyMicroRequest();
    void probeGradient(const WindowRecord& record) const;
    RunSummary summary() const;

    // trainer_checkpoints.cpp
    Status evaluateAndTell(TrainingObserver& observer);
    EvaluationRecord evaluateSplit(const std::string& split);
    Status saveCheckpoint(TrainingObserver& observer, CheckpointKind kind);
    Status saveInitial(TrainingObserver& observer);
    Status forgetOldCheckpoints(TrainingObserver& observer);

    TrainerSetup m_setup;
    std::shared_ptr<const Model> m_model;
    at::Tensor m_parameters; ///< flat
    WindowPlanner m_planner;
    GradientWindow m_window;
    FlatOptimizer m_optimizer;
    WindowEngine m_engine;
    std::int64_t m_totalUpdates = 0;
    std::int64_t m_warmupUpdates = 0;
    std::int64_t m_decayEveryUpdates = 0;
    std::int64_t m_requestedMicro = 0;

    TrainingProgress m_progress;
    TrainingProgress m_started; ///< at the start of this process
    std::optional<EvaluationRecord> m_lastTest;
    std::optional<double> m_lastLoss;
    std::optional<CheckpointRecord> m_lastCheckpoint;
    std::deque<CheckpointRecord> m_periodic; ///< oldest first
    std::optional<CheckpointRecord> m_best;
};

} // namespace accumulus
