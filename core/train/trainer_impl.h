// SPDX-License-Identifier: GPL-3.0-or-later
// Trainer's inside, shared by trainer.cpp (the loop) and trainer_checkpoints.cpp. Not for others.
#pragma once

#include "core/base/clock.h"
#include "core/cuda/device.h"
#include "core/engine/window_engine.h"
#include "core/model/model.h"
#include "core/train/checkpoint.h"
#include "core/train/evaluator.h"
#include "core/train/trainer.h"
#include "core/window/flat_optimizer.h"
#include "core/window/gradient_window.h"

#include <ATen/core/Tensor.h>
#include <atomic>
#include <deque>
#include <exception>
#include <stdexcept>

namespace accumulus {

/// In the words of the catalogue.
[[nodiscard]] Error errorOf(const std::exception_ptr& problem);

/// device.capture = "on" where a micro-step cannot be recorded.
class UnusableGraph : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

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
    /// On the thread and in the scope of `stream`.
    Impl(TrainerSetup setup, std::shared_ptr<const Model> model, BatchPlan batch, DeviceChoice choice,
         gpu::WorkStream stream);

    // trainer.cpp
    TrainingEnd train(TrainingObserver& observer);
    enum class Step { Continue, Ended, Stopped };
    Status afterWindow(TrainingObserver& observer, const TrainingProgress& before);
    double learningRate(std::int64_t update) const;
    bool lengthReached() const;
    RunSummary summary() const;
    std::string hashWeights() const {
        return weightsHash(m_model->layout(), m_parameters, m_model->buffers(), m_statistics.flat());
    }

    // trainer_window.cpp
    Result<Step> trainWindow(TrainingObserver& observer);
    WindowReport accumulate(TrainingObserver& observer, const WindowPlan& plan);
    Result<Step> closeWindow(TrainingObserver& observer, const WindowPlan& plan, const WindowReport& report,
                             double seconds);
    std::optional<Error> applyUpdate(const WindowGradient& gradient, const WindowReport& report, WindowRecord& record);
    void optimizerUpdate(const WindowRecord& record);
    void injectUpdateFault(std::int64_t window) const;
    enum class Closed { Done, Again };
    Closed closeOnDevice(WindowOptions& options, WindowReport& report);
    Status checkGraph(TrainingObserver& observer);
    void noteRecoveries(TrainingObserver& observer, const WindowReport& report, std::int64_t partBefore);
    void applyMicroRequest();
    void probeGradient(const WindowRecord& record) const;
    void probeParameter(std::int64_t window, std::int64_t microStep);

    // trainer_checkpoints.cpp
    Status evaluateAndTell(TrainingObserver& observer);
    EvaluationRecord evaluateSplit(const std::string& split);
    Status saveCheckpoint(TrainingObserver& observer, CheckpointKind kind);
    Status saveInitial(TrainingObserver& observer);
    Status forgetOldCheckpoints(TrainingObserver& observer);

    // trainer_device.cpp
    void prepareDevice(const BatchPlan& batch);
    [[nodiscard]] SumPlace sumPlace(const BatchPlan& batch) const;
    [[nodiscard]] std::int64_t peakBytes() const;

    TrainerSetup m_setup;
    DeviceChoice m_choice;
    at::Device m_device;
    gpu::WorkStream m_stream;
    std::shared_ptr<const Model> m_model;
    at::Tensor m_parameters; ///< flat
    RunningStatistics m_statistics;
    LossScaler m_scaler;
    WindowPlanner m_planner;
    GradientWindow m_window;
    FlatOptimizer m_optimizer;
    WindowEngine m_engine;
    // Deferred:
    std::unique_ptr<ResidentData> m_resident;
    std::unique_ptr<DeviceUpdate> m_update;
    std::optional<WindowGradient> m_closed; ///< the window that accumulate() has closed
    bool m_graphProblemNoted = false;
    std::int64_t m_totalUpdates = 0;
    std::int64_t m_warmupUpdates = 0;
    std::int64_t m_decayEveryUpdates = 0;
    std::int64_t m_block = 0; ///< tokens of a sample; 0 for images
    std::atomic<std::int64_t> m_requestedMicro = 0;
    std::optional<std::size_t> m_probedParameter;
    std::vector<MicroStepRecord> m_probed; ///< of the open window, in commit order
    [[nodiscard]] gpu::WorkStream::Scope scope() const { return gpu::WorkStream::Scope(m_stream); }
    TrainingState state() {
        return {m_model->layout(), m_parameters, m_model->buffers(), m_statistics, m_optimizer, m_window, m_scaler};
    }

    TrainingProgress m_progress;
    TrainingProgress m_started; ///< at the start of this process
    std::optional<EvaluationRecord> m_lastTest;
    std::optional<double> m_lastLoss;
    std::optional<CheckpointRecord> m_lastCheckpoint;
    std::deque<CheckpointRecord> m_periodic; ///< oldest first
    std::optional<CheckpointRecord> m_best;
};

} // namespace accumulus
