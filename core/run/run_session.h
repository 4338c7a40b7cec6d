// SPDX-License-Identifier: GPL-3.0-or-later
// One run between facade and trainer: builds the trainer, turns its calls into events for the recorder, obeys
// RunControl. Not for applications.
#pragma once

#include "core/base/clock.h"
#include "core/base/machine_load.h"
#include "core/run/checkpoint_keeper.h"
#include "core/run/rank_team.h"
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
    /// `team`: the ranks that compute it together, of which this is the first; null: alone.
    RunSession(RunRecord run, std::filesystem::path folder, Recorder& recorder, RunControl& control,
               std::optional<LanePlan>* measured = nullptr, RankTeam* team = nullptr);
    ~RunSession() override;

    /// Builds everything. On return the run is in state running.
    [[nodiscard]] Status start(std::shared_ptr<const Dataset> data);
    /// The same for a run that was cut off: continues at the newest resume bundle of `checkpoints` that can be read, or
    /// at the very beginning when they hold none. Which ones were passed over, and why, is noted. Nothing has been
    /// posted when it fails. Error "run.bundles-unusable".
    [[nodiscard]] Status resume(std::shared_ptr<const Dataset> data, std::vector<CheckpointRecord> checkpoints);
    [[nodiscard]] std::int64_t windowsDone() const { return m_trainer->windowsDone(); }
    [[nodiscard]] std::int64_t updatesDone() const { return m_trainer->updatesDone(); }
    /// Trains to the end. The final events are posted and written when it returns. `earlier`: what was known of the run
    /// where it is resumed; stands where nothing newer was measured.
    [[nodiscard]] RunFinished train(const RunSummary& earlier = {});
    /// The run could not start: recorded as failed.
    [[nodiscard]] RunFinished fail(const Error& error);

    Wish proceed() override;
    [[nodiscard]] double pausedSeconds() const override;
    void windowProgressed(const WindowProgress& progress) override;
    Status windowClosed(const WindowRecord& window) override;
    Status microStepProbed(const MicroStepRecord& microStep) override;
    Status evaluated(const EvaluationRecord& evaluation) override;
    Status checkpointBegins() override;
    Status checkpointSaved(const CheckpointRecord& checkpoint) override;
    bool checkpointFailed(const Error& error) override;
    void noted(const std::string& level, const Message& message, std::int64_t update) override;

private:
    [[nodiscard]] RunFinished unfinished() const; ///< which run; failed until it is known better
    [[nodiscard]] Status begin(std::shared_ptr<const Dataset> data, bool resumed,
                               std::vector<CheckpointRecord> checkpoints);
    [[nodiscard]] Status restoreNewest(std::vector<CheckpointRecord>& checkpoints);
    [[nodiscard]] Status prepare(std::shared_ptr<const Dataset> data, bool resumed,
                                 std::vector<CheckpointRecord>& checkpoints, const DeviceChoice& choice);
    [[nodiscard]] Result<LanePlan> lanesFor(const TrainerSetup& setup);
    [[nodiscard]] Status summon(const Status& prepared, const std::string& dataHash, const DeviceChoice& choice);
    [[nodiscard]] Status tellStart(const std::string& checksum, const std::string& dataHash, bool resumed,
                                   const DeviceChoice& choice);
    void tellWeights(bool resumed);
    void countLoad();

    RunRecord m_run;
    std::filesystem::path m_folder;
    Recorder& m_recorder;
    RunControl& m_control;
    std::optional<LanePlan>* m_measured;
    std::unique_ptr<Trainer> m_trainer;
    CheckpointKeeper m_keeper;
    std::vector<CheckpointRecord> m_givenUp; ///< best ones beyond what the run goes on from, and rows without files
    std::vector<Message> m_fileNotes;
    std::vector<Message> m_passedOver;  ///< why resume bundles could not be used
    std::filesystem::path m_goesOnFrom; ///< the bundle that could
    RankTeam* m_team;
    int m_cores = 1; ///< of this rank
    bool m_waitsForSpace = false;
    MachineLoad m_load;
    Stopwatch m_sinceLoad;
    double m_pausedAtLoad = 0.0; ///< pausedSeconds() when the load was looked at last
};

} // namespace accumulus
