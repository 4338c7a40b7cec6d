// SPDX-License-Identifier: GPL-3.0-or-later
// Trains on the thread it lives in, or follows from there what trains: the ranks that it starts for a study of several
// devices, or another machine. A run is resumed where it was trained. Its functions block that thread until the study
// ends: call them through queued invocations only, steer through the RunControl. Owns nothing; control and receiver
// outlive it.
#pragma once

#include "core/base/result.h"
#include "core/run/run_control.h"
#include "core/run/run_events.h"
#include "core/store/run_records.h"

#include <QObject>
#include <QStringList>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace accumulus::ui {

/// How a job ended. `error` also for a study that stopped because one of its runs failed.
struct JobOutcome {
    bool stopped = false;
    std::optional<Error> error;
    bool left = false; ///< it goes on elsewhere, and is followed no more
};

class RunWorker : public QObject {
    Q_OBJECT
public:
    RunWorker(RunControl& control, RunEventReceiver receive);

    /// `place`: nothing for this process.
    void train(const ExperimentConfig& experiment, const std::optional<LaunchPlace>& place,
               const std::filesystem::path& library);
    /// Goes on following what is trained elsewhere; `launch` as followElsewhere().
    void follow(const std::string& launch, const std::filesystem::path& library);
    /// One after another, study by study; runs that have failed do not keep the others from going on.
    /// `smallerParts`: as ResumeOptions, of those that are trained here.
    void resume(const std::vector<std::string>& runs, const std::filesystem::path& library, bool smallerParts);

Q_SIGNALS:
    /// A study for another place is noted in the library, and that place has answered.
    void accepted();
    /// Before what is next: is it trained elsewhere?
    void goesOn(bool elsewhere);
    /// Before runs of a study go on: all of its runs, in the order in which they are trained, and those that go on.
    void resumes(const std::vector<accumulus::RunRecord>& runs, const QStringList& resumed);
    /// Every event of the job has been handed to the receiver before.
    void finished(const accumulus::ui::JobOutcome& outcome);

private:
    [[nodiscard]] JobOutcome resumeOne(const std::string& run, const std::filesystem::path& library, bool smallerParts);

    RunControl& m_control;
    RunEventReceiver m_receive;
};

} // namespace accumulus::ui

Q_DECLARE_METATYPE(accumulus::ui::JobOutcome)
