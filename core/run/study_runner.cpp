// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/study_runner.h"

#include "core/base/atomic_file.h"
#include "core/base/clock.h"
#include "core/base/hash.h"
#include "core/base/kept_message.h"
#include "core/config/config_check.h"
#include "core/config/config_fields.h"
#include "core/config/dataset_rows.h"
#include "core/config/experiment_file.h"
#include "core/config/metric_rows.h"
#include "core/config/model_rows.h"
#include "core/data/dataset_hash.h"
#include "core/run/environment.h"
#include "core/run/fact_findings.h"
#include "core/run/lane_memory.h"
#include "core/run/program.h"
#include "core/run/rank_log.h"
#include "core/run/rank_team.h"
#include "core/run/run_data.h"
#include "core/run/run_files.h"
#include "core/run/run_session.h"
#include "core/store/library.h"
#include "core/store/run_reader.h"
#include "core/train/checkpoint_info.h"

#include <algorithm>
#include <fmt/format.h>

namespace accumulus {
namespace {

/// Data sets of one study are loaded once.
class DataCache {
public:
    Result<std::shared_ptr<const Dataset>> get(const DataConfig& config) {
        if (!m_data || !(m_config == config)) {
            ACCUMULUS_TRY_ASSIGN(auto loaded, loadDataset(config, resourceFolder("datasets").parent_path()));
            m_data = std::move(loaded);
            m_config = config;
        }
        return m_data;
    }

private:
    DataConfig m_config;
    std::shared_ptr<const Dataset> m_data;
};

/// A library that cannot be written holds training up for as long as it takes; whoever wants to stop now does not want
/// to wait for it.
std::function<bool()> givesUpWhenStoppedNow(const RunControl& control) {
    return [&control] { return control.request() == RunControl::Request::StopNow; };
}

/// A run on this rank, as the first rank has begun it.
Result<std::unique_ptr<Trainer>> trainerOf(const RankTeam::Task& task, RankTeam& team, DataCache& cache) {
    TrainerSetup setup;
    setup.config = task.config;
    setup.seed = task.seed;
    setup.lanes = task.lanes;
    setup.folder = task.folder;
    setup.ranks = &team.ranks();
    ACCUMULUS_TRY_ASSIGN(setup.data, cache.get(task.config.data));
    ACCUMULUS_TRY_ASSIGN(const std::string own, readDatasetHash(*setup.data));
    if (own != task.datasetHash)
        return failure("ranks.differ", {{"rank", std::to_string(team.ranks().rank())},
                                        {"what", "phrase.rank-data"},
                                        {"first", task.datasetHash},
                                        {"other", own}});
    ACCUMULUS_TRY(compareFileHashes(task.config.model, task.modelFileHash,
                                    task.bundle.empty() ? task.initialWeightsHash : std::string(),
                                    team.ranks().rank()));
    setup.weightsFollow = !task.bundle.empty();
    ACCUMULUS_TRY_ASSIGN(const auto choice, chooseDevice(task.config.device.kind, team.ranks().localRank()));
    if (choice.isGpu() != (task.device != "cpu"))
        return failure("ranks.differ", {{"rank", std::to_string(team.ranks().rank())},
                                        {"what", "phrase.rank-device"},
                                        {"first", task.device},
                                        {"other", choice.device}});
    ACCUMULUS_TRY_ASSIGN(auto trainer, Trainer::create(std::move(setup)));
    if (!task.bundle.empty())
        ACCUMULUS_TRY(trainer->restore(task.bundle));
    return trainer;
}

std::string defaultStudyName(const RunConfig& config) {
    return modelTitle(config.model) + " on " + datasetTitle(config.data) +
           ", B = " + std::to_string(config.batch.effective);
}

RunRecord makeRecord(const PlannedRun& planned, const StudyRecord& study, const RunOwner& owner) {
    RunRecord run;
    run.id = newUuid();
    run.study = study.id;
    run.arm = planned.arm;
    run.seed = planned.seed;
    run.config = planned.config;
    run.name = study.name + ", " + (planned.arm == Arm::Accumulated ? "accumulated" : "large batch") + ", seed " +
               std::to_string(planned.seed);
    run.configHash = configHash(planned.config, planned.seed);
    run.pairHash = pairHash(planned.config, planned.seed);
    run.batch = planned.batch;
    run.createdAt = study.createdAt;
    run.heartbeat = study.createdAt;
    run.owner = owner;
    return run;
}

/// The library was moved without its files, or their disk is not mounted: the run must not begin anew.
Status requireBundle(const RunRecord& run, const std::vector<CheckpointRecord>& checkpoints,
                     const std::filesystem::path& folder) {
    std::int64_t count = 0;
    const CheckpointRecord* newest = nullptr;
    for (const CheckpointRecord& checkpoint : checkpoints) {
        std::error_code ignored;
        if (checkpoint.bundlePath.empty())
            continue;
        if (std::filesystem::exists(checkpoint.bundlePath, ignored))
            return {};
        ++count;
        if (!newest || checkpoint.update >= newest->update)
            newest = &checkpoint;
    }
    if (count == 0)
        return {};
    return failure("run.no-bundle", {{"run", run.id},
                                     {"count", std::to_string(count)},
                                     {"file", newest->bundlePath},
                                     {"folder", folder.parent_path().string()}});
}

Message reasonOf(const RunFinished& run, const std::vector<RunRecord>& runs) {
    const auto record = std::ranges::find(runs, run.run, &RunRecord::id);
    return {"study.run-failed",
            {{"run", record == runs.end() ? run.run : record->name}, {"error", messagesArgument({*run.error})}}};
}

/// What a study with runs that failed says at its end. A single run says it itself, and so do runs that were all
/// refused for the same reason.
std::optional<Error> failureOf(const StudyOutcome& outcome, const std::vector<RunRecord>& runs) {
    std::vector<const RunFinished*> failed;
    for (const RunFinished& run : outcome.runs)
        if (run.error)
            failed.push_back(&run);
    if (failed.empty())
        return std::nullopt;
    const auto refused = [&](const RunFinished* run) {
        return *run->error == *failed.front()->error && errorKind(*run->error) != ErrorKind::Training;
    };
    if (runs.size() == 1 || (failed.size() == runs.size() && std::ranges::all_of(failed, refused)))
        return failed.front()->error;
    std::vector<Message> reasons;
    for (const RunFinished* run : failed)
        reasons.push_back(reasonOf(*run, runs));
    return Error{"study.runs-failed",
                 {{"failed", std::to_string(failed.size())},
                  {"runs", std::to_string(runs.size())},
                  {"reasons", messagesArgument(reasons)}}};
}

/// What is worth knowing of an experiment that can be trained.
Result<std::vector<Message>> notesOf(const ExperimentConfig& experiment, const Dataset& data,
                                     const MachineFeatures& machine) {
    std::vector<Message> notes = idleSettings(experiment);
    for (const Finding& finding : checkDataFacts(experiment, data.facts))
        notes.push_back(finding.message);
    for (const Finding& finding : checkConfig(experiment, data.trainCount(), machine)) {
        if (finding.level == FindingLevel::Error)
            return failure(finding.message);
        notes.push_back(finding.message);
    }
    return notes;
}

} // namespace

Result<StudyOutcome> runStudy(const ExperimentConfig& experiment, const std::filesystem::path& library,
                              RunControl& control, const RunEventReceiver& receive, RankTeam* team) {
    DataCache cache;
    ACCUMULUS_TRY_ASSIGN(const auto data, cache.get(experiment.run.data));
    MachineFeatures machine = machineFeatures();
    machine.ranks = team ? team->ranks().size() : 1;
    ACCUMULUS_TRY_ASSIGN(const auto notes, notesOf(experiment, *data, machine));
    ACCUMULUS_TRY_ASSIGN(const auto planned, planStudy(experiment));
    ACCUMULUS_TRY_ASSIGN(auto opened, Library::open(library, Library::Mode::Write));
    const std::filesystem::path root = opened.runFolder("x").parent_path();
    ACCUMULUS_TRY(requireWritable(root)); // before the first window, not at the first checkpoint

    const LiveClaim claim;
    StudyOutcome outcome;
    outcome.study.id = newUuid();
    outcome.study.config = experiment.study;
    if (experiment.study.metric == "auto" && defaultMetric(experiment.run) != mainMetric(experiment.run))
        outcome.study.config.metric = metricName(defaultMetric(experiment.run)); // see studyMetric()
    outcome.study.name = experiment.study.name.empty() ? defaultStudyName(experiment.run) : experiment.study.name;
    outcome.study.createdAt = unixTime();
    std::vector<RunRecord> runs;
    for (const PlannedRun& run : planned)
        runs.push_back(makeRecord(run, outcome.study, claim.owner()));

    Recorder recorder(RunStore(std::move(opened)), receive, givesUpWhenStoppedNow(control));
    ACCUMULUS_TRY(recorder.post(StudyStarted{outcome.study, runs, notes}));
    ACCUMULUS_TRY(recorder.flush()); // no file before the row of its run
    StudyFinished finished;
    finished.study = outcome.study.id;
    LaneMemory memory(library, experiment.run, team == nullptr);
    std::optional<LanePlan> lanes = memory.find();
    for (const RunRecord& run : runs) {
        if (control.request() != RunControl::Request::None) {
            outcome.stopped = true;
            break;
        }
        RunSession session(run, root / run.id, recorder, control, &lanes, team);
        const Status started = session.start(data);
        outcome.runs.push_back(started ? session.train() : session.fail(started.error()));
        if (const auto problem = recorder.problem()) // nothing more can be recorded
            return failure(*problem);
        outcome.stopped = outcome.stopped || outcome.runs.back().state == RunState::Stopped;
        if (outcome.stopped || (team && team->isBroken()))
            break;
    }
    if (lanes && !outcome.runs.empty())
        memory.keep(*lanes, outcome.runs.front());
    // Runs that were never started do not stay in the queue for ever.
    for (std::size_t i = outcome.runs.size(); i < runs.size(); ++i)
        ACCUMULUS_TRY(recorder.post(RunStateChanged{runs[i].id, RunState::Stopped}));
    outcome.error = failureOf(outcome, runs);
    finished.stopped = outcome.stopped;
    finished.error = outcome.error;
    ACCUMULUS_TRY(recorder.post(finished));
    ACCUMULUS_TRY(recorder.flush());
    return outcome;
}

namespace {

/// What a run of one device may have set, and several cannot do.
Status checkOnRanks(const RunConfig& config, const RankTeam* team) {
    if (!team)
        return {};
    ExperimentConfig experiment{.run = config, .study = {}};
    experiment.run.batch.devices = team->ranks().size();
    MachineFeatures machine = machineFeatures();
    machine.ranks = team->ranks().size();
    for (const Finding& finding : checkConfig(experiment, 0, machine))
        if (finding.level == FindingLevel::Error && (finding.id == "D09" || finding.id == "D10"))
            return failure(finding.message);
    return {};
}

/// A run that this process has claimed. `begun`: its rows were changed, beyond the claim.
Result<RunFinished> resumeClaimed(RunStore store, RunReader& reader, RunRecord record, RunControl& control,
                                  const RunEventReceiver& receive, const ResumeOptions& options, bool& begun) {
    ACCUMULUS_TRY(checkOnRanks(record.config, options.team));
    const std::filesystem::path folder = reader.library().runFolder(record.id);
    ACCUMULUS_TRY_ASSIGN(auto checkpoints, reader.checkpoints(record.id));
    ACCUMULUS_TRY(requireBundle(record, checkpoints, folder));
    ACCUMULUS_TRY(requireWritable(folder));
    Recorder recorder(std::move(store), receive, givesUpWhenStoppedNow(control));
    recorder.keepAlive(record.id, record.attempt);
    DataCache cache;
    ACCUMULUS_TRY_ASSIGN(const auto data, cache.get(record.config.data));
    const bool wasBegun = record.startedAt > 0.0; // else it was cut off while it waited for its turn
    const Status same = wasBegun ? checkRunData(record, *data) : Status();
    if (!same && (!options.otherData || same.error().code != "run.data-changed")) {
        Error refused = same.error();
        refused.arguments.emplace_back("library", libraryArgument(reader.library().path()));
        return failure(std::move(refused));
    }
    record.attempt += wasBegun ? 1 : 0;
    if (options.smallerParts)
        record.config.device.onOom = OnOutOfMemory::Resplit;
    RunSession session(record, folder, recorder, control, nullptr, options.team);
    const std::vector<CheckpointRecord> named = checkpoints;
    ACCUMULUS_TRY(wasBegun ? session.resume(data, std::move(checkpoints)) : session.start(data));
    begun = true;
    removeUnnamedCheckpoints(folder, named);
    removeAbandonedFiles(folder);
    if (options.smallerParts)
        session.noted("warning", {"run.smaller-parts", {}}, session.updatesDone());
    if (!same)
        session.noted("warning", {"run.other-data", same.error().arguments}, session.updatesDone());
    // The library has gone back to where the run goes on, and its figures with it. Where it fails, training says so.
    const auto known = recorder.flush() ? reader.run(record.id) : Result<RunRecord>(RunRecord());
    const RunFinished finished = session.train(known ? known->summary : RunSummary());
    StudyFinished end{record.study, finished.state == RunState::Stopped, finished.error};
    ACCUMULUS_TRY(recorder.post(end));
    ACCUMULUS_TRY(recorder.flush());
    if (finished.error)
        return failure(*finished.error);
    return finished;
}

} // namespace

Result<RunFinished> resumeRun(const std::string& run, const std::filesystem::path& library, RunControl& control,
                              const RunEventReceiver& receive, const ResumeOptions& options) {
    ACCUMULUS_TRY_ASSIGN(auto opened, Library::open(library, Library::Mode::Change));
    RunStore store(std::move(opened));
    ACCUMULUS_TRY(store.markInterrupted(unixTime()));
    ACCUMULUS_TRY_ASSIGN(auto readable, Library::open(library, Library::Mode::Read));
    RunReader reader(std::move(readable));
    ACCUMULUS_TRY_ASSIGN(const auto found, reader.run(run));
    const LiveClaim claim;
    ACCUMULUS_TRY_ASSIGN(const auto before, store.claim(found.id, claim.owner(), unixTime(), options.takeOver));
    bool begun = false;
    // Read once more: until it was claimed, somebody else may have gone on with it.
    auto record = reader.run(found.id);
    auto finished = record
                        ? resumeClaimed(std::move(store), reader, std::move(*record), control, receive, options, begun)
                        : Result<RunFinished>(failure(record.error()));
    if (!finished && !begun)
        if (auto again = Library::open(library, Library::Mode::Write))
            (void)RunStore(std::move(*again)).giveBack(found.id, claim.owner(), before);
    return finished;
}

Followed followRanks(RankTeam& team, RunControl& control) {
    Followed followed;
    DataCache cache;
    for (;;) {
        auto task = team.await();
        if (!task) {
            followed.error = task.error();
            return followed;
        }
        if (!*task)
            return followed;
        RankLog log((*task)->folder, team.ranks().rank(), nullptr, control);
        const Communicator::Peer self = team.ranks().peers()[static_cast<std::size_t>(team.ranks().rank())];
        log.line(fmt::format("run {} on {}, process {}: rank {} of {}, {} lane(s) of {} thread(s)", (*task)->run,
                             self.host, self.pid, team.ranks().rank(), team.ranks().size(), (*task)->lanes.lanes,
                             (*task)->lanes.threads));
        auto trainer = trainerOf(**task, team, cache);
        const Status ready = team.agree(trainer ? Status() : Status(failure(trainer.error())));
        if (!ready) {
            log.line(describe(ready.error()));
            followed.error = ready.error();
            if (team.isBroken())
                return followed;
            continue;
        }
        const TrainingEnd end = (*trainer)->train(log);
        followed.error = end.error;
        followed.stopped = end.stopped;
        log.line(end.error ? describe(*end.error) : end.stopped ? "stopped" : "completed");
        if ((*trainer)->ranksLeft()) {
            team.setBroken(end.error.value_or(Error()));
            return followed;
        }
    }
}

Result<DataSummary> inspectData(const DataConfig& data, const std::string& /*model*/) {
    ACCUMULUS_TRY_ASSIGN(const auto sizes, inspectDataset(data, resourceFolder("datasets").parent_path()));
    return DataSummary{sizes.train, sizes.test, sizes.facts};
}

Result<std::int64_t> parameterCount(const RunConfig& config) {
    ACCUMULUS_TRY_ASSIGN(const auto counts, parameterCounts(config));
    return counts.all;
}

Result<ParameterCounts> parameterCounts(const RunConfig& config) {
    ACCUMULUS_TRY_ASSIGN(const auto sizes, inspectDataset(config.data, resourceFolder("datasets").parent_path()));
    return modelParameterCounts(config, sizes);
}

Result<std::int64_t> arenaSize(const RunConfig& config) {
    ACCUMULUS_TRY_ASSIGN(const auto sizes, inspectDataset(config.data, resourceFolder("datasets").parent_path()));
    ACCUMULUS_TRY_ASSIGN(const auto arenas, modelArenaSizes(config, sizes));
    return arenas.gradients;
}

} // namespace accumulus
