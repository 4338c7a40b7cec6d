// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/bridge/run_worker.h"

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

} // namespace

RunWorker::RunWorker(RunControl& control, RunEventReceiver receive)
    : m_control(control), m_receive(std::move(receive)) {}

void RunWorker::train(const ExperimentConfig& experiment, const std::filesystem::path& library) {
    Q_EMIT finished(guarded([&]() -> JobOutcome {
        const auto outcome = runStudy(experiment, library, m_control, m_receive);
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
