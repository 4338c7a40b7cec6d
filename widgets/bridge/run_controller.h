// SPDX-License-Identifier: GPL-3.0-or-later
// The GUI's side of training. Owns the QThread with the RunWorker, the RunControl, the EventPump and the queue. One
// study at a time; further ones queue, and one that fails ends nothing but itself. GUI thread only; training never runs
// here and nothing here waits for it (but the destructor, after a stop).
#pragma once

#include "core/base/result.h"
#include "core/config/experiment_config.h"
#include "core/run/run_control.h"
#include "core/run/run_events.h"
#include "widgets/bridge/study_queue.h"
#include "widgets/bridge/window_watch.h"

#include <QObject>
#include <QStringList>
#include <QThread>
#include <QTimer>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace accumulus::ui {

class RunWorker;
class EventPump;
struct JobOutcome;

class RunController : public QObject {
    Q_OBJECT
public:
    explicit RunController(std::filesystem::path library, QObject* parent = nullptr);
    ~RunController() override; ///< stops at the update boundary, with a checkpoint, and waits; leaves what is elsewhere

    void setLibrary(const std::filesystem::path& library); ///< only while idle
    void setMayTrain(bool may);                            ///< else nothing starts, because of the library
    void start(const ExperimentConfig& experiment);        ///< starts, or queues behind the running study
    void enqueue(const ExperimentConfig& experiment);      ///< queues; while nothing trains, the queue pauses with it
    void startElsewhere(const ExperimentConfig& experiment, const LaunchPlace& place); ///< the same in another place
    void follow(const QString& launch); ///< goes on following what is trained elsewhere
    void resumeRun(const QString& run); ///< where it was trained
    /// One after another, as one job: a stop ends all of them, and the end is told once.
    void resumeRuns(const QStringList& runs);
    /// Likewise, where memory ran out: what does not fit is computed in smaller parts, the effective batch stays.
    void resumeInSmallerParts(const QStringList& runs);

    void pause();
    void resume();
    void stop();
    void stopNow();
    /// While somebody holds it, nothing begins: what is started waits in the queue. For what limits memory, or counts
    /// it, for the whole process, and for who replaces the library.
    void setHeld(const void* by, bool held);
    [[nodiscard]] bool held() const { return !m_holders.empty(); }
    void leave(); ///< follows no more what is trained elsewhere; it goes on

    [[nodiscard]] bool busy() const;
    /// What runs is trained in another place, and goes on without this program.
    [[nodiscard]] bool isElsewhere() const;
    [[nodiscard]] RunState state() const; ///< of the current run; Completed when idle
    [[nodiscard]] StudyQueue& queue() { return m_queue; }
    [[nodiscard]] const StudyQueue& queue() const { return m_queue; }
    [[nodiscard]] std::size_t queued() const;
    /// The running study's runs with their latest state; empty when idle since the start.
    [[nodiscard]] const std::vector<RunRecord>& runs() const;
    [[nodiscard]] const QString& currentRun() const;
    /// Of the running study, or of the last one; empty before the first, and while one is prepared.
    [[nodiscard]] const QString& currentStudy() const;
    /// Of the run that this process trains; window 0 before the first, and of what other processes train.
    [[nodiscard]] const WindowProgress& openWindow() const { return m_watch.seen(); }

Q_SIGNALS:
    void windowProgressed(const accumulus::WindowProgress& progress); ///< at most 30 times a second
    /// Batches in order, at most 30 a second. The reference lives until the slot returns.
    void eventsArrived(const std::vector<accumulus::RunEvent>& events);
    void stateChanged(accumulus::RunState state);
    void studyStarted(const accumulus::StudyRecord& study);
    /// Runs of an older study go on: all of its runs, in the order in which they are trained, and those that will go
    /// on.
    void studyResumed(const std::vector<accumulus::RunRecord>& runs, const QStringList& resumed);
    /// `study`: empty if it came to nothing. `stopped`: it ended before all its runs were complete, by the person or by
    /// an error (then `failed` came before).
    void studyFinished(const QString& study, bool stopped);
    void failed(const accumulus::Error& error); ///< a sentence for the notice bar
    void queueChanged(std::size_t waiting);

private:
    void startOrQueue(QueuedStudy study);
    void train(const QueuedStudy& study);
    void startNext();
    void receive(const std::vector<RunEvent>& events);
    void apply(const RunEvent& event);
    /// `before`: so many events belong to what was trained before.
    void beginResumed(const std::vector<RunRecord>& runs, const QStringList& resumed, std::size_t before);
    void finish(const JobOutcome& outcome);
    void setState(RunState state);
    [[nodiscard]] RunRecord* findRun(const std::string& id);

    std::filesystem::path m_library;
    QThread m_thread;
    RunWorker* m_worker = nullptr;
    std::unique_ptr<EventPump> m_pump;
    RunControl m_control;
    WindowWatch m_watch{m_control.openWindow()};
    StudyQueue m_queue;
    QTimer m_clock; ///< for what starts at a given time
    std::vector<RunRecord> m_runs;
    QString m_currentRun;
    QString m_currentStudy;
    RunState m_state = RunState::Completed;
    bool m_mayTrain = true;
    bool m_busy = false;
    bool m_elsewhere = false;
    std::set<const void*> m_holders;
};

} // namespace accumulus::ui
