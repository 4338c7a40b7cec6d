// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/bridge/run_worker.h"

#include "core/run/launched_study.h"
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
        return {true, Error{"internal.exception", {{"place", "training"}, {"reason", exception.what()}}}};
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

void RunWorker::train(const ExperimentConfig& experiment, const std::filesystem::path& library) {
    Q_EMIT finished(guarded([&]() -> JobOutcome {
        const auto outcome = trainStudy(experiment, library, m_control, m_receive);
        if (!outcome)
            return {true, outcome.error()};
        return {outcome->stopped, outcome->error};
    }));
}

void RunWorker::resume(const std::string& run, const std::filesystem::path& library) {
    Q_EMIT finished(guarded([&]() -> JobOutcome {
        const auto outcome = resumeRun(run, library, m_control, m_receive);
        if (!outcome)
            return {true, outcome.error()};
        return {outcome->state != RunState::Completed, outcome->error};
    }));
}

} // namespace accumulus::ui
