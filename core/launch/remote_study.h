// SPDX-License-Identifier: GPL-3.0-or-later
// A study that is trained elsewhere, on a machine that ssh reaches or by a Slurm cluster, and recorded in the library
// here as if it were trained here. It goes on over there whatever becomes of this process or the connection: who comes
// back reads on where the library ends. Blocks the calling thread until the study has ended, RunControl::leave() was
// called, or it cannot be followed.
//
// A pause, stop or stop-now of the control is handed on. Who insists on stopping now ends what trains; where the
// connection is down then, the study is left alone.
#pragma once

#include "core/base/result.h"
#include "core/run/run_control.h"
#include "core/run/run_events.h"
#include "core/run/study_runner.h"
#include "core/store/run_records.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace accumulus {

/// How following has ended.
struct RemoteOutcome {
    StudyOutcome study;
    std::string launch; ///< its id, for follow
    bool left = false;  ///< it goes on without this process; one that had not begun does not, and is an error
};

/// Errors "launch.unreachable" (ssh's own words), "launch.no-program" (there is no accumulus-cli over there),
/// "launch.refused" (it does not begin, with its last words), "launch.not-begun" (it was left before that),
/// "launch.ended", "launch.event", those of commandAt(), of the library, and the study's own. `accepted`: called once,
/// when the launch is in the library and the other side has answered.
[[nodiscard]] Result<RemoteOutcome> trainElsewhere(const ExperimentConfig& experiment, const LaunchPlace& place,
                                                   const std::filesystem::path& library, RunControl& control,
                                                   const RunEventReceiver& receive,
                                                   const std::function<void()>& accepted = {});

/// Goes on following. `launch`: its id or that of its study or run, or a prefix; empty: the only one that is open.
/// `unpause`: where it is paused, it goes on. It stays open where the other side cannot follow it now. Errors as
/// trainElsewhere; "run.in-trash" (of one that is not over, what it measures there would be lost), "journal.unknown",
/// "launch.none", "launch.unknown", "launch.ambiguous", "launch.busy" and "run.busy" (another process follows it).
[[nodiscard]] Result<RemoteOutcome> followElsewhere(const std::string& launch, const std::filesystem::path& library,
                                                    RunControl& control, const RunEventReceiver& receive,
                                                    bool unpause = false);
/// Follows a launch no more, whatever becomes of it: it does not count as open any longer. Errors as followElsewhere.
[[nodiscard]] Status forgetLaunch(const std::string& launch, const std::filesystem::path& library);

struct ResumeElsewhere {
    std::optional<std::string> slurm; ///< other options of sbatch
    std::string program;              ///< accumulus-cli over there; empty: where it was when the run began
    std::int64_t ranks = 0;           ///< 0: as many as the run has devices
    bool takeOver = false;            ///< as ResumeOptions
    bool otherData = false;
};
/// Continues a run where it was trained: follows it where it goes on there, as it was begun (of the options only
/// `takeOver` counts then), else it is resumed there. `before` is the launch that trained it. Errors as
/// followElsewhere; those of resumeRun.
[[nodiscard]] Result<RemoteOutcome> resumeElsewhere(const RunRecord& run, const LaunchRecord& before,
                                                    const std::filesystem::path& library, RunControl& control,
                                                    const RunEventReceiver& receive,
                                                    const ResumeElsewhere& options = {});
/// Makes this machine the one where the run was trained, once resumeRun() has started it here. Errors
/// "launch.goes-on" (it is still trained there), those of the library.
[[nodiscard]] Status bringHere(const RunRecord& run, const std::filesystem::path& library);

/// Where this run was trained, if that was elsewhere. `run`: id or prefix. Errors of the library.
struct TrainedElsewhere {
    RunRecord run;
    std::optional<LaunchRecord> launch;
};
[[nodiscard]] Result<TrainedElsewhere> whereTrained(const std::string& run, const std::filesystem::path& library);

} // namespace accumulus
