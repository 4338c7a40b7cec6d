// SPDX-License-Identifier: GPL-3.0-or-later
// The facade: everything the command line and the workbench need in order to train. No Qt, torch or SQLite types.
// runStudy and resumeRun block the calling thread until the end; call them from a worker thread and steer them through
// RunControl.
#pragma once

#include "core/base/message.h"
#include "core/base/result.h"
#include "core/base/training_records.h"
#include "core/config/batch_plan.h"
#include "core/config/experiment_config.h"
#include "core/run/run_control.h"
#include "core/run/run_events.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace accumulus {

class RankTeam;

/// One run of a study, before it starts.
struct PlannedRun {
    Arm arm = Arm::Accumulated;
    std::int64_t seed = 0;
    RunConfig config;
    BatchPlan batch; ///< of config.batch
};

/// seed x arm. With study.largeBatch each seed runs the accumulated arm, then the large-batch arm: m = B (under a ramp
/// the largest B, so that every window is one micro-batch), K = 1, one lane, the same samples left out, and with
/// study.ghost BatchNorm in groups of the partner's micro-batch.
[[nodiscard]] Result<std::vector<PlannedRun>> planStudy(const ExperimentConfig& experiment);

struct StudyOutcome {
    StudyRecord study;
    std::vector<RunFinished> runs;
    bool stopped = false;
    std::optional<Error> error; ///< some runs failed: of a single run its own, else "study.runs-failed"
};

/// Trains all runs of the experiment one after another and records them in the library at `library`. A run that fails
/// is recorded as failed, and the study goes on; a stopped one ends it with stopped = true. An error means that the
/// study could not begin, or that the library failed.
/// `team`: on several ranks the first one calls this, the others followRanks(); batch.devices is then their number.
[[nodiscard]] Result<StudyOutcome> runStudy(const ExperimentConfig& experiment, const std::filesystem::path& library,
                                            RunControl& control, const RunEventReceiver& receive,
                                            RankTeam* team = nullptr);

/// A rank that keeps no library: computes with the first rank whatever that begins, until it is dismissed. Each run
/// has a log, LIBRARY.files/RUN/rank-R.log. stopped: the last run was. An error is that of the last run, or of all.
struct Followed {
    bool stopped = false;
    std::optional<Error> error;
};
[[nodiscard]] Followed followRanks(RankTeam& team, RunControl& control);

struct ResumeOptions {
    bool takeOver = false;     ///< although it may be alive on another computer
    bool smallerParts = false; ///< what does not fit is computed in smaller parts, although device.on_oom says stop
    bool otherData = false;    ///< although the data set is not the one that it was trained on
    RankTeam* team = nullptr;  ///< as runStudy; any number of ranks may go on with a run
};

/// Continues one run (stopped, interrupted or failed) from its newest resume bundle that can be used. `run`: UUID or
/// prefix. One that was cut off before it began, or before its first bundle, begins. The run is claimed before anything
/// is loaded, so that only one process continues it; where it cannot be continued its rows stay as they were. Errors
/// "run.not-resumable", "run.in-trash", "run.busy" (its process is alive), "run.elsewhere", "run.data-changed",
/// "run.no-bundle", "run.bundles-unusable", and the run's own.
[[nodiscard]] Result<RunFinished> resumeRun(const std::string& run, const std::filesystem::path& library,
                                            RunControl& control, const RunEventReceiver& receive,
                                            const ResumeOptions& options = {});

/// What the data set of a configuration holds, for the form and messages; reads only headers.
struct DataSummary {
    std::int64_t trainSamples = 0;
    std::int64_t testSamples = 0;
    std::vector<Message> facts; ///< "MNIST", "28x28x1", "10 classes", "bundled copy"
};
[[nodiscard]] Result<DataSummary> inspectData(const DataConfig& data, const std::string& model);

struct DeviceSummary {
    std::vector<Message> facts;  ///< "CPU: AMD EPYC", "2 cores", "24 GB"
    std::optional<Message> note; ///< "No CUDA device: the CPU will be used."
    int cores = 1;
};
[[nodiscard]] DeviceSummary inspectDevice();

/// Number of parameters of the configured model.
[[nodiscard]] Result<std::int64_t> parameterCount(const RunConfig& config);
/// The same, and how many of them are frozen.
[[nodiscard]] Result<ParameterCounts> parameterCounts(const RunConfig& config);
/// Elements of its gradients, gaps included: P in the formulas of what ranks send.
[[nodiscard]] Result<std::int64_t> arenaSize(const RunConfig& config);

/// The program and the rest of what a report names.
[[nodiscard]] Environment currentEnvironment();

} // namespace accumulus
