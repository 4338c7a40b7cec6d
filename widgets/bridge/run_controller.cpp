// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/bridge/run_controller.h"

#include "widgets/bridge/event_pump.h"
#include "widgets/bridge/run_worker.h"

#include <algorithm>
#include <type_traits>
#include <variant>

namespace accumulus::ui {

RunController::RunController(std::filesystem::path library, QObject* parent)
    : QObject(parent), m_library(std::move(library)), m_pump(std::make_unique<EventPump>()) {
    m_worker =
        new RunWorker(m_control, [pump = m_pump.get()](std::span<const RunEvent> events) { pump->push(events); });
    m_worker->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
    connect(
        m_worker, &RunWorker::goesOn, this, [this](bool elsewhere) { m_elsewhere = m_busy && elsewhere; },
        Qt::QueuedConnection);
    // On the worker's thread: what was pushed until now is of the study before.
    connect(
        m_worker, &RunWorker::resumes, m_worker,
        [this](const std::vector<RunRecord>& runs, const QStringList& resumed) {
            QMetaObject::invokeMethod(
                this, [this, runs, resumed, before = m_pump->pushed()] { beginResumed(runs, resumed, before); },
                Qt::QueuedConnection);
        },
        Qt::DirectConnection);
    connect(m_worker, &RunWorker::finished, this, &RunController::finish, Qt::QueuedConnection);
    connect(m_pump.get(), &EventPump::arrived, this, &RunController::receive);
    m_thread.setObjectName(QStringLiteral("trainer"));
    m_thread.start();
}

RunController::~RunController() {
    m_jobs.clear();
    if (m_busy)
        m_elsewhere ? m_control.leave() : m_control.stop();
    if (!m_elsewhere)
        m_control.resume(); // a paused trainer would never see the stop
    m_thread.quit();
    m_thread.wait();
}

void RunController::setLibrary(const std::filesystem::path& library) {
    if (!m_busy)
        m_library = library;
}

void RunController::start(const ExperimentConfig& experiment) { enqueue({.experiment = experiment}); }

void RunController::startElsewhere(const ExperimentConfig& experiment, const LaunchPlace& place) {
    enqueue({.experiment = experiment, .place = place});
}

void RunController::follow(const QString& launch) { enqueue({.experiment = {}, .follow = launch.toStdString()}); }

void RunController::resumeRun(const QString& run) { resumeRuns({run}); }

void RunController::resumeRuns(const QStringList& runs) {
    Job job;
    for (const QString& run : runs)
        job.resume.push_back(run.toStdString());
    if (!runs.isEmpty())
        enqueue(std::move(job));
}

void RunController::enqueue(Job job) {
    m_jobs.push_back(std::move(job));
    if (m_busy)
        Q_EMIT queueChanged(m_jobs.size());
    else
        startNext();
}

void RunController::startNext() {
    if (m_busy || m_jobs.empty())
        return;
    Job job = std::move(m_jobs.front());
    m_jobs.pop_front();
    m_busy = true;
    m_elsewhere = job.place.has_value() || !job.follow.empty();
    m_control.reset();
    m_runs.clear();
    m_currentRun.clear();
    Q_EMIT queueChanged(m_jobs.size());
    setState(RunState::Starting);
    QMetaObject::invokeMethod(
        m_worker,
        [worker = m_worker, job = std::move(job), library = m_library] {
            if (!job.resume.empty())
                worker->resume(job.resume, library);
            else if (!job.follow.empty())
                worker->follow(job.follow, library);
            else
                worker->train(job.experiment, job.place, library);
        },
        Qt::QueuedConnection);
}

void RunController::pause() {
    if (m_busy)
        m_control.pause();
}

void RunController::resume() { m_control.resume(); }

void RunController::stop() {
    if (!m_busy)
        return;
    m_control.stop();
    m_control.resume();
    setState(RunState::Stopping);
}

void RunController::stopNow() {
    if (!m_busy)
        return;
    m_control.stopNow();
    m_control.resume();
    setState(RunState::Stopping);
}

void RunController::leave() {
    if (m_busy)
        m_control.leave();
}

void RunController::clearQueue() {
    m_jobs.clear();
    Q_EMIT queueChanged(0);
}

bool RunController::busy() const { return m_busy; }
bool RunController::isElsewhere() const { return m_elsewhere; }
RunState RunController::state() const { return m_state; }
std::size_t RunController::queued() const { return m_jobs.size(); }
const std::vector<RunRecord>& RunController::runs() const { return m_runs; }
const QString& RunController::currentRun() const { return m_currentRun; }
const QString& RunController::currentStudy() const { return m_currentStudy; }

RunRecord* RunController::findRun(const std::string& id) {
    const auto found = std::ranges::find(m_runs, id, &RunRecord::id);
    return found == m_runs.end() ? nullptr : &*found;
}

void RunController::setState(RunState state) {
    // A pause ends so that the run can stop: that it goes on for a moment is no news.
    if (m_control.request() != RunControl::Request::None && (state == RunState::Running || state == RunState::Paused))
        state = RunState::Stopping;
    if (state == m_state)
        return;
    m_state = state;
    Q_EMIT stateChanged(state);
}

void RunController::receive(const std::vector<RunEvent>& events) {
    for (const RunEvent& event : events)
        apply(event);
    Q_EMIT eventsArrived(events);
}

void RunController::apply(const RunEvent& event) {
    std::visit(
        [this](const auto& happened) {
            using Event = std::decay_t<decltype(happened)>;
            if constexpr (std::is_same_v<Event, StudyStarted>) {
                m_runs = happened.runs;
                m_currentStudy = QString::fromStdString(happened.study.id);
                Q_EMIT studyStarted(happened.study);
            } else if constexpr (std::is_same_v<Event, RunStarted>) {
                m_currentRun = QString::fromStdString(happened.run.id);
                if (m_currentStudy.toStdString() != happened.run.study)
                    m_currentStudy = QString::fromStdString(happened.run.study); // a resumed run starts no study
                if (RunRecord* known = findRun(happened.run.id))
                    *known = happened.run;
                else
                    m_runs.push_back(happened.run);
                setState(happened.run.state == RunState::Queued ? RunState::Running : happened.run.state);
            } else if constexpr (std::is_same_v<Event, RunStateChanged>) {
                if (RunRecord* known = findRun(happened.run))
                    known->state = happened.state;
                if (happened.state != RunState::Queued) // others may wait for their turn
                    setState(happened.state);
            } else if constexpr (std::is_same_v<Event, RunFinished>) {
                if (RunRecord* known = findRun(happened.run)) {
                    known->state = happened.state;
                    known->summary = happened.summary;
                }
                setState(happened.state);
            }
        },
        event);
}

void RunController::beginResumed(const std::vector<RunRecord>& runs, const QStringList& resumed, std::size_t before) {
    m_pump->flush(before);
    m_runs = runs;
    if (!runs.empty())
        m_currentStudy = QString::fromStdString(runs.front().study);
    Q_EMIT studyResumed(runs, resumed);
}

void RunController::finish(const JobOutcome& outcome) {
    m_pump->flush(); // the last events come before the end they lead to
    m_busy = false;
    m_elsewhere = false;
    if (outcome.error)
        Q_EMIT failed(*outcome.error);
    setState(outcome.left      ? RunState::Interrupted
             : outcome.error   ? RunState::Failed
             : outcome.stopped ? RunState::Stopped
                               : RunState::Completed);
    Q_EMIT studyFinished(m_currentStudy, outcome.left || outcome.stopped || outcome.error.has_value());
    startNext();
}

} // namespace accumulus::ui
