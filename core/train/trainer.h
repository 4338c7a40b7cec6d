// SPDX-License-Identifier: GPL-3.0-or-later
// One run: windows, updates, evaluations, checkpoints. The header is free of torch. train() blocks the calling thread,
// which becomes lane 0; the observer is called on it, except proceed() and windowProgressed(), which
// every lane calls.
#pragma once

#include "core/base/message.h"
#include "core/base/result.h"
#include "core/base/training_records.h"
#include "core/engine/device_choice.h"
#include "core/engine/engine_setup.h"
#include "core/train/evaluation_watch.h"

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace accumulus {

/// What the world wants of a run, and what it is told.
class TrainingObserver {
public:
    enum class Wish { GoOn, Stop, StopNow };
    virtual ~TrainingObserver() = default;

    /// Asked between micro-steps, by any lane. Blocks while the run is paused.
    [[nodiscard]] virtual Wish proceed() = 0;
    /// Seconds spent blocked in proceed() by the run so far; taken off the active time.
    [[nodiscard]] virtual double pausedSeconds() const = 0;
    /// The open window has been begun, has come a micro-step further, was begun anew, or is closed. Told by the lane
    /// that has committed, before another one may: thousands of times a second, so it must cost next to nothing.
    virtual void windowProgressed(const WindowProgress& /*progress*/) {}

    /// An error from any of these ends the run with it.
    [[nodiscard]] virtual Status windowClosed(const WindowRecord& window) = 0;
    /// The parameter named by probe.parameter, at each micro-step of a window before it is closed.
    [[nodiscard]] virtual Status microStepProbed(const MicroStepRecord& /*record*/) { return {}; }
    [[nodiscard]] virtual Status evaluated(const EvaluationRecord& evaluation) = 0;
    /// Asked before a checkpoint's files are written.
    [[nodiscard]] virtual Status checkpointBegins() { return {}; }
    /// Its files are complete. Which older checkpoints may go is the observer's business; the trainer removes nothing.
    [[nodiscard]] virtual Status checkpointSaved(const CheckpointRecord& checkpoint) = 0;
    /// A file of a checkpoint could not be written. True: it is tried again; it may take its time to say so.
    [[nodiscard]] virtual bool checkpointFailed(const Error& /*error*/) { return false; }
    /// Something worth telling; `level` is "info" or "warning".
    virtual void noted(const std::string& level, const Message& message, std::int64_t update) = 0;
};

struct TrainerSetup : EngineSetup {
    std::map<std::string, std::string> metadata; ///< written into every checkpoint

    // For tests and lessons.
    std::function<void(const WindowRecord&, const std::vector<double>&)>
        gradientProbe;                             ///< the divided, clipped gradient, parameters in order without gaps
    std::function<void(std::int64_t)> afterCommit; ///< micro-step k of the open window was committed
    std::function<void()> afterRestart;            ///< what the open window held was given up
};

struct TrainingEnd {
    RunSummary summary;
    bool stopped = false;       ///< by wish, before its length was reached
    std::optional<Error> error; ///< the run failed
};

/// On several ranks every one has its trainer and calls the same functions in the same order; only the first writes
/// checkpoints.
class Trainer {
public:
    /// What create() refuses of the batch and the model, before anything is computed: lanes are measured by training.
    [[nodiscard]] static Status check(const TrainerSetup& setup);
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
    [[nodiscard]] std::int64_t frozenCount() const; ///< of these
    /// Where the initial weights come from, if not from the seed alone.
    [[nodiscard]] const std::vector<Message>& startNotes() const;
    [[nodiscard]] const DeviceChoice& device() const;
    /// What to know about the network before its runs are compared.
    [[nodiscard]] std::vector<Message> modelNotes() const;
    /// Of a network from a file, what comparisons need: "batch-norm draws couples", as far as they hold.
    [[nodiscard]] std::string modelTraits() const;
    /// On several ranks: nothing can be computed with them any more.
    [[nodiscard]] bool ranksLeft() const;

    /// Trains to the end, to a stop or to an error. Whatever was trained is checkpointed.
    [[nodiscard]] TrainingEnd train(TrainingObserver& observer);

    /// Loads weights from a safetensors file. Returns its metadata.
    [[nodiscard]] Result<std::map<std::string, std::string>> loadWeights(const std::filesystem::path& file);
    [[nodiscard]] EvaluationRecord evaluateNow(const std::string& split = "test", const EvaluationWatch& watch = {});
    [[nodiscard]] std::string hashWeights() const;
    [[nodiscard]] std::vector<double> weights() const; ///< parameters in order, without gaps

private:
    struct Impl;
    explicit Trainer(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace accumulus
