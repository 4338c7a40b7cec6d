// SPDX-License-Identifier: GPL-3.0-or-later
// One run between facade and trainer: builds the trainer, turns its calls into events for the recorder, obeys
// RunControl. Not for applications.
#pragma once

#include "core/run/recorder.h"
#include "core/run/run_control.h"
#include "core/train/trainer.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace accumulus {

class RunSession final : public TrainingObserver {
public:
    /// Where device.lanes is 0, lanes are measured once for a study: `measured` keeps what the first accumulated run
    /// found for the next ones.
    RunSession(RunRecord run, std::filesystem::path folder, Recorder& recorder, RunControl& control,
               std::optional<LanePlan>* measured = nullptr);
    ~RunSession() override;

    /// Builds everything. On return the run is in state running.
    [[nodiscard]] Status start(std::shared_ptr<const Dataset> data);
    /// The same for a run that was cut off: continues at the bundle, or at the very beginning when there is none.
    /// `older`: the run's checkpoints up to that one, oldest first.
    [[nodiscard]] Status resume(std::shared_ptr<const Dataset> data, const std::filesystem::path& bundle,
                                std::vector<CheckpointRecord> older);
    /// Trains to the end. The final events are posted and written when it returns.
    [[nodiscard]] RunFinished train();
    /// The run could not start: recorded as failed.
    [[nodiscard]] RunFinished fail(const Error& error);

    Wish proceed() override;
    [[nodiscard]] double pausedSeconds() const override;
    Status windowClosed(const WindowRecord& window) override;
    Status microStepProbed(const MicroStepRecord& microStep) override;
    Status evaluated(const EvaluationRecord& evaluation) override;
    Status checkpointSaved(const CheckpointRecord& checkpoint) override;
    Status checkpointRemoved(const std::string& weightsPath) override;
    void noted(const std::string& level, const Message& message, std::int64_t update) override;

private:
    [[nodiscard]] Status begin(std::shared_ptr<const Dataset> data, bool resumed, const std::filesystem::path& bundle,
                               std::vector<CheckpointRecord> older);
    [[nodiscard]] Result<LanePlan> lanesFor(const TrainerSetup& setup);

    RunRecord m_run;
    std::filesystem::path m_folder;
    Recorder& m_recorder;
    RunControl& m_control;
    std::optional<LanePlan>* m_measured;
    std::unique_ptr<Trainer> m_trainer;
};

} // namespace accumulus
