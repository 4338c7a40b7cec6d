// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/bridge/run_worker.h"

#include "core/launch/launched_study.h"
#include "core/launch/remote_study.h"
#include "core/run/study_runner.h"
#include "core/store/run_reader.h"

#include <algorithm>
#include <exception>

namespace accumulus::ui {
namespace {

/// Whatever escapes the core must not unwind into Qt's event loop, which would end the program.
template <class Work>
JobOutcome guarded(Work work) {
    try {
        return work();
    } catch (const std::exception& exception) {
        return {true, Error{"internal.exception", {{"place", "place.training"}, {"reason", exception.what()}}}, false};
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
            Q_EMIT goesOn(true);
            return outcomeOf(
                trainElsewhere(experiment, *place, library, m_control, m_receive, [this] { Q_EMIT accepted(); }));
        }
        const auto outcome = trainStudy(experiment, library, m_control, m_receive);
        if (!outcome)
            return {true, outcome.error(), false};
        return {outcome->stopped, outcome->error, false};
    }));
}

void RunWorker::follow(const std::string& launch, const std::filesystem::path& library) {
    Q_EMIT finished(guarded([&]() -> JobOutcome {
        Q_EMIT goesOn(true);
        return outcomeOf(followElsewhere(launch, library, m_control, m_receive));
    }));
}

namespace {

/// A study of the runs with all of its runs; one that is not found stands alone, and resuming it says why.
struct ResumedStudy {
    std::string id;
    std::vector<RunRecord> runs;
    std::vector<std::string> resumed; ///< in the order in which they are trained
};

Result<std::vector<ResumedStudy>> studiesOf(const std::vector<std::string>& runs,
                                            const std::filesystem::path& library) {
    ACCUMULUS_TRY_ASSIGN(auto opened, Library::open(library, Library::Mode::Read));
    RunReader reader(std::move(opened));
    std::vector<ResumedStudy> studies;
    for (const std::string& run : runs) {
        const auto record = reader.run(run);
        if (!record) {
            studies.push_back({{}, {}, {run}});
            continue;
        }
        auto known =
            record->study.empty() ? studies.end() : std::ranges::find(studies, record->study, &ResumedStudy::id);
        if (known == studies.end()) {
            known = studies.insert(studies.end(), ResumedStudy{record->study, {*record}, {}});
            if (!record->study.empty()) {
                ACCUMULUS_TRY_ASSIGN(known->runs, reader.runs({.trashed = false, .study = record->study}));
            }
            sortAsTrained(known->runs);
        }
        known->resumed.push_back(record->id);
    }
    for (ResumedStudy& study : studies)
        std::ranges::sort(study.resumed, {}, [&study](const std::string& run) {
            return std::ranges::find(study.runs, run, &RunRecord::id) - study.runs.begin();
        });
    return studies;
}

} // namespace

JobOutcome RunWorker::resumeOne(const std::string& run, const std::filesystem::path& library, bool smallerParts) {
    if (const auto trained = whereTrained(run, library); trained && trained->launch) {
        Q_EMIT goesOn(true);
        return outcomeOf(resumeElsewhere(trained->run, *trained->launch, library, m_control, m_receive));
    }
    Q_EMIT goesOn(false);
    ResumeOptions options;
    options.smallerParts = smallerParts;
    const auto outcome = resumeRun(run, library, m_control, m_receive, options);
    if (!outcome)
        return {true, outcome.error(), false};
    return {outcome->state == RunState::Stopped, outcome->error, false};
}

void RunWorker::resume(const std::vector<std::string>& runs, const std::filesystem::path& library, bool smallerParts) {
    Q_EMIT finished(guarded([&]() -> JobOutcome {
        const auto studies = studiesOf(runs, library);
        if (!studies)
            return {true, studies.error(), false};
        JobOutcome all;
        for (const ResumedStudy& study : *studies) {
            QStringList resumed;
            for (const std::string& run : study.resumed)
                resumed << QString::fromStdString(run);
            Q_EMIT resumes(study.runs, resumed);
            for (const std::string& run : study.resumed) {
                const JobOutcome one = resumeOne(run, library, smallerParts);
                all.left = all.left || one.left;
                if (one.error && !all.error)
                    all.error = one.error;
                const bool ended = one.left || m_control.left() || m_control.request() != RunControl::Request::None;
                all.stopped = all.stopped || one.stopped;
                if (ended)
                    return all;
            }
        }
        return all;
    }));
}

} // namespace accumulus::ui
