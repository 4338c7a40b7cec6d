// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/remote_follower.h"

#include "core/base/clock.h"
#include "core/launch/child_talk.h"
#include "core/launch/event_stream.h"
#include "core/launch/launched_study.h"
#include "core/launch/remote_command.h"
#include "core/run/program.h"

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
constexpr auto lastWords = std::chrono::milliseconds(500); // of ssh, where others hold its pipes
constexpr auto patience = std::chrono::seconds(3);         // for ssh to end when it is asked to
constexpr auto farewell = std::chrono::seconds(10);        // for the other side to end once everything was read
constexpr auto goodConnection = std::chrono::seconds(30);  // one that lasted so long begins the list anew
constexpr std::array<int, 6> secondsBetweenTries{1, 2, 4, 8, 15, 30};
constexpr int shellSignal = 128;

/// As waitpid() would say it.
int statusOfShellCode(int code) { return code > shellSignal ? code - shellSignal : W_EXITCODE(code, 0); }

void part(ChildTalk& talk) {
    talk.child().in().close();
    talk.child().signal(SIGTERM);
    for (const auto until = Clock::now() + patience; !talk.child().ended() && Clock::now() < until;)
        std::this_thread::sleep_for(glance);
    talk.child().signal(SIGKILL);
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

void RemoteFollower::know(const RunRecord& run, bool trains) {
    const bool started = run.startedAt > 0.0;
    m_runs[run.id] = {started, trains && isRunOver(run.state), !trains};
    if (m_runs[run.id].finished)
        return;
    m_recorder.keepAlive(run.id, run.attempt);
    if (trains)
        m_waiting.emplace_back(RunStateChanged{run.id, started ? RunState::Running : RunState::Queued});
}

Result<RemoteOutcome> RemoteFollower::follow(const RemoteTask& task) {
    m_unpause = task.unpause;
    m_accepted = task.accepted;
    const auto end = connectUntilEnd(task);
    interruptOpenRuns(end && *end == End::Left);
    m_launch.follower = {};
    const Status told = m_recorder.post(std::exchange(m_waiting, {}), m_launch);
    const Status flushed = m_recorder.flush();
    if (!end)
        return failure(end.error());
    ACCUMULUS_TRY(told);
    ACCUMULUS_TRY(flushed);
    RemoteOutcome outcome{{}, m_launch.id, *end == End::Left};
    if (*end == End::Finished) {
        ACCUMULUS_TRY_ASSIGN(outcome.study, m_study.outcome(m_problem));
    } else {
        outcome.study.stopped = true;
    }
    return outcome;
}

Result<RemoteFollower::End> RemoteFollower::connectUntilEnd(const RemoteTask& task) {
    for (std::size_t lost = 0;; ++lost) {
        m_greeted = false;
        const auto begun = Clock::now();
        ACCUMULUS_TRY_ASSIGN(const End end, converse(task));
        if (end != End::Lost)
            return end;
        if (m_greeted && Clock::now() - begun > goodConnection)
            lost = 0;
        const int seconds = secondsBetweenTries[std::min(lost, secondsBetweenTries.size() - 1)];
        if (!std::exchange(m_isLost, true))
            say("warning", {"launch.lost", {{"host", placeName()}, {"seconds", std::to_string(seconds)}}});
        ACCUMULUS_TRY(publish());
        if (!waitFor(std::chrono::seconds(seconds)))
            return leave();
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
Result<RemoteFollower::End> RemoteFollower::converse(const RemoteTask& task) {
    ACCUMULUS_TRY_ASSIGN(const auto command, commandAt(m_launch.place, arguments(task)));
    ACCUMULUS_TRY_ASSIGN(auto child, ChildProcess::start(command));
    ChildTalk talk(std::move(child));
    talk.say(task.experiment + std::string(experimentEnd) + "\n");
    LastRemark remark;
    const ChildTalk::Take said = [this](std::string_view line) { takeLine(line); };
    const ChildTalk::Take remarked = [&](std::string_view line) { remark.hear(line); };
    m_wishes.reset();
    auto silentSince = Clock::time_point::max();
    while (talk.isOpen() && !m_control.left() && !isOver()) {
        ask(talk);
        const bool heard = talk.exchange(said, remarked);
        if (const Status written = publish(); !written) {
            part(talk);
            return failure(written.error());
        }
        silentSince = heard || !talk.child().ended() ? Clock::time_point::max() : std::min(silentSince, Clock::now());
        if (silentSince != Clock::time_point::max() && Clock::now() - silentSince > lastWords)
            break;
    }
    if (m_refusal) {
        part(talk);
        return refused();
    }
    if (isOver())
        return finish(talk);
    if (m_control.left()) {
        part(talk);
        return leave();
    }
    talk.child().in().close();
    return lose(talk.child().ended(true).value_or(0), remark.text());
}

std::vector<std::string> RemoteFollower::arguments(const RemoteTask& task) const {
    std::vector<std::string> words{"run", "-"};
    if (!m_launch.resumes.empty())
        words = {"resume", m_launch.resumes};
    words.insert(words.end(), {"--events", "--detached", m_launch.id, "--after", std::to_string(m_launch.readBytes)});
    if (!m_launch.place.library.empty())
        words.insert(words.end(), {"--library", m_launch.place.library});
    if (task.ranks > 1)
        words.insert(words.end(), {"--ranks", std::to_string(task.ranks)});
    if (m_launch.place.slurm)
        words.insert(words.end(), {"--slurm=" + *m_launch.place.slurm});
    words.insert(words.end(), task.options.begin(), task.options.end());
    return words;
}

void RemoteFollower::ask(ChildTalk& talk) {
    const auto word = [&](LaunchVerb verb) { talk.say(std::string(launchVerbName(verb)) + "\n"); };
    if (std::exchange(m_saysBegin, false)) {
        word(LaunchVerb::Begin);
        m_saidBegin = true;
    }
    if (!m_wishes)
        return;
    for (const LaunchVerb verb : m_wishes->next())
        word(verb == LaunchVerb::StopNow && m_control.insisted() ? LaunchVerb::End : verb);
}

void RemoteFollower::takeLine(std::string_view line) {
    if (const auto news = launchNewsOf(line))
        return takeNews(*news);
    if (!m_wishes) // not yet of the journal
        return takeRefusal(line);
    m_launch.readBytes += static_cast<std::int64_t>(line.size()) + 1;
    if (!line.starts_with('{')) // some library that prints
        return;
    if (auto event = eventOfLine(line))
        takeEvent(std::move(*event));
    else
        m_problem = m_problem.value_or(event.error());
}

/// Before the journal's first line only a refusal is an event; the rest is a shell that greets.
void RemoteFollower::takeRefusal(std::string_view line) {
    const auto event = line.starts_with('{') ? eventOfLine(line) : Result<RunEvent>(failure("launch.event", {}));
    const auto* end = event ? std::get_if<StudyFinished>(&*event) : nullptr;
    if (!end || !end->error)
        return;
    if (!m_isNew) { // the study may train on, whatever keeps it from being followed
        m_refusal = end->error;
        return;
    }
    m_study.note(*event);
    m_waiting.push_back(*event);
}

void RemoteFollower::takeNews(const LaunchNews& news) {
    if (!m_greeted)
        greet(news);
    if (news.follows && !m_wishes)
        beginToFollow(news);
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

/// The other side is there, and waits for the word to begin.
void RemoteFollower::greet(const LaunchNews& news) {
    m_greeted = m_saysBegin = true;
    m_launch.files = news.files;
    if (std::exchange(m_isLost, false))
        say("info", {"launch.found", {{"host", placeName()}}});
    if (m_greetings++ > 0)
        return;
    if (m_accepted)
        m_accepted();
    if (const std::string own = programName(); news.program != own)
        say("warning", {"launch.version", {{"host", placeName()}, {"there", news.program}, {"here", own}}});
}

void RemoteFollower::beginToFollow(const LaunchNews& news) {
    const bool isFirst = !std::exchange(m_hasFollowed, true);
    if (isFirst && news.paused && !m_isNew && !m_unpause) { // it stays as it was left
        m_control.pause();
        for (const auto& [run, known] : m_runs)
            if (known.started && !known.finished)
                m_waiting.emplace_back(RunStateChanged{run, RunState::Paused});
        tellPause(true);
    }
    m_isNew = false;
    m_wishes.emplace(m_control, news.paused);
}

/// Somebody else has paused it, or let it go on.
void RemoteFollower::tellPause(bool paused) {
    if (paused && m_unpause)
        m_control.resume();
    else if (paused)
        say("info", {"launch.paused", {}});
}

/// What trained has ended, and its study has not.
void RemoteFollower::endWithoutStudy(const LaunchNews& news) {
    m_ended = true;
    const bool wasStopped = m_control.request() != RunControl::Request::None;
    if (wasStopped && m_launch.readBytes == 0) // a job that had not begun
        return;
    m_endError = endedBeforeStudy(statusOfShellCode(news.exitCode), news.remark);
    if (!news.state.empty() && news.state != "COMPLETED")
        m_endError->arguments.front().second = "Slurm: " + news.state;
}

Status RemoteFollower::publish() {
    if (m_waiting.empty())
        return {};
    return m_recorder.post(std::exchange(m_waiting, {}), m_launch);
}

/// All of it is in the library before the other side forgets it.
Result<RemoteFollower::End> RemoteFollower::finish(ChildTalk& talk) {
    interruptOpenRuns(false);
    m_launch.endedAt = unixTime();
    m_launch.follower = {};
    Status written = m_recorder.post(std::exchange(m_waiting, {}), m_launch);
    if (written)
        written = m_recorder.flush();
    // What was not understood may be read by another version, and what failed has its reasons in the log.
    const bool isDone = written && !m_problem && !(m_endError && m_news.exitCode > 0);
    if (isDone)
        talk.say(std::string(launchVerbName(LaunchVerb::Done)) + "\n");
    const auto until = Clock::now() + farewell;
    while (isDone && talk.isOpen() && Clock::now() < until)
        (void)talk.exchange([](auto) {}, [](auto) {});
    part(talk);
    if (!written)
        return failure(written.error());
    if (m_endError)
        return failure(*m_endError);
    return m_ended ? End::Stopped : End::Finished;
}

/// Nobody here waits any more. Without the word nothing has begun over there.
Result<RemoteFollower::End> RemoteFollower::leave() {
    if (!m_isNew || m_saidBegin)
        return End::Left;
    m_launch.endedAt = unixTime();
    return failure("launch.not-begun", {{"host", placeName()}});
}

/// It cannot be followed now. What may pass is tried again, as a connection that is lost.
Result<RemoteFollower::End> RemoteFollower::refused() {
    const Error refusal = *std::exchange(m_refusal, std::nullopt);
    const bool isReconnect = m_greetings > 1;
    if (isReconnect && (mayPass(refusal) || refusal.code == "file.write"))
        return End::Lost;
    return failure(refusal);
}

/// The connection is down, or was never up.
Result<RemoteFollower::End> RemoteFollower::lose(int status, const std::string& remark) {
    ACCUMULUS_TRY(publish());
    m_isNew = m_isNew && !m_saidBegin; // it may have begun
    if (m_greetings > 0)
        return End::Lost;
    if (m_isNew) { // nothing begins before the word
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
