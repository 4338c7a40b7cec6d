// SPDX-License-Identifier: GPL-3.0-or-later
// The part of RemoteFollower that makes the events of another machine those of this library.
#include "core/base/clock.h"
#include "core/launch/remote_follower.h"

#include <utility>
#include <variant>

namespace accumulus {
namespace {

/// The run that an event is about; empty: the study.
std::string runOf(const RunEvent& event) {
    return std::visit(
        [](const auto& happened) -> std::string {
            if constexpr (requires { happened.run.id; })
                return happened.run.id;
            else if constexpr (requires { happened.run; })
                return happened.run;
            else
                return {};
        },
        event);
}

} // namespace

void RemoteFollower::takeEvent(RunEvent event) {
    if (!adopt(event))
        return;
    m_study.note(event);
    const auto* changed = std::get_if<RunStateChanged>(&event);
    const bool paused = changed && changed->state == RunState::Paused;
    if ((paused || (changed && changed->state == RunState::Running)) && m_wishes->heard(paused))
        tellPause(paused);
    m_waiting.push_back(std::move(event));
}

/// As an event of runs that this process answers for, with files that lie, or will lie, in this library's folder. False
/// for what this process has no right to write.
bool RemoteFollower::adopt(RunEvent& event) {
    const auto own = [this](RunRecord& run) {
        run.owner = m_claim.owner();
        run.heartbeat = unixTime();
    };
    if (auto* study = std::get_if<StudyStarted>(&event)) {
        if (!m_launch.study.empty())
            return false;
        m_launch.study = study->study.id;
        for (RunRecord& run : study->runs) {
            own(run);
            m_runs[run.id] = {};
        }
        return true;
    }
    const std::string id = runOf(event);
    const auto run = m_runs.find(id);
    if (run == m_runs.end() || run->second.finished)
        return id.empty();
    if (auto* started = std::get_if<RunStarted>(&event)) {
        own(started->run);
        run->second.started = true;
    } else if (auto* saved = std::get_if<CheckpointSaved>(&event)) {
        saved->checkpoint.weightsPath = here(id, saved->checkpoint.weightsPath);
        saved->checkpoint.bundlePath = here(id, saved->checkpoint.bundlePath);
    } else if (auto* removed = std::get_if<CheckpointRemoved>(&event)) {
        removed->weightsPath = here(id, removed->weightsPath);
    } else if (auto* finished = std::get_if<RunFinished>(&event)) {
        finished->summary.checkpoint = here(id, finished->summary.checkpoint);
        run->second.finished = true;
    } else if (auto* changed = std::get_if<RunStateChanged>(&event)) {
        run->second.finished = changed->state != RunState::Queued && !isActive(changed->state);
    }
    return true;
}

std::string RemoteFollower::here(const std::string& run, const std::string& there) const {
    return there.empty() ? std::string() : (m_files / run / std::filesystem::path(there).filename()).string();
}

void RemoteFollower::say(const std::string& level, Message message) {
    std::string active;
    for (const auto& [run, known] : m_runs)
        if (known.started && !known.finished)
            active = run;
    const EventRecord record{unixTime(), level, message.code, messageText(message), 0};
    m_waiting.emplace_back(RunNoted{active, record, std::move(message)});
}

/// Of runs that nobody follows any more.
void RemoteFollower::interruptOpenRuns(bool goesOn) {
    for (auto& [run, known] : m_runs)
        if ((!known.waits || goesOn || hasBegun()) && !std::exchange(known.finished, true))
            m_waiting.emplace_back(RunStateChanged{run, RunState::Interrupted});
}

} // namespace accumulus
