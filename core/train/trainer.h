// SPDX-License-Identifier: GPL-3.0-or-later
// One run: windows, updates, evaluations, checkpoints. The header is free of torch. train() blocks the calling thread,
// which becomes lane 0; the observer is called on it, except proceed(), which every lane calls.
#pragma once

#include "core/base/result.h"
#include "core/base/training_records.h"
#include "core/config/batch_plan.h"
#include "core/config/experiment_config.h"
#include "core/data/dataset.h"
#include "core/engine/device_choice.h"
#include "core/engine/fault_injection.h"
#include "core/window/planted_bug.h"

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace accumulus {

class Model;

/// What the world wants of a run, and what it is told.
class TrainingObserver {
public:
    enum class Wish { GoOn, Stop, StopNow };
    virtual ~TrainingObserver() = default;

    /// Asked between micro-steps, by any lane. Blocks while the run is paused.
    [[nodiscard]] virtual Wish proceed() = 0;
    /// Seconds spent blocked in proceed() by the run so far; taken off the active time.
    [[nodiscard]] virtual double pausedSeconds() const = 0;

    /// An error from any of these ends the run with it.
    [[nodiscard]] virtual Status windowClosed(const WindowRecord& window) = 0;
    /// The parameter named by probe.parameter, at each micro-step of a window before it is closed.
    [[nodiscard]] virtual Status microStepProbed(const MicroStepRecord& /*record*/) { return {}; }
    [[nodiscard]] virtual Status evaluated(const EvaluationRecord& evaluation) = 0;
    [[nodiscard]] virtual Status checkpointSaved(const CheckpointRecord& checkpoint) = 0;
    [[nodiscard]] virtual Status checkpointRemoved(const std::string& weightsPath) = 0;
    virtual void noted(const std::string& level, const std::string& code, const std::string& text,
                       std::int64_t update) = 0;
};

/// Lanes and kernel threads per lane, resolved.
struct LanePlan {
    int lanes = 1;
    int threads = 1;
    bool operator==(const LanePlan&) const = default;
};
/// What the settings leave open, without measuring (see calibrateLanes): an accumulated run takes one lane per core,
/// not more than micro-steps, with one thread each; the large batch one lane with all cores.
[[nodiscard]] LanePlan resolveLanes(const DeviceConfig& device, Arm arm, std::int64_t accumulationSteps, int cores);

struct TrainerSetup {
    RunConfig config;
    std::int64_t seed = 0;
    LanePlan lanes;
    std::shared_ptr<const Dataset> data;
    std::filesystem::path folder;                ///< of this run's checkpoints
    std::map<std::string, std::string> metadata; ///< written into every checkpoint
    std::vector<CheckpointRecord>
        olderCheckpoints; ///< of earlier attempts, oldest first: they count for checkpoint.keep

    // For tests and lessons.
    PlantedBug bug = PlantedBug::None;
    std::shared_ptr<const Model> model; ///< instead of the registry's
    bool deferred = false;              ///< on the CPU: data, sums and updates as on a GPU
    FaultInjector fault;                ///< makes a phase of a micro-step or update fail
    std::function<void(const WindowRecord&, const std::vector<double>&)>
        gradientProbe;                             ///< the divided, clipped gradient, parameters in order without gaps
    std::function<void(std::int64_t)> afterCommit; ///< micro-step k of the open window was committed
};

struct TrainingEnd {
    RunSummary summary;
    bool stopped = false;       ///< by wish, before its length was reached
    std::optional<Error> error; ///< the run failed
};

class Trainer {
public:
    /// Builds model, optimizer and lanes. Errors of configuration, model and device.
    [[nodiscard]] static Result<std::unique_ptr<Trainer>> create(TrainerSetup setup);
    ~Trainer();

    /// Continues where a resume bundle ends. Before train().
    [[nodiscard]] Status restore(const std::filesystem::path& bundle);
    /// Windows and updates already made; larger than 0 after restore().
    [[nodiscard]] std::int64_t windowsDone() const;
    [[nodiscard]] std::int64_t updatesDone() const;

    [[nodiscard]] const BatchPlan& batch() const;
    [[nodiscard]] std::int64_t totalUpdates() const; ///< planned
    [[nodiscard]] std::int64_t parameterCount() const;
    [[nodiscard]] const DeviceChoice& device() const;

    /// Trains to the end, to a stop or to an error. Whatever was trained is checkpointed.
    [[nodiscard]] TrainingEnd train(TrainingObserver& observer);

    /// Loads weights from a safetensors file. Returns its metadata.
    [[nodiscard]] Result<std::map<std::string, std::string>> loadWeights(const std::filesystem::path& file);
    [[nodiscard]] EvaluationRecord evaluateNow(const std::string& split = "test");
    [[nodiscard]] std::string hashWeights() const;
    [[nodiscard]] std::vector<double> weights() const; ///< parameters in order, without gaps

    /// A new micro-batch for the windows that follow (trap T15). Safe from afterCommit and between windows.
    void requestMicroBatch(std::int64_t micro);

private:
    friend class LaneTrial;   // measures the engine without training
    friend class MemoryProbe; // likewise
    struct Impl;
    explicit Trainer(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace accumulus
