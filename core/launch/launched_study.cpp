// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/launched_study.h"

#include "core/config/experiment_file.h"
#include "core/launch/child_talk.h"
#include "core/launch/event_stream.h"
#include "core/launch/followed_study.h"
#include "core/launch/launch_verbs.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <optional>
#include <thread>
#include <vector>

namespace accumulus {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto glance = std::chrono::milliseconds(50);     // at what is asked of the control
constexpr auto lastWords = std::chrono::milliseconds(500); // of a child that has ended, where others hold its pipes
constexpr int insistenceShare = 6;

/// One launch, from the first line to the last.
class Follower {
public:
    Follower(ChildProcess child, RunControl& control, const RunEventReceiver& receive, std::chrono::milliseconds grace)
        : m_talk(std::move(child)), m_control(control), m_wishes(control), m_receive(receive), m_grace(grace) {}

    Result<StudyOutcome> follow(const std::string& input) {
        m_talk.say(input);
        const ChildTalk::Take event = [this](std::string_view line) { takeLine(line); };
        const ChildTalk::Take remark = [this](std::string_view line) { m_remark.hear(line); };
        std::optional<Clock::time_point> endSeen;
        while (m_talk.isOpen()) {
            ask();
            const bool heard = m_talk.exchange(event, remark);
            publish();
            if (!endSeen && m_talk.child().ended())
                endSeen = Clock::now();
            if (endSeen && !heard && Clock::now() - *endSeen > lastWords)
                break;
        }
        m_talk.finish([&](std::string_view line) { line.starts_with('{') ? void() : m_remark.hear(line); }, // cut off
                      remark);
        publish();
        while (!m_talk.child().ended()) { // it has closed its channels; a stop-now still reaches it by signals
            ask();
            std::this_thread::sleep_for(glance);
        }
        if (m_study.isFinished())
            return m_study.outcome(m_problem);
        return failure(m_problem.value_or(endedBeforeStudy(m_talk.child().ended().value_or(0), m_remark.text())));
    }

private:
    /// What the control says and the child does not know yet.
    void ask() {
        for (const LaunchVerb verb : m_wishes.next()) {
            m_talk.say(std::string(launchVerbName(verb)) + "\n");
            if (verb != LaunchVerb::StopNow)
                continue;
            m_terminateAt = Clock::now() + (m_control.insisted() ? m_grace / insistenceShare : m_grace);
            m_killAt = *m_terminateAt + m_grace;
        }
        if (!m_terminateAt)
            return;
        if (Clock::now() > m_killAt)
            m_talk.child().signal(SIGKILL);
        else if (Clock::now() > *m_terminateAt && !std::exchange(m_terminated, true))
            m_talk.child().signal(SIGTERM);
    }

    void takeLine(std::string_view line) {
        if (!line.starts_with('{')) // some library that prints
            return m_remark.hear(line);
        auto event = eventOfLine(line);
        if (!event) {
            if (!m_problem)
                m_problem = event.error();
            return;
        }
        m_study.note(*event);
        m_waiting.push_back(std::move(*event));
    }
    void publish() {
        if (!m_waiting.empty())
            m_receive(m_waiting);
        m_waiting.clear();
    }

    ChildTalk m_talk;
    RunControl& m_control;
    LaunchWishes m_wishes;
    const RunEventReceiver& m_receive;
    std::chrono::milliseconds m_grace;

    std::vector<RunEvent> m_waiting; ///< read, not yet handed on
    LastRemark m_remark;
    std::optional<Error> m_problem;
    FollowedStudy m_study;

    bool m_terminated = false;
    std::optional<Clock::time_point> m_terminateAt;
    Clock::time_point m_killAt;
};

} // namespace

Result<StudyOutcome> launchStudy(const ExperimentConfig& experiment, const LaunchCommand& command, RunControl& control,
                                 const RunEventReceiver& receive) {
    ACCUMULUS_TRY_ASSIGN(auto child, ChildProcess::start(command));
    return Follower(std::move(child), control, receive, command.grace)
        .follow(experimentToml(experiment, true) + std::string(experimentEnd) + "\n");
}

Result<StudyOutcome> launchResumed(const LaunchCommand& command, RunControl& control, const RunEventReceiver& receive) {
    ACCUMULUS_TRY_ASSIGN(auto child, ChildProcess::start(command));
    return Follower(std::move(child), control, receive, command.grace).follow({});
}

} // namespace accumulus
