// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/remote_study.h"

#include "core/base/clock.h"
#include "core/base/hash.h"
#include "core/config/experiment_file.h"
#include "core/launch/remote_command.h"
#include "core/launch/remote_follower.h"
#include "core/store/run_reader.h"
#include "core/store/run_store.h"

#include <algorithm>
#include <vector>

namespace accumulus {
namespace {

struct Opened {
    RunStore store;
    RunReader reader;
};
Result<Opened> openBoth(const std::filesystem::path& library) {
    ACCUMULUS_TRY_ASSIGN(auto writable, Library::open(library, Library::Mode::Write));
    RunStore store(std::move(writable));
    ACCUMULUS_TRY(store.markInterrupted(unixTime()));
    ACCUMULUS_TRY_ASSIGN(auto readable, Library::open(library, Library::Mode::Read));
    return Opened{std::move(store), RunReader(std::move(readable))};
}

Result<LaunchRecord> findOpenLaunch(RunReader& reader, const std::string& wanted) {
    ACCUMULUS_TRY_ASSIGN(const auto all, reader.launches());
    std::vector<LaunchRecord> found;
    std::string names;
    for (const LaunchRecord& launch : all) {
        const bool fits = wanted.empty() || launch.id.starts_with(wanted) || launch.study.starts_with(wanted) ||
                          launch.resumes.starts_with(wanted);
        if (launch.endedAt > 0.0 || !fits)
            continue;
        names += (names.empty() ? "" : ", ") + launch.id.substr(0, 8) + " (" + launch.name + ")";
        found.push_back(launch);
    }
    if (found.empty())
        return failure("launch.none", {{"launch", wanted}});
    if (found.size() > 1)
        return failure("launch.ambiguous", {{"candidates", names}});
    return found.front();
}

/// Whoever follows hears first what the library knows: nothing of it comes from the journal again.
Status tellKnown(RunReader& reader, const std::vector<RunRecord>& runs, const RunEventReceiver& receive) {
    if (runs.empty() || !receive)
        return {};
    ACCUMULUS_TRY_ASSIGN(const auto study, reader.study(runs.front().study));
    std::vector<RunEvent> known{StudyStarted{study, runs}};
    for (const RunRecord& run : runs) {
        if (run.startedAt == 0.0 || run.state != RunState::Interrupted)
            continue;
        ACCUMULUS_TRY_ASSIGN(const auto windows, reader.windowCount(run.id));
        known.emplace_back(RunStarted{run, true, windows, run.summary.updates});
    }
    receive(known);
    return {};
}

/// Goes on with a launch whose runs are in the library. Claims those that are not over.
Result<RemoteOutcome> followKnown(Opened opened, const LaunchRecord& launch, RunControl& control,
                                  const RunEventReceiver& receive) {
    const std::filesystem::path files = opened.reader.library().runFolder("x").parent_path();
    std::vector<RunRecord> runs;
    if (!launch.resumes.empty()) {
        ACCUMULUS_TRY_ASSIGN(auto run, opened.reader.run(launch.resumes));
        runs.push_back(std::move(run));
    } else if (!launch.study.empty()) {
        ACCUMULUS_TRY_ASSIGN(runs, opened.reader.runs({.study = launch.study}));
        std::ranges::reverse(runs); // as they are trained
    }
    const LiveClaim claim;
    for (const RunRecord& run : runs)
        if (run.state == RunState::Queued || run.state == RunState::Interrupted || isActive(run.state))
            ACCUMULUS_TRY(opened.store.claim(run.id, claim.owner(), unixTime()));
    ACCUMULUS_TRY(tellKnown(opened.reader, runs, receive));
    RemoteFollower follower(launch, false, std::move(opened.store), claim, control, receive, files);
    for (const RunRecord& run : runs)
        follower.know(run);
    return follower.follow({}, 1);
}

} // namespace

Result<RemoteOutcome> trainElsewhere(const ExperimentConfig& experiment, const LaunchPlace& place,
                                     const std::filesystem::path& library, RunControl& control,
                                     const RunEventReceiver& receive) {
    ACCUMULUS_TRY(commandAt(place, {})); // before anything is written
    ACCUMULUS_TRY_ASSIGN(auto opened, Library::open(library, Library::Mode::Write));
    const std::filesystem::path files = opened.runFolder("x").parent_path();
    RunStore store(std::move(opened));
    LaunchRecord launch;
    launch.id = newUuid();
    launch.name = experiment.study.name;
    launch.place = place;
    launch.createdAt = unixTime();
    ACCUMULUS_TRY(store.addLaunch(launch));
    const LiveClaim claim;
    RemoteFollower follower(launch, true, std::move(store), claim, control, receive, files);
    return follower.follow(experimentToml(experiment, true), experiment.run.batch.devices);
}

Result<RemoteOutcome> followElsewhere(const std::string& launch, const std::filesystem::path& library,
                                      RunControl& control, const RunEventReceiver& receive) {
    ACCUMULUS_TRY_ASSIGN(auto opened, openBoth(library));
    ACCUMULUS_TRY_ASSIGN(const LaunchRecord found, findOpenLaunch(opened.reader, launch));
    return followKnown(std::move(opened), found, control, receive);
}

Result<RemoteOutcome> resumeElsewhere(const RunRecord& run, const LaunchRecord& before,
                                      const std::filesystem::path& library, RunControl& control,
                                      const RunEventReceiver& receive) {
    ACCUMULUS_TRY_ASSIGN(auto opened, openBoth(library));
    if (before.endedAt == 0.0)
        return followKnown(std::move(opened), before, control, receive);
    const std::filesystem::path files = opened.reader.library().runFolder("x").parent_path();
    LaunchRecord launch;
    launch.id = newUuid();
    launch.name = run.name;
    launch.study = run.study;
    launch.resumes = run.id;
    launch.place = before.place;
    launch.files = before.files;
    launch.createdAt = unixTime();
    const LiveClaim claim;
    ACCUMULUS_TRY_ASSIGN(const RunState state, opened.store.claim(run.id, claim.owner(), unixTime()));
    ACCUMULUS_TRY(opened.store.addLaunch(launch));
    bool hasBegun = false;
    auto outcome = [&] {
        RemoteFollower follower(launch, true, std::move(opened.store), claim, control, receive, files);
        auto followed = follower.follow({}, run.config.batch.devices);
        hasBegun = follower.hasBegun();
        return followed;
    }();
    if (!outcome && !hasBegun)
        if (auto again = Library::open(library, Library::Mode::Write))
            (void)RunStore(std::move(*again)).giveBack(run.id, claim.owner(), state);
    return outcome;
}

Result<TrainedElsewhere> whereTrained(const std::string& run, const std::filesystem::path& library) {
    ACCUMULUS_TRY_ASSIGN(auto opened, openBoth(library));
    ACCUMULUS_TRY_ASSIGN(const RunRecord found, opened.reader.run(run));
    ACCUMULUS_TRY_ASSIGN(const auto launch, opened.reader.launchOfStudy(found.study));
    return TrainedElsewhere{found, launch};
}

} // namespace accumulus
