// SPDX-License-Identifier: GPL-3.0-or-later
// What one rank does in a run, line by line, in a file of its own: LIBRARY.files/RUN/rank-R.log. Each line is written
// at once, so that the last one tells where a rank came to. Stands between the trainer and whoever observes it; a rank
// that keeps no library has nobody behind it. The trainer's thread, but for proceed() and
// windowProgressed().
#pragma once

#include "core/run/run_control.h"
#include "core/train/trainer.h"

#include <filesystem>
#include <fstream>
#include <string>

namespace accumulus {

/// Name of a rank's log in the run's folder.
[[nodiscard]] std::filesystem::path rankLogFile(const std::filesystem::path& folder, int rank);
/// Its last line; empty where there is none.
[[nodiscard]] std::string lastLineOf(const std::filesystem::path& file);

class RankLog final : public TrainingObserver {
public:
    /// `behind`: who else is told; null on ranks that keep no library, which then obey `control`. A file that cannot be
    /// written is no reason not to train.
    RankLog(const std::filesystem::path& folder, int rank, TrainingObserver* behind, RunControl& control);

    void line(const std::string& text);

    Wish proceed() override;
    [[nodiscard]] double pausedSeconds() const override;
    void windowProgressed(const WindowProgress& progress) override;
    Status windowClosed(const WindowRecord& window) override;
    Status microStepProbed(const MicroStepRecord& record) override;
    Status evaluated(const EvaluationRecord& evaluation) override;
    Status checkpointBegins() override;
    Status checkpointSaved(const CheckpointRecord& checkpoint) override;
    bool checkpointFailed(const Error& error) override;
    void noted(const std::string& level, const Message& message, std::int64_t update) override;

private:
    std::ofstream m_file;
    TrainingObserver* m_behind;
    RunControl& m_control;
};

/// What the run's control asks of a trainer.
[[nodiscard]] TrainingObserver::Wish wishOf(RunControl& control);

} // namespace accumulus
