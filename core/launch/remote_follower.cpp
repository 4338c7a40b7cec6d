// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/remote_follower.h"

#include "core/base/clock.h"
#include "core/launch/child_talk.h"
#include "core/launch/event_stream.h"
#include "core/launch/launched_study.h"
#include "core/launch/remote_command.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <sys/wait.h>
#include <thread>
#include <utility>

namespace accumulus {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto glance = std::chrono::milliseconds(50);
constexpr auto farewell = std::chrono::seconds(10); // for the other side to end once everything was read
constexpr std::array<int, 6> secondsBetweenTries{1, 2, 4, 8, 15, 30};
constexpr int shellSignal = 128;

/// As waitpid() would say it.
int statusOfShellCode(int code) { return code > shellSignal ? code - shellSignal : W_EXITCODE(code, 0); }

void part(ChildTalk& talk) {
    talk.child().in().close();
    talk.child().signal(SIGTERM);
    (void)talk.child().ended(true);
}

bool isRunOver(RunState state) {
    return state == RunState::Completed || state == RunState::Stopped || state == RunState::Failed;
}

} // namespace

RemoteFollower::RemoteFollower(LaunchRecord launch, bool isNew, RunStore store, const LiveClaim& claim,
                               RunControl& control, const RunEventReceiver& receive, std::filesystem::path files)
    : m_launch(std::move(launch)), m_isNew(isNew), m_claim(claim), m_control(control), m_files(std::move(files)),
      m_recorder(std::move(store), receive,
                 [&control] { return control.left() || control.request() == RunControl::Request::StopNow; }) {}

void RemoteFollower::know(const RunRecord& run) {
    const bool started = run.startedAt > 0.0;
    m_runs[run.id] = {started, isRunOver(run.state)};
    if (m_runs[run.id].finished)
        return;
    m_recorder.keepAlive(run.id, run.attempt);
    m_waiting.emplace_back(RunStateChanged{run.id, started ? RunState::Running : RunState::Queued});
}

Result<RemoteOutcome> RemoteFollower::follow(const std::string& experiment, std::int64_t ranks) {
    m_ranks = ranks;
    const auto end = connectUntilEnd(experiment + std::string(experimentEnd) + "\n");
    ACCUMULUS_TRY(m_recorder.flush());
    if (!end)
        return failure(end.error());
    RemoteOutcome outcome{{}, m_launch.id, *end == End::Left};
    if (*end == End::Finished) {
        ACCUMULUS_TRY_ASSIGN(outcome.study, m_study.outcome(m_problem));
    } else {
        outcome.study.stopped = true;
    }
    return outcome;
}

Result<RemoteFollower::End> RemoteFollower::connectUntilEnd(const std::string& input) {
    for (std::size_t lost = 0;;) {
        m_greeted = false;
        ACCUMULUS_TRY_ASSIGN(const End end, converse(input));
        if (end != End::Lost)
            return end;
        lost = m_greeted ? 0 : lost + 1;
        m_isLost = true;
        const int seconds = secondsBetweenTries[std::min(lost, secondsBetweenTries.size() - 1)];
        if (lost <= 1)
            say("warning", {"launch.lost", {{"host", placeName()}, {"seconds", std::to_string(seconds)}}});
        if (!waitFor(std::chrono::seconds(seconds)))
            return End::Left;
    }
}

/// False: not wanted any more.
bool RemoteFollower::waitFor(std::chrono::seconds time) {
    for (const auto end = Clock::now() + time; Clock::now() < end; std::this_thread::sleep_for(glance))
        if (m_control.left() || m_control.insisted())
            return false;
    return true;
}

/// One connection, from its beginning to its end.
Result<RemoteFollower::End> RemoteFollower::converse(const std::string& input) {
    ACCUMULUS_TRY_ASSIGN(const auto command, commandAt(m_launch.place, arguments()));
    ACCUMULUS_TRY_ASSIGN(auto child, ChildProcess::start(command));
    ChildTalk talk(std::move(child));
    talk.say(input);
    LastRemark remark;
    const ChildTalk::Take said = [this](std::string_view line) { takeLine(line); };
    const ChildTalk::Take remarked = [&](std::string_view line) { remark.hear(line); };
    m_wishes.reset();
    while (talk.isOpen() && !m_control.left() && !isOver()) {
        ask(talk);
        (void)talk.exchange(said, remarked);
        if (const Status written = publish(); !written) {
            part(talk);
            return failure(written.error());
        }
    }
    if (m_control.left() && !isOver()) {
        part(talk);
        return End::Left;
    }
    if (isOver())
        return finish(talk);
    return lose(talk.child().ended(true).value_or(0), remark.text());
}

std::vector<std::string> RemoteFollower::arguments() const {
    std::vector<std::string> words{"run", "-"};
    if (!m_launch.resumes.empty())
        words = {"resume", m_launch.resumes};
    words.insert(words.end(), {"--events", "--detached", m_launch.id, "--after", std::to_string(m_launch.readBytes)});
    if (!m_launch.place.library.empty())
        words.insert(words.end(), {"--library", m_launch.place.library});
    if (m_ranks > 1)
        words.insert(words.end(), {"--ranks", std::to_string(m_ranks)});
    if (m_launch.place.slurm)
        words.insert(words.end(), {"--slurm=" + *m_launch.place.slurm});
    return words;
}

void RemoteFollower::ask(ChildTalk& talk) {
    if (!m_wishes)
        return;
    for (LaunchVerb verb : m_wishes->next()) {
        if (verb == LaunchVerb::StopNow && m_control.insisted())
            verb = LaunchVerb::End;
        talk.say(std::string(launchVerbName(verb)) + "\n");
    }
}

void RemoteFollower::takeLine(std::string_view line) {
    if (const auto news = launchNewsOf(line))
        return takeNews(*news);
    if (!m_greeted)
        return takeRefusal(line);
    m_launch.readBytes += static_cast<std::int64_t>(line.size()) + 1;
    if (!line.starts_with('{')) // some library that prints
        return;
    auto event = eventOfLine(line);
    if (!event) {
        m_problem = m_problem.value_or(event.error());
        return;
    }
    adopt(*event);
    m_study.note(*event);
    m_waiting.push_back(std::move(*event));
}

/// Before anything else only a refusal is an event; the rest is a shell that greets.
void RemoteFollower::takeRefusal(std::string_view line) {
    const auto event = line.starts_with('{') ? eventOfLine(line) : Result<RunEvent>(failure("launch.event", {}));
    const auto* end = event ? std::get_if<StudyFinished>(&*event) : nullptr;
    if (!end || !end->error)
        return;
    m_study.note(*event);
    m_waiting.push_back(*event);
}

void RemoteFollower::takeNews(const LaunchNews& news) {
    if (!m_greeted)
        greet(news);
    if (news.state != m_news.state || news.nodes != m_news.nodes || news.reason != m_news.reason) {
        if (news.state == "PENDING")
            say("info", {"launch.pending", {{"job", news.job}, {"reason", news.reason}}});
        else if (news.state == "RUNNING")
            say("info", {"launch.runs", {{"job", news.job}, {"nodes", news.nodes}}});
    }
    m_news = news;
    if (news.ended)
        endWithoutStudy(news);
}

void RemoteFollower::greet(const LaunchNews& news) {
    m_greeted = true;
    m_launch.files = news.files;
    if (!m_everGreeted && !m_isNew && news.paused) { // as it was left
        m_control.pause();
        for (const auto& [run, known] : m_runs)
            if (known.started && !known.finished)
                m_waiting.emplace_back(RunStateChanged{run, RunState::Paused});
    }
    m_wishes.emplace(m_control, news.paused);
    if (std::exchange(m_isLost, false))
        say("info", {"launch.found", {{"host", placeName()}}});
    m_everGreeted = true;
}

/// What trained has ended, and its study has not.
void RemoteFollower::endWithoutStudy(const LaunchNews& news) {
    m_ended = true;
    const bool wasStopped = m_control.request() != RunControl::Request::None;
    if (!wasStopped || m_study.hasBegun())
        m_endError = endedBeforeStudy(statusOfShellCode(news.exitCode), news.remark);
}

/// As events of runs that this process answers for, with files that lie, or will lie, in this library's folder.
void RemoteFollower::adopt(RunEvent& event) {
    const auto own = [this](RunRecord& run) {
        run.owner = m_claim.owner();
        run.heartbeat = unixTime();
    };
    if (auto* study = std::get_if<StudyStarted>(&event)) {
        m_launch.study = study->study.id;
        for (RunRecord& run : study->runs) {
            own(run);
            m_runs[run.id] = {};
        }
    } else if (auto* started = std::get_if<RunStarted>(&event)) {
        own(started->run);
        m_launch.study = started->run.study;
        m_runs[started->run.id].started = true;
    } else if (auto* saved = std::get_if<CheckpointSaved>(&event)) {
        saved->checkpoint.weightsPath = here(saved->run, saved->checkpoint.weightsPath);
        saved->checkpoint.bundlePath = here(saved->run, saved->checkpoint.bundlePath);
    } else if (auto* removed = std::get_if<CheckpointRemoved>(&event)) {
        removed->weightsPath = here(removed->run, removed->weightsPath);
    } else if (auto* finished = std::get_if<RunFinished>(&event)) {
        finished->summary.checkpoint = here(finished->run, finished->summary.checkpoint);
        m_runs[finished->run].finished = true;
    } else if (auto* changed = std::get_if<RunStateChanged>(&event)) {
        if (changed->state != RunState::Queued && !isActive(changed->state))
            m_runs[changed->run].finished = true;
    }
}
std::string RemoteFollower::here(const std::string& run, const std::string& there) const {
    if (there.empty())
        return {};
    return (m_files / run / std::filesystem::path(there).filename()).string();
}

void RemoteFollower::say(const std::string& level, Message message) {
    std::string active;
    for (const auto& [run, known] : m_runs)
        if (known.started && !known.finished)
            active = run;
    const EventRecord record{unixTime(), level, message.code, messageText(message), 0};
    m_waiting.emplace_back(RunNoted{active, record, std::move(message)});
}

Status RemoteFollower::publish() {
    if (m_waiting.empty())
        return {};
    return m_recorder.post(std::exchange(m_waiting, {}), m_launch);
}

/// All of it is in the library before the other side forgets it.
Result<RemoteFollower::End> RemoteFollower::finish(ChildTalk& talk) {
    for (const auto& [run, known] : m_runs)
        if (!known.finished) // nobody trains it any more
            m_waiting.emplace_back(RunStateChanged{run, RunState::Interrupted});
    m_launch.endedAt = unixTime();
    ACCUMULUS_TRY(m_recorder.post(std::exchange(m_waiting, {}), m_launch));
    ACCUMULUS_TRY(m_recorder.flush());
    if (!m_ended)
        talk.say(std::string(launchVerbName(LaunchVerb::Done)) + "\n");
    const auto until = Clock::now() + farewell;
    while (talk.isOpen() && Clock::now() < until && !m_ended)
        (void)talk.exchange([](auto) {}, [](auto) {});
    part(talk);
    if (m_endError)
        return failure(*m_endError);
    return m_ended ? End::Stopped : End::Finished;
}

/// The connection is down, or was never up.
Result<RemoteFollower::End> RemoteFollower::lose(int status, const std::string& remark) {
    ACCUMULUS_TRY(publish());
    if (m_everGreeted)
        return End::Lost;
    if (m_isNew) {
        m_launch.endedAt = unixTime();
        ACCUMULUS_TRY(m_recorder.post({}, m_launch));
    }
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    const std::string why = remark.empty() ? "reason.no-words" : "reason.last-words";
    const std::string what = m_launch.place.host.empty() ? "launch.refused"
                             : code == sshFailed         ? "launch.unreachable"
                             : code == programNotFound   ? "launch.no-program"
                                                         : "launch.refused";
    return failure(what,
                   {{"host", placeName()}, {"program", m_launch.place.program}, {"reason", why}, {"line", remark}});
}

std::string RemoteFollower::placeName() const {
    return m_launch.place.host.empty() ? "phrase.this-machine" : m_launch.place.host;
}

} // namespace accumulus
