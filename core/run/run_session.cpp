// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run_session.h"

#include "core/base/clock.h"
#include "core/base/kept_message.h"
#include "core/base/log.h"
#include "core/base/machine_features.h"
#include "core/config/experiment_file.h"
#include "core/data/dataset_hash.h"
#include "core/engine/engine_errors.h"
#include "core/run/environment.h"
#include "core/run/program.h"
#include "core/run/rank_log.h"
#include "core/run/run_files.h"
#include "core/train/lane_calibration.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace accumulus {
namespace {

/// Where a rank's log ends says more than that it is gone.
void sayLastWords(Error& error, const std::string& line) {
    if (line.empty())
        return;
    std::erase_if(error.arguments, [](const auto& argument) { return argument.first == "reason"; });
    error.arguments.emplace_back("reason", "reason.rank-log");
    error.arguments.emplace_back("line", line);
}

/// The system's words are the only thing that an error of a file says.
bool isDiskFull(const Error& error) {
    const std::string reason = error.argument("reason");
    return reason.find(std::strerror(ENOSPC)) != std::string::npos ||
           reason.find(std::strerror(EDQUOT)) != std::string::npos;
}

/// What others used in all sessions of a run: the mean over its active time. `earlier`: of the sessions before.
std::optional<double> othersOfAll(const RunSummary& summary, const RunSummary& earlier) {
    if (!summary.othersShare || !earlier.othersShare || !(summary.activeSeconds > 0.0))
        return summary.othersShare ? summary.othersShare : earlier.othersShare;
    const double before = std::clamp(earlier.activeSeconds / summary.activeSeconds, 0.0, 1.0);
    return before * *earlier.othersShare + (1.0 - before) * *summary.othersShare;
}

/// A run that is stopped before it measures something again keeps what was known of it.
RunSummary completed(RunSummary summary, const RunSummary& earlier) {
    const auto keep = [](std::optional<double>& value, const std::optional<double>& known) {
        if (!value)
            value = known;
    };
    // What one evaluation measured stays together.
    const auto keepAll = [&](auto loss, auto... others) {
        if (summary.*loss)
            return;
        summary.*loss = earlier.*loss;
        ((summary.*others = earlier.*others), ...);
    };
    using S = RunSummary;
    keepAll(&S::testLoss, &S::testAccuracy, &S::testTop5, &S::testMae, &S::testRmse, &S::testR2);
    keepAll(&S::validationLoss, &S::validationAccuracy, &S::validationMae, &S::validationRmse);
    keep(summary.finalTrainLoss, earlier.finalTrainLoss);
    keep(summary.bestTestAccuracy, earlier.bestTestAccuracy);
    keep(summary.bestValidationAccuracy, earlier.bestValidationAccuracy);
    summary.othersShare = othersOfAll(summary, earlier);
    summary.peakBytes = std::max(summary.peakBytes, earlier.peakBytes);
    summary.evaluationPeakBytes = std::max(summary.evaluationPeakBytes, earlier.evaluationPeakBytes);
    if (summary.checkpoint.empty())
        summary.checkpoint = earlier.checkpoint;
    return summary;
}

} // namespace

RunSession::RunSession(RunRecord run, std::filesystem::path folder, Recorder& recorder, RunControl& control,
                       std::optional<LanePlan>* measured, RankTeam* team)
    : m_run(std::move(run)), m_folder(std::move(folder)), m_recorder(recorder), m_control(control),
      m_measured(measured), m_keeper(m_run.config.checkpoint.keep, {}), m_team(team) {
    m_control.openWindow().set({}); // what it says is of the run before
    m_control.setPauseListener([this](bool paused) {
        // Posting may wait for a lagging recorder, which is what a pause does anyway.
        (void)m_recorder.post(RunStateChanged{m_run.id, paused ? RunState::Paused : RunState::Running});
    });
}

RunSession::~RunSession() { m_control.setPauseListener({}); }

Status RunSession::start(std::shared_ptr<const Dataset> data) { return begin(std::move(data), false, {}); }

Status RunSession::resume(std::shared_ptr<const Dataset> data, std::vector<CheckpointRecord> checkpoints) {
    return begin(std::move(data), true, std::move(checkpoints));
}

Status RunSession::restoreNewest(std::vector<CheckpointRecord>& checkpoints) {
    const auto older = [](const CheckpointRecord& a, const CheckpointRecord& b) {
        return std::pair(a.update, a.wallTime) < std::pair(b.update, b.wallTime);
    };
    std::ranges::stable_sort(checkpoints, older);
    const auto giveUpBest = [&](std::int64_t after) { // the best of what is given up is not the best of the run
        for (const CheckpointRecord& one : checkpoints)
            if (one.update > after && one.kind == CheckpointKind::Best)
                m_givenUp.push_back(one);
    };
    const auto isThere = [](const std::string& file) {
        std::error_code ignored;
        return std::filesystem::exists(file, ignored);
    };
    std::vector<const CheckpointRecord*> bundles; // newest first
    for (auto checkpoint = checkpoints.rbegin(); checkpoint != checkpoints.rend(); ++checkpoint)
        if (!checkpoint->bundlePath.empty())
            bundles.push_back(&*checkpoint);
    if (bundles.empty()) { // it was cut off before the first one: it starts again from its beginning
        giveUpBest(-1);
        checkpoints.clear();
        return {};
    }
    for (const CheckpointRecord* checkpoint : bundles) {
        const std::string name = std::filesystem::path(checkpoint->bundlePath).filename().string();
        if (!isThere(checkpoint->bundlePath)) {
            m_passedOver.push_back({"run.bundle-missing", {{"file", name}}});
            continue;
        }
        const Status restored = m_trainer->restore(checkpoint->bundlePath);
        if (!restored) {
            m_passedOver.push_back(restored.error());
            continue;
        }
        m_goesOnFrom = checkpoint->bundlePath;
        // The run will write again what lies beyond.
        giveUpBest(checkpoint->update);
        // Of others the files went, and the process ended before their rows did.
        const std::int64_t update = checkpoint->update;
        std::erase_if(checkpoints, [&](const CheckpointRecord& one) {
            const bool gone = one.update <= update && !isThere(one.weightsPath) && !isThere(one.bundlePath);
            if (gone)
                m_givenUp.push_back(one);
            return gone || one.update > update;
        });
        return {};
    }
    return failure("run.bundles-unusable",
                   {{"run", m_run.id}, {"reasons", messagesArgument(m_passedOver)}, {"folder", m_folder.string()}});
}

/// The other ranks learn what to compute, and all know whether all are ready. Without them nothing happens.
Status RunSession::summon(const Status& prepared, const std::string& dataHash, const DeviceChoice& choice) {
    if (!m_team || m_team->isBroken())
        return prepared;
    if (prepared)
        m_team->announce({m_run.id,
                          m_run.config,
                          m_run.seed,
                          {static_cast<int>(m_run.lanes), static_cast<int>(m_run.threads)},
                          m_folder,
                          m_goesOnFrom,
                          dataHash,
                          choice.device,
                          m_run.modelFileHash,
                          m_run.initialWeightsHash});
    return prepared ? m_team->agree(prepared) : prepared;
}

Status RunSession::begin(std::shared_ptr<const Dataset> data, bool resumed, std::vector<CheckpointRecord> checkpoints) {
    m_cores = m_team ? m_team->cores() : availableCores();
    ACCUMULUS_TRY_ASSIGN(const auto choice,
                         chooseDevice(m_run.config.device.kind, m_team ? m_team->ranks().localRank() : 0));
    const auto hash = readDatasetHash(*data);
    const Status prepared = hash ? prepare(data, resumed, checkpoints, choice) : failure(hash.error());
    ACCUMULUS_TRY(summon(prepared, hash.value_or(std::string()), choice));
    const Status told = tellStart(data->checksum, *hash, resumed, choice);
    if (!told && m_team) { // the others are about to train
        leaveRanks(m_team->ranks(), told.error());
        m_team->setBroken();
    }
    return told;
}

Status RunSession::tellStart(const std::string& checksum, const std::string& dataHash, bool resumed,
                             const DeviceChoice& choice) {
    m_run.totalUpdates = m_trainer->totalUpdates();
    m_run.environment = currentEnvironment();
    m_run.environment.device = choice.device;
    m_run.environment.driver = choice.driver;
    if (choice.isGpu())
        m_run.environment.hardware = choice.name + "; " + m_run.environment.hardware;
    m_run.environment.data = checksum;
    m_run.datasetHash = dataHash;
    m_run.modelTraits = m_trainer->modelTraits();
    m_run.state = RunState::Running;
    if (m_run.startedAt == 0.0) // the zero of its wall time, also when it goes on
        m_run.startedAt = unixTime();
    ACCUMULUS_TRY(m_recorder.post(RunStarted{m_run, resumed, m_trainer->windowsDone(), m_trainer->updatesDone()}));
    if (!m_givenUp.empty())
        ACCUMULUS_TRY(m_recorder.flush());
    for (const CheckpointRecord& one : m_givenUp) {
        removeCheckpointFiles(one, m_folder);
        ACCUMULUS_TRY(m_recorder.post(CheckpointRemoved{m_run.id, one.weightsPath}));
    }
    if (!m_passedOver.empty())
        noted("warning",
              {"run.bundle-passed-over",
               {{"reasons", messagesArgument(m_passedOver)},
                {"file", m_goesOnFrom.filename().string()},
                {"update", std::to_string(m_trainer->updatesDone())}}},
              m_trainer->updatesDone());
    if (machineFeatures().cuda && choice.note)
        noted("info", *choice.note, 0);
    for (const Message& note : m_trainer->modelNotes())
        noted("warning", note, 0);
    tellWeights(resumed);
    // Small networks spend their time outside of the products that bfloat16 makes faster.
    const bool large = m_trainer->parameterCount() > 5'000'000;
    if (large && !choice.isGpu() && m_run.config.numerics.precision == Precision::Fp32 && machineFeatures().fastBf16)
        noted("info", {"precision.bf16", {}}, 0);
    return {};
}

/// Where the weights come from, and how many of them are trained.
void RunSession::tellWeights(bool resumed) {
    for (const Message& note : m_fileNotes)
        noted("info", note, m_trainer->updatesDone());
    if (resumed)
        return;
    for (const Message& note : m_trainer->startNotes())
        noted("info", note, 0);
    const std::int64_t all = m_trainer->parameterCount(), frozen = m_trainer->frozenCount();
    if (frozen > 0)
        noted("info",
              {"model.frozen",
               {{"frozen", std::to_string(frozen)},
                {"trained", std::to_string(all - frozen)},
                {"parameters", std::to_string(all)}}},
              0);
}

Status RunSession::prepare(std::shared_ptr<const Dataset> data, bool resumed,
                           std::vector<CheckpointRecord>& checkpoints, const DeviceChoice& choice) {
    TrainerSetup setup;
    setup.weightsFollow = resumed && std::ranges::any_of(checkpoints, [](const CheckpointRecord& one) {
                              return !one.bundlePath.empty();
                          });
    ACCUMULUS_TRY_ASSIGN(m_fileNotes, takeFileHashes(m_run, setup.weightsFollow));
    setup.config = m_run.config;
    setup.seed = m_run.seed;
    setup.data = data;
    setup.folder = m_folder;
    // A resumed run keeps what was resolved first, so that it ends with the same bits; but one lane of one thread is
    // what a GPU needs, and says nothing about this CPU.
    const bool wasOnGpu = m_run.environment.device.starts_with("cuda");
    const bool keepsLanes = resumed && m_run.lanes > 0 && (choice.isGpu() || !wasOnGpu);
    setup.lanes = keepsLanes ? LanePlan{static_cast<int>(m_run.lanes), static_cast<int>(m_run.threads)}
                             : resolveLanes(m_run.config.device, m_run.arm, m_run.batch.largestSteps(), m_cores);
    if (choice.isGpu())
        setup.lanes = {1, 1};
    setup.metadata = {{"accumulus.run", m_run.id},
                      {"accumulus.config", runConfigJson(m_run.config)},
                      {"accumulus.seed", std::to_string(m_run.seed)},
                      {"accumulus.arm", armName(m_run.arm)},
                      {"accumulus.program", programName()}};
    if (!data->preparation.empty())
        setup.metadata["accumulus.preparation"] = data->preparation;
    if (!m_run.modelFileHash.empty())
        setup.metadata["accumulus.model_file_hash"] = m_run.modelFileHash;
    if (!m_run.initialWeightsHash.empty())
        setup.metadata["accumulus.initial_weights_hash"] = m_run.initialWeightsHash;
    m_run.lanes = setup.lanes.lanes;
    m_run.threads = setup.lanes.threads;
    m_run.trainSamples = data->trainCount();
    const bool open = !choice.isGpu() && m_run.config.device.lanes == 0 && m_run.arm == Arm::Accumulated;
    if (open && !keepsLanes) {
        ACCUMULUS_TRY(Trainer::check(setup));
        ACCUMULUS_TRY_ASSIGN(const auto calibrated, lanesFor(setup));
        setup.lanes = calibrated;
        m_run.lanes = setup.lanes.lanes;
        m_run.threads = setup.lanes.threads;
    }
    setup.ranks = m_team ? &m_team->ranks() : nullptr; // lanes are measured by this rank alone
    ACCUMULUS_TRY_ASSIGN(auto trainer, Trainer::create(std::move(setup)));
    m_trainer = std::move(trainer);
    if (resumed) {
        ACCUMULUS_TRY(restoreNewest(checkpoints));
        m_keeper = CheckpointKeeper(m_run.config.checkpoint.keep, std::move(checkpoints));
    }
    return {};
}

Result<LanePlan> RunSession::lanesFor(const TrainerSetup& setup) {
    if (m_measured && *m_measured)
        return **m_measured;
    auto plan = calibrateLanes(setup, m_cores);
    if (plan && m_measured)
        *m_measured = *plan;
    return plan;
}

RunFinished RunSession::unfinished() const { return {m_run.id, RunState::Failed, {}, m_run.arm, m_run.seed, {}}; }

RunFinished RunSession::train(const RunSummary& earlier) {
    std::optional<RankLog> log;
    if (m_team)
        log.emplace(m_folder, 0, this, m_control);
    m_load.skip(); // building the model is no training
    m_pausedAtLoad = pausedSeconds();
    TrainingEnd end = m_trainer->train(log ? static_cast<TrainingObserver&>(*log) : *this);
    if (m_team && m_trainer->ranksLeft()) {
        m_team->setBroken(end.error.value_or(Error()));
        if (m_team->lostRank())
            sayLastWords(*end.error, lastLineOf(rankLogFile(m_folder, *m_team->lostRank())));
    }
    if (log && end.error)
        log->line(describe(*end.error));
    RunFinished finished = unfinished();
    countLoad();
    if (!m_team) // other ranks are no other programs
        end.summary.othersShare = m_load.othersShare();
    finished.summary = completed(end.summary, earlier);
    finished.error = end.error;
    finished.state = end.error ? RunState::Failed : end.stopped ? RunState::Stopped : RunState::Completed;
    if (const Status posted = m_recorder.post(finished); !posted && !finished.error)
        finished.error = posted.error();
    return finished;
}

RunFinished RunSession::fail(const Error& error) {
    RunFinished finished = unfinished();
    finished.error = error;
    (void)m_recorder.post(finished);
    return finished;
}

TrainingObserver::Wish RunSession::proceed() { return wishOf(m_control); }
double RunSession::pausedSeconds() const { return m_control.pausedSeconds(); }
void RunSession::windowProgressed(const WindowProgress& progress) { m_control.openWindow().set(progress); }
Status RunSession::windowClosed(const WindowRecord& window) {
    constexpr double lookEvery = 1.0; // s
    if (m_sinceLoad.seconds() >= lookEvery)
        countLoad();
    return m_recorder.post(WindowClosed{m_run.id, window});
}
/// What others did in a pause has slowed nothing down.
void RunSession::countLoad() {
    m_sinceLoad.lap();
    const double paused = pausedSeconds();
    std::exchange(m_pausedAtLoad, paused) == paused ? m_load.count() : m_load.skip();
}

Status RunSession::microStepProbed(const MicroStepRecord& microStep) {
    return m_recorder.post(MicroStepProbed{m_run.id, microStep});
}
Status RunSession::evaluated(const EvaluationRecord& evaluation) {
    return m_recorder.post(Evaluated{m_run.id, evaluation});
}

Status RunSession::checkpointBegins() {
    // The folder belongs to whoever owns the run. A library that cannot be written is no reason not to save.
    if (const auto problem = m_recorder.problem(); problem && problem->code == "run.taken-over")
        return failure(*problem);
    return {};
}

/// Files first, then the row, and what it makes superfluous only after that: whenever the process or the machine ends,
/// the library names a bundle that is there.
Status RunSession::checkpointSaved(const CheckpointRecord& checkpoint) {
    m_waitsForSpace = false;
    ACCUMULUS_TRY(m_recorder.flush()); // whoever goes on from it has been told of all windows before it
    ACCUMULUS_TRY(m_recorder.post(CheckpointSaved{m_run.id, checkpoint}));
    ACCUMULUS_TRY(m_recorder.flush());
    for (const CheckpointRecord& superfluous : m_keeper.saved(checkpoint)) {
        removeCheckpointFiles(superfluous, m_folder);
        ACCUMULUS_TRY(m_recorder.post(CheckpointRemoved{m_run.id, superfluous.weightsPath}));
    }
    return {};
}

/// A full disk is waited for, as the recorder waits for it; whoever wants to stop now does not.
bool RunSession::checkpointFailed(const Error& error) {
    if (!isDiskFull(error) || m_control.request() == RunControl::Request::StopNow)
        return false;
    if (!std::exchange(m_waitsForSpace, true)) {
        const Message waits{"checkpoint.disk-full", error.arguments};
        logError(messageText(waits));
        noted("error", waits, m_trainer->updatesDone());
    }
    constexpr auto retryTime = std::chrono::seconds(1);
    m_control.waitForStopNow(retryTime);
    return m_control.request() != RunControl::Request::StopNow;
}

void RunSession::noted(const std::string& level, const Message& message, std::int64_t update) {
    (void)m_recorder.post(RunNoted{m_run.id, {unixTime(), level, message.code, messageText(message), update}, message});
}

} // namespace accumulus
