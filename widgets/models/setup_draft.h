// SPDX-License-Identifier: GPL-3.0-or-later
// The experiment in the form of Set up, kept for the next start of the program: an experiment file beside the settings.
// Written whole, on a thread of its own, when the edits rest and when the form goes. What cannot be read or written is
// told to the log only: nobody waits for it. GUI thread.
#pragma once

#include "core/config/experiment_config.h"

#include <QThreadPool>
#include <QTimer>
#include <cstdint>
#include <filesystem>
#include <optional>

namespace accumulus::ui {

/// "setup.toml" in the folder of the person's settings.
[[nodiscard]] std::filesystem::path setupDraftFile();

class SetupDraft {
public:
    explicit SetupDraft(std::filesystem::path file);
    ~SetupDraft(); ///< writes what waits

    [[nodiscard]] std::optional<ExperimentConfig> read() const; ///< of an earlier session
    /// The effective batch that its learning rate was tuned for, where that is another one and no file says it; 0:
    /// none.
    [[nodiscard]] std::int64_t lrTunedFor() const;
    void keep(const ExperimentConfig& experiment, std::int64_t lrTunedFor = 0);
    void write(); ///< what waits, now

private:
    std::filesystem::path m_file;
    QThreadPool m_pool;
    QTimer m_rest;
    std::optional<ExperimentConfig> m_waiting;
    std::int64_t m_lrTunedFor = 0; ///< of what waits
};

} // namespace accumulus::ui
