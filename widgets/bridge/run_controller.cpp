// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/bridge/run_controller.h"

#include "core/base/clock.h"
#include "widgets/bridge/background_thread.h"
#include "widgets/bridge/event_pump.h"
#include "widgets/bridge/run_worker.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <type_traits>
#include <variant>

namespace accumulus::ui {
namespace {
/// The computer may sleep, or its clock be set: a longer wait is made of short ones.
constexpr double longestWait = 20.0;
} // namespace

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
    connect(
        m_worker, &RunWorker::accepted, this, [this] { m_queue.begun(); }, Qt::QueuedConnection);
    connect(m_worker, &RunWorker::finished, this, &RunController::finish, Qt::QueuedConnection);
    connect(m_pump.get(), &EventPump::arrived, this, &RunController::receive);
    connect(&m_watch, &WindowWatch::progressed, this, &RunController::windowProgressed);
    connect(&m_queue, &StudyQueue::changed, this, [this] {
        Q_EMIT queueChanged(queued());
        startNext();
    });
    m_clock.setSingleShot(true);
    connect(&m_clock, &QTimer::timeout, this, &RunController::startNext);
    m_thread.setObjectName(QStringLiteral("trainer"));
    startInBackground(m_thread);
}

RunController::~RunController() {
    m_queue.disconnect(this);
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

void RunController::setMayTrain(bool may) {
    m_mayTrain = may;
    startNext();
}

namespace {

QueuedStudy studyOf(const ExperimentConfig& experiment) {
    QueuedStudy study;
    study.name = QString::fromStdString(experiment.study.name);
    study.experiment = experiment;
    return study;
}

} // namespace

void RunController::start(const ExperimentConfig& experiment) { startOrQueue(studyOf(experiment)); }

void RunController::startElsewhere(const ExperimentConfig& experiment, const LaunchPlace& place) {
    QueuedStudy study = studyOf(experiment);
    study.place = place;
    startOrQueue(std::move(study));
}

void RunController::follow(const QString& launch) {
    QueuedStudy study;
    study.follows = launch.toStdString();
    startOrQueue(std::move(study));
}

void RunController::resumeRun(const QString& run) { resumeRuns({run}); }

namespace {

QueuedStudy resumptionOf(const QStringList& runs, bool smallerParts) {
    QueuedStudy study;
    for (const QString& run : runs)
        study.resumes.push_back(run.toStdString());
    study.smallerParts = smallerParts;
    return study;
}

} // namespace

void RunController::resumeRuns(const QStringList& runs) {
    if (!runs.isEmpty())
        startOrQueue(resumptionOf(runs, false));
}

void RunController::resumeInSmallerParts(const QStringList& runs) {
    if (!runs.isEmpty())
        startOrQueue(resumptionOf(runs, true));
}

void RunController::enqueue(const ExperimentConfig& experiment) {
    if (m_busy || held() || queued() > 0)
        m_queue.add(studyOf(experiment));
    else
        m_queue.addPaused(studyOf(experiment));
}

/// Whoever starts something while nothing trains means it now, whatever the queue is waiting for.
void RunController::startOrQueue(QueuedStudy study) {
    if (!m_mayTrain)
        return;
    if (m_busy || held()) {
        m_queue.add(std::move(study));
        return;
    }
    m_busy = true; // before the queue says that it has changed
    m_queue.begin(study);
    train(study);
}

void RunController::startNext() {
    m_clock.stop();
    if (m_busy || held() || !m_mayTrain)
        return;
    m_busy = true;
    const double now = unixTime();
    if (const auto next = m_queue.take(now)) {
        train(*next);
        return;
    }
    m_busy = false;
    if (queued() == 0)
        m_queue.setPaused(false); // there is nothing left that it could hold up
    else if (const double at = m_queue.nextStart(now); at > 0.0 && !m_queue.isPaused())
        m_clock.start(std::chrono::milliseconds(std::llround(std::min(at - now, longestWait) * 1000.0) + 1));
}

void RunController::train(const QueuedStudy& study) {
    m_elsewhere = study.place.has_value() || !study.follows.empty();
    if (!study.follows.empty())
        m_queue.begun(); // its launch is kept by itself
    m_control.reset();
    m_watch.start();
    m_runs.clear();
    m_currentRun.clear();
    m_currentStudy.clear();
    setState(RunState::Starting);
    QMetaObject::invokeMethod(
        m_worker,
        [worker = m_worker, study, library = m_library] {
            if (!study.resumes.empty())
                worker->resume(study.resumes, library, study.smallerParts);
            else if (!study.follows.empty())
                worker->follow(study.follows, library);
            else
                worker->train(study.experiment, study.place, library);
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

void RunController::setHeld(const void* by, bool held) {
    if (held)
        m_holders.insert(by);
    else if (m_holders.erase(by) > 0)
        startNext();
}

bool RunController::busy() const { return m_busy; }
bool RunController::isElsewhere() const { return m_elsewhere; }
RunState RunController::state() const { return m_state; }
std::size_t RunController::queued() const { return m_queue.waiting().size(); }
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
                m_queue.begun();
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
    m_queue.begun();
    if (!runs.empty())
        m_currentStudy = QString::fromStdString(runs.front().study);
    Q_EMIT studyResumed(runs, resumed);
}

void RunController::finish(const JobOutcome& outcome) {
    m_pump->flush(); // the last events come before the end they lead to
    if (outcome.error)
        m_queue.putBack(*outcome.error); // unless it has begun
    m_queue.begun();                     // or it came to nothing
    m_watch.stop();
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
