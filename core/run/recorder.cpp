// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/recorder.h"

#include "core/base/clock.h"
#include "core/base/log.h"

#include <algorithm>
#include <array>
#include <chrono>

namespace accumulus {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t capacity = 8192;
constexpr std::size_t batchRows = 500;
constexpr auto batchTime = 250ms;
constexpr auto retryTime = 1s;
constexpr double heartbeatSeconds = 1.0;

} // namespace

bool mayPass(const Error& error) {
    static constexpr std::array codes{"library.locked", "library.disk-full", "library.write", "library.open"};
    return std::ranges::find(codes, error.code) != codes.end();
}

Recorder::Recorder(RunStore store, RunEventReceiver receive, std::function<bool()> givesUp)
    : m_store(std::move(store)), m_receive(std::move(receive)), m_givesUp(std::move(givesUp)),
      m_thread([this] { loop(); }) {}

Recorder::~Recorder() {
    {
        const std::lock_guard lock(m_mutex);
        m_quit = true;
    }
    m_posted.notify_all();
    m_thread.join();
}

Status Recorder::post(RunEvent event) { return push({&event, 1}, std::nullopt); }

Status Recorder::post(std::vector<RunEvent> events, LaunchRecord launch) { return push(events, std::move(launch)); }

Status Recorder::push(std::span<RunEvent> events, std::optional<LaunchRecord> launch) {
    std::unique_lock lock(m_mutex);
    if (m_queue.size() >= capacity && !m_error) {
        const Stopwatch stopwatch;
        m_drained.wait(lock, [this] { return m_queue.size() < capacity || m_error; });
        m_waitSeconds += stopwatch.seconds();
    }
    if (m_error)
        return failure(*m_error);
    const std::size_t before = m_queue.size();
    m_queue.insert(m_queue.end(), std::make_move_iterator(events.begin()), std::make_move_iterator(events.end()));
    m_postedCount += events.size() + (launch ? 1 : 0);
    if (launch)
        m_launch = std::move(launch);
    if (before == 0 || (before < batchRows && m_queue.size() >= batchRows))
        m_posted.notify_one();
    return {};
}

Status Recorder::flush() {
    std::unique_lock lock(m_mutex);
    const std::uint64_t wanted = m_postedCount;
    m_hurry = true;
    m_posted.notify_one();
    m_drained.wait(lock, [&] { return m_doneCount >= wanted || m_error; });
    m_hurry = false;
    return m_error ? Status(failure(*m_error)) : Status();
}

void Recorder::giveUpOnFailure() {
    const std::lock_guard lock(m_mutex);
    m_giveUp = true;
    m_posted.notify_all();
}

void Recorder::keepAlive(const std::string& run, std::int64_t attempt) {
    const std::lock_guard lock(m_mutex);
    m_claimed[run] = attempt;
}

std::optional<Error> Recorder::problem() const {
    const std::lock_guard lock(m_mutex);
    return m_error;
}

double Recorder::waitSeconds() const {
    const std::lock_guard lock(m_mutex);
    return m_waitSeconds;
}

void Recorder::loop() {
    std::unique_lock lock(m_mutex);
    for (;;) {
        // Gather for 250 ms after the first event, or until the batch is full or somebody waits.
        m_posted.wait_for(lock, std::chrono::duration<double>(heartbeatSeconds),
                          [this] { return hasWork() || m_quit; });
        if (hasWork() && !m_quit)
            m_posted.wait_for(lock, batchTime, [this] { return m_queue.size() >= batchRows || m_quit || m_hurry; });
        if (!hasWork() && m_quit)
            return;
        const std::uint64_t upTo = m_postedCount;
        Batch batch;
        batch.events.assign(std::make_move_iterator(m_queue.begin()), std::make_move_iterator(m_queue.end()));
        batch.launch = std::exchange(m_launch, std::nullopt);
        m_queue.clear();
        for (const auto& [run, attempt] : m_claimed) {
            m_alive.insert(run);
            m_attempts[run] = attempt;
        }
        m_claimed.clear();
        m_drained.notify_all();
        lock.unlock();
        const bool good = (batch.events.empty() && !batch.launch) || writeUntilDone(batch);
        if (good) {
            writeHeartbeats();
            if (m_receive && !batch.events.empty())
                m_receive(batch.events);
        }
        lock.lock();
        m_doneCount = upTo;
        m_drained.notify_all();
        if (!good)
            return; // m_error is set: post() and flush() fail from now on
    }
}

bool Recorder::writeUntilDone(Batch& batch) {
    bool told = false;
    for (;;) {
        const Status status = write(batch);
        if (status)
            return true;
        if (!mayPass(status.error())) {
            // What comes before what was refused. Of a journal it is read once more: all of a batch counts, or nothing.
            batch.events.resize(batch.launch ? 0 : m_written);
            if (!batch.events.empty() && write(batch) && m_receive)
                m_receive(batch.events);
            tell(status.error(), "The library cannot be written; the run ends.");
            const std::lock_guard lock(m_mutex);
            m_error = status.error();
            return false;
        }
        if (!told) {
            told = true;
            tell(status.error(), "The library cannot be written; training waits.");
        }
        const bool asked = m_givesUp && m_givesUp();
        std::unique_lock lock(m_mutex);
        m_giveUp = m_giveUp || asked;
        m_posted.wait_for(lock, retryTime, [this] { return m_giveUp || m_quit; });
        if (m_giveUp || m_quit) {
            m_error = status.error();
            return false;
        }
    }
}

void Recorder::tell(const Error& error, const std::string& consequence) {
    logError(consequence + " " + describe(error));
    if (!m_receive)
        return;
    const RunEvent event = RunNoted{m_activeRun, {unixTime(), "error", error.code, describe(error), 0}, error};
    m_receive({&event, 1});
}

Status Recorder::write(const Batch& written) {
    const std::vector<RunEvent>& batch = written.events;
    m_isJournal = written.launch.has_value();
    m_rows.clear();
    m_written = 0;
    ACCUMULUS_TRY(m_store.begin());
    Status status;
    for (std::size_t i = 0; i < batch.size() && status; ++i) {
        const auto* closed = std::get_if<WindowClosed>(&batch[i]);
        if (!closed || closed->run != m_rowsRun) // rows stay in order with everything else
            status = writeRows();
        if (status && m_rows.empty())
            m_written = i;
        if (status)
            status = writeEvent(batch[i]);
    }
    if (status)
        status = writeRows();
    if (status && written.launch)
        status = m_store.updateLaunch(*written.launch);
    if (status)
        status = m_store.commit();
    if (!status)
        m_store.rollback();
    return status;
}

Status Recorder::writeRows() {
    if (m_rows.empty())
        return {};
    const Status status = m_store.addWindows(m_rowsRun, m_attempts[m_rowsRun], m_rows);
    m_rows.clear();
    return status;
}

Status Recorder::writeEvent(const RunEvent& event) {
    if (const auto* closed = std::get_if<WindowClosed>(&event)) {
        m_rowsRun = closed->run;
        m_rows.push_back(closed->window);
        m_lastTimes[closed->run] = closed->window.wallTime;
        return {};
    }
    if (const auto* study = std::get_if<StudyStarted>(&event)) {
        ACCUMULUS_TRY(m_store.addStudy(study->study));
        for (const RunRecord& run : study->runs) {
            ACCUMULUS_TRY(m_store.addRun(run));
            m_alive.insert(run.id);
        }
        return {};
    }
    if (const auto* started = std::get_if<RunStarted>(&event)) {
        m_activeRun = started->run.id;
        m_alive.insert(started->run.id);
        m_attempts[started->run.id] = started->run.attempt;
        ACCUMULUS_TRY(m_store.updateStarted(started->run));
        if (started->resumed)
            ACCUMULUS_TRY(m_store.supersede(started->run.id, started->windowsDone, started->updatesDone));
        return m_store.setState(started->run.id, RunState::Running);
    }
    if (const auto* probed = std::get_if<MicroStepProbed>(&event))
        return m_store.addMicroSteps(probed->run, m_attempts[probed->run], {&probed->microStep, 1});
    if (const auto* evaluated = std::get_if<Evaluated>(&event)) {
        m_lastTimes[evaluated->run] = evaluated->evaluation.wallTime;
        return m_store.addEvaluations(evaluated->run, m_attempts[evaluated->run], {&evaluated->evaluation, 1});
    }
    if (const auto* saved = std::get_if<CheckpointSaved>(&event))
        return m_store.addCheckpoint(saved->run, saved->checkpoint);
    if (const auto* removed = std::get_if<CheckpointRemoved>(&event))
        return m_store.removeCheckpoint(removed->run, removed->weightsPath);
    if (const auto* changed = std::get_if<RunStateChanged>(&event)) {
        if (changed->state != RunState::Queued && !isActive(changed->state))
            m_alive.erase(changed->run);
        return m_store.setState(changed->run, changed->state);
    }
    if (const auto* noted = std::get_if<RunNoted>(&event))
        return writeNote(*noted);
    if (const auto* finished = std::get_if<RunFinished>(&event)) {
        m_activeRun.clear();
        m_alive.erase(finished->run);
        return m_store.finishRun(finished->run, finished->state, finished->summary, finishTime(finished->run),
                                 finished->error ? describe(*finished->error) : std::string(), finished->error);
    }
    return {};
}

/// A journal may be read long after: the run had finished by then, soon after the last that was measured.
double Recorder::finishTime(const std::string& run) const {
    const auto last = m_lastTimes.find(run);
    return m_isJournal && last != m_lastTimes.end() ? last->second : unixTime();
}

Status Recorder::writeNote(const RunNoted& noted) {
    if (noted.run.empty()) // of a study that has not begun
        return {};
    EventRecord row = noted.event;
    if (noted.message.code == row.code)
        row.arguments = noted.message.arguments;
    return m_store.addEvents(noted.run, {&row, 1});
}

/// Of runs that wait for their turn, too: on another computer nothing else tells that somebody will train them.
void Recorder::writeHeartbeats() {
    const double now = unixTime();
    if (m_alive.empty() || now - m_lastHeartbeat < heartbeatSeconds)
        return;
    // A missed heartbeat is no error: the next batch or heartbeat tells.
    if (heartbeatAll(now))
        m_lastHeartbeat = now;
}

Status Recorder::heartbeatAll(double now) {
    ACCUMULUS_TRY(m_store.begin());
    for (const std::string& run : m_alive)
        (void)m_store.heartbeat(run, now); // one that was deleted meanwhile leaves out only itself
    const Status status = m_store.commit();
    if (!status)
        m_store.rollback();
    return status;
}

} // namespace accumulus
