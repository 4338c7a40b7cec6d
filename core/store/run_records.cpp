// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/run_records.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <tuple>
#include <utility>

namespace accumulus {
namespace {

constexpr std::array<std::pair<RunState, std::string_view>, 10> stateNames{{
    {RunState::Draft, "draft"},
    {RunState::Queued, "queued"},
    {RunState::Starting, "starting"},
    {RunState::Running, "running"},
    {RunState::Paused, "paused"},
    {RunState::Stopping, "stopping"},
    {RunState::Completed, "completed"},
    {RunState::Stopped, "stopped"},
    {RunState::Failed, "failed"},
    {RunState::Interrupted, "interrupted"},
}};

constexpr std::array<std::pair<CheckpointKind, std::string_view>, 4> kindNames{{
    {CheckpointKind::Initial, "initial"},
    {CheckpointKind::Periodic, "periodic"},
    {CheckpointKind::Best, "best"},
    {CheckpointKind::Last, "last"},
}};

} // namespace

std::string runErrorText(const RunRecord& run, const Language& language) {
    return run.errorMessage ? keptText(*run.errorMessage, run.error, language) : run.error;
}

std::string eventText(const EventRecord& event, const Language& language) {
    return event.arguments ? keptText({event.code, *event.arguments}, event.text, language) : event.text;
}

std::string runStateName(RunState state) {
    return std::string(std::ranges::find(stateNames, state, [](const auto& entry) { return entry.first; })->second);
}

std::optional<RunState> runStateFromName(const std::string& name) {
    const auto found = std::ranges::find(stateNames, name, [](const auto& entry) { return entry.second; });
    return found == stateNames.end() ? std::nullopt : std::optional(found->first);
}

std::string checkpointKindName(CheckpointKind kind) {
    return std::string(std::ranges::find(kindNames, kind, [](const auto& entry) { return entry.first; })->second);
}

std::optional<CheckpointKind> checkpointKindFromName(std::string_view name) {
    const auto found = std::ranges::find(kindNames, name, [](const auto& entry) { return entry.second; });
    return found == kindNames.end() ? std::nullopt : std::optional(found->first);
}

bool isActive(RunState state) {
    return state == RunState::Starting || state == RunState::Running || state == RunState::Paused ||
           state == RunState::Stopping;
}

bool isResumable(RunState state) {
    return state == RunState::Stopped || state == RunState::Interrupted || state == RunState::Failed;
}

bool canResume(const RunRecord& run) { return isResumable(run.state) && !run.imported && !run.trashed; }

bool neverStarted(const RunRecord& run) {
    return run.startedAt <= 0.0 && (run.state == RunState::Stopped || run.state == RunState::Interrupted);
}

void sortAsTrained(std::vector<RunRecord>& runs) {
    std::ranges::stable_sort(runs, [](const RunRecord& a, const RunRecord& b) {
        const bool startedA = a.startedAt > 0.0;
        const bool startedB = b.startedAt > 0.0;
        if (startedA != startedB)
            return startedA;
        if (startedA && a.startedAt != b.startedAt)
            return a.startedAt < b.startedAt;
        return std::tie(a.seed, a.arm) < std::tie(b.seed, b.arm);
    });
}

double lastSignOfLife(const RunRecord& run) {
    return run.heartbeat > 0.0 ? run.heartbeat : run.startedAt > 0.0 ? run.startedAt : run.createdAt;
}

bool isAbandoned(const RunRecord& run, double now, double stale) {
    if (run.state != RunState::Queued && !isActive(run.state))
        return false;
    const OwnerLife life = lifeOf(run.owner);
    return life == OwnerLife::Dead || (life == OwnerLife::Unknown && now - lastSignOfLife(run) > stale);
}

bool neverBegan(const LaunchRecord& launch) {
    return !launch.place.program.empty() && launch.endedAt != 0.0 && launch.readBytes == 0;
}

bool trains(const LaunchRecord& launch, const RunRecord& run) {
    return launch.resumes.empty() ? !run.study.empty() && launch.study == run.study : launch.resumes == run.id;
}

} // namespace accumulus
