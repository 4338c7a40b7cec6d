// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/bridge/run_worker.h"

#include "core/launch/launched_study.h"
#include "core/launch/remote_study.h"
#include "core/run/study_runner.h"

#include <exception>

namespace accumulus::ui {
namespace {

/// Whatever escapes the core must not unwind into Qt's event loop, which would end the program.
template <class Work>
JobOutcome guarded(Work work) {
    try {
        return work();
    } catch (const std::exception& exception) {
        return {true, Error{"internal.exception", {{"place", "training"}, {"reason", exception.what()}}}, false};
    }
}

/// In this process, or on as many ranks as the experiment has devices.
Result<StudyOutcome> trainStudy(const ExperimentConfig& experiment, const std::filesystem::path& library,
                                RunControl& control, const RunEventReceiver& receive) {
    const std::int64_t ranks = experiment.run.batch.devices;
    if (ranks == 1)
        return runStudy(experiment, library, control, receive);
    ACCUMULUS_TRY_ASSIGN(const auto command, localRanksCommand(ranks, library));
    return launchStudy(experiment, command, control, receive);
}

} // namespace

RunWorker::RunWorker(RunControl& control, RunEventReceiver receive)
    : m_control(control), m_receive(std::move(receive)) {}

namespace {

JobOutcome outcomeOf(const Result<RemoteOutcome>& outcome) {
    if (!outcome)
        return {true, outcome.error(), false};
    return {outcome->study.stopped, outcome->study.error, outcome->left};
}

} // namespace

void RunWorker::train(const ExperimentConfig& experiment, const std::optional<LaunchPlace>& place,
                      const std::filesystem::path& library) {
    Q_EMIT finished(guarded([&]() -> JobOutcome {
        if (place) {
            Q_EMIT goesElsewhere();
            return outcomeOf(trainElsewhere(experiment, *place, library, m_control, m_receive));
        }
        const auto outcome = trainStudy(experiment, library, m_control, m_receive);
        if (!outcome)
            return {true, outcome.error(), false};
        return {outcome->stopped, outcome->error, false};
    }));
}

void RunWorker::follow(const std::string& launch, const std::filesystem::path& library) {
    Q_EMIT finished(guarded([&]() -> JobOutcome {
        Q_EMIT goesElsewhere();
        return outcomeOf(followElsewhere(launch, library, m_control, m_receive));
    }));
}

void RunWorker::resume(const std::string& run, const std::filesystem::path& library) {
    Q_EMIT finished(guarded([&]() -> JobOutcome {
        if (const auto trained = whereTrained(run, library); trained && trained->launch) {
            Q_EMIT goesElsewhere();
            return outcomeOf(resumeElsewhere(trained->run, *trained->launch, library, m_control, m_receive));
        }
        const auto outcome = resumeRun(run, library, m_control, m_receive);
        if (!outcome)
            return {true, outcome.error(), false};
        return {outcome->state != RunState::Completed, outcome->error, false};
    }));
}

} // namespace accumulus::ui
