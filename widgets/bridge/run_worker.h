// SPDX-License-Identifier: GPL-3.0-or-later
// Trains on the thread it lives in, or follows from there the ranks that it starts for a study of several devices; a
// run is resumed here, whatever it was begun on. Its functions block that thread until the study ends: call them
// through queued invocations only, steer through the RunControl. Owns nothing; control and receiver outlive it.
#pragma once

#include "core/base/result.h"
#include "core/run/run_control.h"
#include "core/run/run_events.h"

#include <QObject>
#include <filesystem>
#include <optional>
#include <string>

namespace accumulus::ui {

/// How a job ended. `error` also for a study that stopped because one of its runs failed.
struct JobOutcome {
    bool stopped = false;
    std::optional<Error> error;
};

class RunWorker : public QObject {
    Q_OBJECT
public:
    RunWorker(RunControl& control, RunEventReceiver receive);

    void train(const ExperimentConfig& experiment, const std::filesystem::path& library);
    void resume(const std::string& run, const std::filesystem::path& library);

Q_SIGNALS:
    /// Every event of the job has been handed to the receiver before.
    void finished(const accumulus::ui::JobOutcome& outcome);

private:
    RunControl& m_control;
    RunEventReceiver m_receive;
};

} // namespace accumulus::ui

Q_DECLARE_METATYPE(accumulus::ui::JobOutcome)
