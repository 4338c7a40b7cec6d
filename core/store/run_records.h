// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of the library as values.
#pragma once

#include "core/base/kept_message.h"
#include "core/base/training_records.h"
#include "core/config/batch_plan.h"
#include "core/config/experiment_config.h"
#include "core/store/run_owner.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace accumulus {

enum class RunState { Draft, Queued, Starting, Running, Paused, Stopping, Completed, Stopped, Failed, Interrupted };
/// "running" and so on, as stored.
[[nodiscard]] std::string runStateName(RunState state);
[[nodiscard]] std::optional<RunState> runStateFromName(const std::string& name);
[[nodiscard]] bool isActive(RunState state);    ///< starting, running, paused, stopping
[[nodiscard]] bool isResumable(RunState state); ///< stopped, interrupted, failed

/// "initial", "periodic", "best", "last", as stored and exported.
[[nodiscard]] std::string checkpointKindName(CheckpointKind kind);
[[nodiscard]] std::optional<CheckpointKind> checkpointKindFromName(std::string_view name);

struct StudyRecord {
    std::string id; ///< UUID
    std::string name;
    StudyConfig config;
    double createdAt = 0.0; ///< also the time stamp of the margin; 0: only runs of it were imported, its settings not
    bool operator==(const StudyRecord&) const = default;
};

/// What the run was made with and on; plain words, shown and compared.
struct Environment {
    std::string program;  ///< "Accumulus 0.1.0 (commit, dirty)"
    std::string libtorch; ///< "2.11.0"
    std::string device;   ///< "cpu"
    std::string hardware; ///< "AMD EPYC, 2 cores"
    std::string system;   ///< "Debian GNU/Linux 12, Linux 6.1"
    std::string data;     ///< checksum of the data set's files
    std::string driver{}; ///< of the GPU: "NVIDIA 580.65.06, CUDA 13.0"; "none" on the CPU; empty: not known
    bool operator==(const Environment&) const = default;
};

struct RunRecord {
    std::string id; ///< UUID
    std::string study;
    std::string name;
    Arm arm = Arm::Accumulated;
    std::int64_t seed = 0;
    RunConfig config;
    std::string configHash;
    std::string pairHash;
    BatchPlan batch; ///< config.batch, resolved once: where the run is planned, or read
    // Resolved device.
    std::int64_t lanes = 0;
    std::int64_t threads = 0;
    std::int64_t trainSamples = 0; ///< size of the training set used
    std::int64_t totalUpdates = 0; ///< planned
    Environment environment;
    std::string datasetHash;        ///< datasetHash() of the data that it is trained on; empty: not known
    std::string modelFileHash;      ///< fileHash() of model.path; empty: none, or not known
    std::string initialWeightsHash; ///< fileHash() of model.weights; empty: none, or not known
    std::string modelTraits;        ///< of a network from a file, in words: batch-norm, draws, couples
    RunState state = RunState::Queued;
    std::int64_t attempt = 1; ///< counts resumes
    double createdAt = 0.0;
    double startedAt = 0.0;
    double finishedAt = 0.0;
    double heartbeat = 0.0;            ///< last sign of life
    RunOwner owner;                    ///< of a queued or active run
    std::string error;                 ///< why it failed, in English
    std::optional<Error> errorMessage; ///< the same for any language; nothing: only the text is known
    RunSummary summary;
    std::vector<std::string> tags; ///< sorted, each once
    std::string notes;
    std::string color;                ///< "#rrggbb" that a person chose; empty: none
    bool isProtected = false;         ///< cannot be moved to the trash
    bool imported = false;            ///< cannot go on here, though its state says so; looked up for such states only
    std::optional<double> lowestLoss; ///< of its evaluations on the validation set, or else on the test set
    std::int64_t testCount = 0, validationCount = 0; ///< samples that its evaluations look at; 0: there was none
    std::int64_t checkpointBytes = 0;                ///< of the files of all its checkpoints
    bool trashed = false;
    double trashedAt = 0.0;
    bool operator==(const RunRecord&) const = default;
};

/// Why it failed, in the language; in English where only that text is known, or where this program has no sentence for
/// it.
[[nodiscard]] std::string runErrorText(const RunRecord& run, const Language& language);
/// Its state allows it, it was trained here, and it is not in the Trash.
[[nodiscard]] bool canResume(const RunRecord& run);
/// Stopped or interrupted before its turn came.
[[nodiscard]] bool neverStarted(const RunRecord& run);
/// In the order in which a study trains them: by their start, then as they were planned.
void sortAsTrained(std::vector<RunRecord>& runs);

/// Without a sign of life for so long a run has lost its process, unless the process itself can be asked.
inline constexpr double staleSeconds = 10.0;
/// Of a queued or active run: its heartbeat or, before the first, its start.
[[nodiscard]] double lastSignOfLife(const RunRecord& run);
/// Queued or active, and whoever was to train it is gone: its process has ended or, where that cannot be known, its
/// heartbeat is older than `stale` seconds.
[[nodiscard]] bool isAbandoned(const RunRecord& run, double now, double stale = staleSeconds);

/// Where something is trained that is not trained by this process.
struct LaunchPlace {
    std::string host;                      ///< as ssh knows it; empty: this machine
    std::string program = "accumulus-cli"; ///< over there; empty: the run came back to this machine
    std::string library;                   ///< over there; empty: the default one
    std::optional<std::string> slurm;      ///< options of sbatch, separated by spaces; none: no batch system
    bool operator==(const LaunchPlace&) const = default;
};

/// A study, or the rest of a run, that is trained elsewhere. Its events come from a journal that is kept over there.
struct LaunchRecord {
    std::string id; ///< UUID; the name of the journal
    std::string name;
    std::string study;   ///< empty: has not begun, as far as is known here
    std::string resumes; ///< run that goes on there; empty: a new study
    LaunchPlace place;
    std::string files;          ///< folder over there that holds a folder of checkpoints for each run
    std::int64_t readBytes = 0; ///< of the journal, whose events are in this library
    RunOwner follower;          ///< the process that follows it, without a claim
    double createdAt = 0.0;
    double endedAt = 0.0; ///< 0: goes on, as far as is known here
    bool operator==(const LaunchRecord&) const = default;
};

/// It has ended without a word from over there: no connection, no program.
[[nodiscard]] bool neverBegan(const LaunchRecord& launch);
/// Did this launch train the run, or was it to train it?
[[nodiscard]] bool trains(const LaunchRecord& launch, const RunRecord& run);

/// A study, or runs that go on, that wait for their turn.
struct QueueRecord {
    std::string id; ///< UUID, of no study: that begins later
    std::string name;
    std::string experiment;           ///< as an experiment file; empty where runs go on
    std::vector<std::string> resumes; ///< those runs
    std::optional<LaunchPlace> place; ///< nothing: trained by this process
    double addedAt = 0.0;
    double notBefore = 0.0;    ///< 0: as soon as its turn comes
    bool smallerParts = false; ///< the runs go on in smaller parts (ResumeOptions)
    bool operator==(const QueueRecord&) const = default;
};

/// What an audit of gradients found. One of a set-up belongs to every run of its configuration.
struct AuditRecord {
    std::string id; ///< UUID
    double createdAt = 0.0;
    std::string configuration; ///< configHash() of the audited settings at seed 0
    std::string run;           ///< UUID of the run whose checkpoint was audited; empty: a set-up
    std::string fault;         ///< pattern that was built in on purpose; empty: none
    std::string verdict;       ///< equivalent | not-equivalent | expected
    std::string pattern;       ///< that was recognised; empty: none
    double worstError = 0.0, tolerance = 0.0;
    std::string result; ///< all of it, as JSON
    bool operator==(const AuditRecord&) const = default;
};

/// A sweep over the micro-batch.
struct PlanRecord {
    std::string key; ///< hash of what it depends on
    double createdAt = 0.0;
    std::string result; ///< all of it, as JSON
    bool operator==(const PlanRecord&) const = default;
};

struct EventRecord {
    double wallTime = 0.0;
    std::string level; ///< "info", "warning", "error"
    std::string code;  ///< "run.paused", "training.nonfinite", ...
    std::string text;  ///< in English
    std::int64_t update = 0;
    std::optional<MessageArguments> arguments{}; ///< of the code's sentence; nothing: only the text is known
    bool operator==(const EventRecord&) const = default;
};

/// What happened, in the language; in English where only that text is known, or where this program has no sentence for
/// the code.
[[nodiscard]] std::string eventText(const EventRecord& event, const Language& language);

} // namespace accumulus
