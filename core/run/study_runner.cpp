// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/study_runner.h"

#include "core/base/clock.h"
#include "core/base/hash.h"
#include "core/config/config_check.h"
#include "core/config/config_fields.h"
#include "core/config/experiment_file.h"
#include "core/run/environment.h"
#include "core/run/run_session.h"
#include "core/store/run_reader.h"
#include "core/train/checkpoint_info.h"

#include <algorithm>

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

std::string defaultStudyName(const RunConfig& config) {
    return config.model.name + " on " + config.data.dataset + ", B = " + std::to_string(config.batch.effective);
}

RunRecord makeRecord(const PlannedRun& planned, const StudyRecord& study) {
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
    const auto batch = resolveBatch(planned.config.batch);
    run.effective = batch->effective;
    run.micro = batch->micro;
    run.steps = batch->steps;
    run.createdAt = study.createdAt;
    run.heartbeat = study.createdAt;
    run.owner = thisProcess();
    return run;
}

/// Of the newest checkpoint that a run can go on from; empty: there is none. What lies beyond it is left out of the
/// list, which is then sorted from the oldest on: the run will write those checkpoints again.
std::filesystem::path newestBundle(std::vector<CheckpointRecord>& checkpoints) {
    std::ranges::stable_sort(checkpoints, {}, &CheckpointRecord::update);
    const auto usable = [](const CheckpointRecord& checkpoint) {
        std::error_code ignored;
        return !checkpoint.bundlePath.empty() && std::filesystem::exists(checkpoint.bundlePath, ignored);
    };
    const auto newest = std::ranges::find_if(checkpoints.rbegin(), checkpoints.rend(), usable);
    if (newest == checkpoints.rend()) {
        checkpoints.clear();
        return {};
    }
    const CheckpointRecord found = *newest;
    std::erase_if(checkpoints, [&](const CheckpointRecord& checkpoint) { return checkpoint.update > found.update; });
    return found.bundlePath;
}

} // namespace

namespace {

/// The partner of `accumulated`, whose batch is resolved as `batch`.
PlannedRun largeBatchArm(PlannedRun accumulated, const BatchPlan& batch, const StudyConfig& study) {
    PlannedRun large = std::move(accumulated);
    RunConfig& config = large.config;
    large.arm = Arm::LargeBatch;
    config.batch.micro = batch.largestEffective();
    config.batch.devices = 1;
    if (!batch.ramp.empty())
        config.batch.ragged = RaggedPolicy::Weight; // smaller windows are one smaller micro-batch
    if (config.data.dropLast && config.data.dropMultiple == 0)
        config.data.dropMultiple = batch.micro;
    if (study.ghost && config.numerics.ghost == 0)
        config.numerics.ghost = batch.micro;
    config.device.lanes = 1;
    config.device.threads = 0;
    return large;
}

} // namespace

Result<std::vector<PlannedRun>> planStudy(const ExperimentConfig& experiment) {
    ACCUMULUS_TRY_ASSIGN(const auto batch, resolveBatch(experiment.run.batch));
    std::vector<PlannedRun> runs;
    for (const std::int64_t seed : experiment.study.seeds) {
        PlannedRun run{Arm::Accumulated, seed, experiment.run};
        run.config.batch.effective = batch.effective;
        run.config.batch.steps = 0;
        runs.push_back(run);
        if (experiment.study.largeBatch)
            runs.push_back(largeBatchArm(run, batch, experiment.study));
    }
    return runs;
}

Result<StudyOutcome> runStudy(const ExperimentConfig& experiment, const std::filesystem::path& library,
                              RunControl& control, const RunEventReceiver& receive) {
    DataCache cache;
    ACCUMULUS_TRY_ASSIGN(const auto data, cache.get(experiment.run.data));
    ACCUMULUS_TRY(requireValid(experiment, data->trainCount()));
    ACCUMULUS_TRY_ASSIGN(const auto planned, planStudy(experiment));
    ACCUMULUS_TRY_ASSIGN(auto opened, Library::open(library, Library::Mode::Write));
    const std::filesystem::path root = opened.runFolder("x").parent_path();

    StudyOutcome outcome;
    outcome.study.id = newUuid();
    outcome.study.config = experiment.study;
    outcome.study.name = experiment.study.name.empty() ? defaultStudyName(experiment.run) : experiment.study.name;
    outcome.study.createdAt = unixTime();
    std::vector<RunRecord> runs;
    for (const PlannedRun& run : planned)
        runs.push_back(makeRecord(run, outcome.study));

    Recorder recorder(RunStore(std::move(opened)), receive, givesUpWhenStoppedNow(control));
    ACCUMULUS_TRY(recorder.post(StudyStarted{outcome.study, runs}));
    StudyFinished finished;
    finished.study = outcome.study.id;
    std::optional<LanePlan> measuredLanes;
    for (const RunRecord& run : runs) {
        if (control.request() != RunControl::Request::None) {
            outcome.stopped = true;
            break;
        }
        RunSession session(run, root / run.id, recorder, control, &measuredLanes);
        const Status started = session.start(data);
        outcome.runs.push_back(started ? session.train() : session.fail(started.error()));
        if (outcome.runs.back().error) {
            finished.error = outcome.runs.back().error;
            break;
        }
        outcome.stopped = outcome.stopped || outcome.runs.back().state == RunState::Stopped;
        if (outcome.stopped)
            break;
    }
    // Runs that were never started do not stay in the queue for ever.
    for (std::size_t i = outcome.runs.size(); i < runs.size(); ++i)
        ACCUMULUS_TRY(recorder.post(RunStateChanged{runs[i].id, RunState::Stopped}));
    finished.stopped = outcome.stopped;
    ACCUMULUS_TRY(recorder.post(finished));
    ACCUMULUS_TRY(recorder.flush());
    if (finished.error)
        return failure(*finished.error);
    return outcome;
}

Result<RunFinished> resumeRun(const std::string& run, const std::filesystem::path& library, RunControl& control,
                              const RunEventReceiver& receive) {
    ACCUMULUS_TRY_ASSIGN(auto opened, Library::open(library, Library::Mode::Write));
    RunStore store(std::move(opened));
    ACCUMULUS_TRY(store.markInterrupted(unixTime()));
    ACCUMULUS_TRY_ASSIGN(auto readable, Library::open(library, Library::Mode::Read));
    RunReader reader(std::move(readable));
    ACCUMULUS_TRY_ASSIGN(auto record, reader.run(run));
    if (lifeOf(record.owner) == OwnerLife::Alive)
        return failure(
            "run.busy",
            {{"run", record.id}, {"state", runStateName(record.state)}, {"process", std::to_string(record.owner.pid)}});
    if (!isResumable(record.state))
        return failure("run.not-resumable", {{"run", record.id}, {"state", runStateName(record.state)}});
    ACCUMULUS_TRY_ASSIGN(auto checkpoints, reader.checkpoints(record.id));
    // A run that was cut off before its first checkpoint starts again from its beginning.
    const std::filesystem::path bundle = newestBundle(checkpoints);
    DataCache cache;
    ACCUMULUS_TRY_ASSIGN(const auto data, cache.get(record.config.data));
    const bool begun = record.startedAt > 0.0; // else it was cut off while it waited for its turn
    record.attempt += begun ? 1 : 0;
    Recorder recorder(std::move(store), receive, givesUpWhenStoppedNow(control));
    RunSession session(record, reader.library().runFolder(record.id), recorder, control);
    const Status started = begun ? session.resume(data, bundle, std::move(checkpoints)) : session.start(data);
    const RunFinished finished = started ? session.train() : session.fail(started.error());
    StudyFinished end{record.study, finished.state == RunState::Stopped, finished.error};
    ACCUMULUS_TRY(recorder.post(end));
    ACCUMULUS_TRY(recorder.flush());
    if (finished.error)
        return failure(*finished.error);
    return finished;
}

Result<DataSummary> inspectData(const DataConfig& data, const std::string& /*model*/) {
    ACCUMULUS_TRY_ASSIGN(const auto sizes, inspectDataset(data, resourceFolder("datasets").parent_path()));
    return DataSummary{sizes.train, sizes.test, sizes.facts};
}

Result<std::int64_t> parameterCount(const RunConfig& config) {
    ACCUMULUS_TRY_ASSIGN(const auto sizes, inspectDataset(config.data, resourceFolder("datasets").parent_path()));
    return modelParameterCount(config.model, sizes);
}

} // namespace accumulus
