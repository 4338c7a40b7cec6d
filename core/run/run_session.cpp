// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run_session.h"

#include "core/base/clock.h"
#include "core/base/machine_features.h"
#include "core/config/experiment_file.h"
#include "core/run/environment.h"
#include "core/train/lane_calibration.h"

namespace accumulus {

RunSession::RunSession(RunRecord run, std::filesystem::path folder, Recorder& recorder, RunControl& control,
                       std::optional<LanePlan>* measured)
    : m_run(std::move(run)), m_folder(std::move(folder)), m_recorder(recorder), m_control(control),
      m_measured(measured) {
    m_control.setPauseListener([this](bool paused) {
        // Posting may wait for a lagging recorder, which is what a pause does anyway.
        (void)m_recorder.post(RunStateChanged{m_run.id, paused ? RunState::Paused : RunState::Running});
    });
}

RunSession::~RunSession() { m_control.setPauseListener({}); }

Status RunSession::start(std::shared_ptr<const Dataset> data) { return begin(std::move(data), false, {}, {}); }

Status RunSession::resume(std::shared_ptr<const Dataset> data, const std::filesystem::path& bundle,
                          std::vector<CheckpointRecord> older) {
    return begin(std::move(data), true, bundle, std::move(older));
}

Status RunSession::begin(std::shared_ptr<const Dataset> data, bool resumed, const std::filesystem::path& bundle,
                         std::vector<CheckpointRecord> older) {
    TrainerSetup setup;
    setup.config = m_run.config;
    setup.seed = m_run.seed;
    setup.data = data;
    setup.folder = m_folder;
    setup.olderCheckpoints = std::move(older);
    ACCUMULUS_TRY_ASSIGN(const auto batch, resolveBatch(m_run.config.batch));
    // A resumed run keeps what was resolved first, so that it ends with the same bits.
    setup.lanes = resumed && m_run.lanes > 0
                      ? LanePlan{static_cast<int>(m_run.lanes), static_cast<int>(m_run.threads)}
                      : resolveLanes(m_run.config.device, m_run.arm, batch.largestSteps(), availableCores());
    ACCUMULUS_TRY_ASSIGN(const auto choice, chooseDevice(m_run.config.device.kind));
    if (choice.isGpu())
        setup.lanes = {1, 1};
    setup.metadata = {{"accumulus.run", m_run.id},
                      {"accumulus.config", runConfigJson(m_run.config)},
                      {"accumulus.seed", std::to_string(m_run.seed)},
                      {"accumulus.arm", armName(m_run.arm)},
                      {"accumulus.program", currentEnvironment().program}};
    m_run.effective = batch.effective;
    m_run.micro = batch.micro;
    m_run.steps = batch.steps;
    m_run.lanes = setup.lanes.lanes;
    m_run.threads = setup.lanes.threads;
    m_run.trainSamples = data->trainCount();
    const bool open = !choice.isGpu() && m_run.config.device.lanes == 0 && m_run.arm == Arm::Accumulated;
    if (open && !(resumed && m_run.lanes > 0)) {
        ACCUMULUS_TRY_ASSIGN(const auto calibrated, lanesFor(setup));
        setup.lanes = calibrated;
        m_run.lanes = setup.lanes.lanes;
        m_run.threads = setup.lanes.threads;
    }
    ACCUMULUS_TRY_ASSIGN(auto trainer, Trainer::create(std::move(setup)));
    m_trainer = std::move(trainer);
    if (!bundle.empty())
        ACCUMULUS_TRY(m_trainer->restore(bundle));
    m_run.totalUpdates = m_trainer->totalUpdates();
    m_run.environment = currentEnvironment();
    m_run.environment.device = choice.device;
    if (choice.isGpu())
        m_run.environment.hardware = choice.name + "; " + m_run.environment.hardware;
    m_run.environment.data = data->checksum;
    m_run.state = RunState::Running;
    m_run.startedAt = unixTime();
    m_run.owner = thisProcess();
    ACCUMULUS_TRY(m_recorder.post(RunStarted{m_run, resumed, m_trainer->windowsDone(), m_trainer->updatesDone()}));
    if (machineFeatures().cuda && choice.note)
        noted("info", *choice.note, 0);
    // Small networks spend their time outside of the products that bfloat16 makes faster.
    const bool large = m_trainer->parameterCount() > 5'000'000;
    if (large && !choice.isGpu() && m_run.config.numerics.precision == Precision::Fp32 && machineFeatures().fastBf16)
        noted("info", {"precision.bf16", {}}, 0);
    return {};
}

Result<LanePlan> RunSession::lanesFor(const TrainerSetup& setup) {
    if (m_measured && *m_measured)
        return **m_measured;
    auto plan = calibrateLanes(setup, availableCores());
    if (plan && m_measured)
        *m_measured = *plan;
    return plan;
}

RunFinished RunSession::train() {
    const TrainingEnd end = m_trainer->train(*this);
    RunFinished finished;
    finished.run = m_run.id;
    finished.arm = m_run.arm;
    finished.seed = m_run.seed;
    finished.summary = end.summary;
    finished.error = end.error;
    finished.state = end.error ? RunState::Failed : end.stopped ? RunState::Stopped : RunState::Completed;
    if (const Status posted = m_recorder.post(finished); !posted && !finished.error)
        finished.error = posted.error();
    return finished;
}

RunFinished RunSession::fail(const Error& error) {
    RunFinished finished;
    finished.run = m_run.id;
    finished.arm = m_run.arm;
    finished.seed = m_run.seed;
    finished.state = RunState::Failed;
    finished.error = error;
    (void)m_recorder.post(finished);
    return finished;
}

TrainingObserver::Wish RunSession::proceed() {
    m_control.waitWhilePaused();
    switch (m_control.request()) {
    case RunControl::Request::None:
        return Wish::GoOn;
    case RunControl::Request::Stop:
        return Wish::Stop;
    case RunControl::Request::StopNow:
        return Wish::StopNow;
    }
    return Wish::GoOn;
}

double RunSession::pausedSeconds() const { return m_control.pausedSeconds(); }
Status RunSession::windowClosed(const WindowRecord& window) { return m_recorder.post(WindowClosed{m_run.id, window}); }
Status RunSession::microStepProbed(const MicroStepRecord& microStep) {
    return m_recorder.post(MicroStepProbed{m_run.id, microStep});
}
Status RunSession::evaluated(const EvaluationRecord& evaluation) {
    return m_recorder.post(Evaluated{m_run.id, evaluation});
}
Status RunSession::checkpointSaved(const CheckpointRecord& checkpoint) {
    return m_recorder.post(CheckpointSaved{m_run.id, checkpoint});
}
Status RunSession::checkpointRemoved(const std::string& weightsPath) {
    return m_recorder.post(CheckpointRemoved{m_run.id, weightsPath});
}

void RunSession::noted(const std::string& level, const Message& message, std::int64_t update) {
    (void)m_recorder.post(RunNoted{m_run.id, {unixTime(), level, message.code, messageText(message), update}, message});
}

} // namespace accumulus
