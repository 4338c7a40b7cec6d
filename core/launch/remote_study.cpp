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
#include <iterator>
#include <vector>

namespace accumulus {
namespace {

struct Opened {
    RunStore store;
    RunReader reader;
};
Result<Opened> openBoth(const std::filesystem::path& library) {
    ACCUMULUS_TRY_ASSIGN(auto writable, Library::open(library, Library::Mode::Change));
    RunStore store(std::move(writable));
    ACCUMULUS_TRY(store.markInterrupted(unixTime()));
    ACCUMULUS_TRY_ASSIGN(auto readable, Library::open(library, Library::Mode::Read));
    return Opened{std::move(store), RunReader(std::move(readable))};
}

Result<LaunchRecord> findOpenLaunch(RunReader& reader, const std::string& wanted) {
    ACCUMULUS_TRY_ASSIGN(const auto all, reader.launches());
    std::vector<LaunchRecord> open, found;
    const auto names = [](const std::vector<LaunchRecord>& launches) {
        std::string text;
        for (const LaunchRecord& launch : launches)
            text += (text.empty() ? "" : ", ") + launch.id.substr(0, 8) + " (" + launch.name + ")";
        return text;
    };
    std::ranges::copy_if(all, std::back_inserter(open),
                         [](const LaunchRecord& launch) { return launch.endedAt == 0.0; });
    std::ranges::copy_if(open, std::back_inserter(found), [&wanted](const LaunchRecord& launch) {
        return launch.id.starts_with(wanted) || launch.study.starts_with(wanted) || launch.resumes.starts_with(wanted);
    });
    if (open.empty())
        return failure("launch.none", {{"launch", wanted}});
    if (found.empty())
        return failure("launch.unknown", {{"launch", wanted}, {"candidates", names(open)}});
    if (found.size() > 1)
        return failure("launch.ambiguous", {{"candidates", names(found)}});
    return found.front();
}

/// Whoever follows hears first what the library knows: nothing of it comes from the journal again.
Status tellKnown(RunReader& reader, const std::vector<RunRecord>& runs, const RunEventReceiver& receive) {
    if (runs.empty() || !receive)
        return {};
    ACCUMULUS_TRY_ASSIGN(const auto study, reader.study(runs.front().study));
    std::vector<RunRecord> shown;
    std::ranges::copy_if(runs, std::back_inserter(shown), [](const RunRecord& run) { return !run.trashed; });
    std::vector<RunEvent> known{StudyStarted{study, shown}};
    for (const RunRecord& run : shown) {
        if (run.startedAt == 0.0 || run.state != RunState::Interrupted)
            continue;
        ACCUMULUS_TRY_ASSIGN(const auto windows, reader.windowCount(run.id));
        known.emplace_back(RunStarted{run, true, windows, run.summary.updates});
    }
    receive(known);
    return {};
}

/// Those in the Trash as well.
Result<std::vector<RunRecord>> runsOf(RunReader& reader, const LaunchRecord& launch) {
    std::vector<RunRecord> runs;
    if (!launch.resumes.empty()) {
        ACCUMULUS_TRY_ASSIGN(auto run, reader.run(launch.resumes));
        runs.push_back(std::move(run));
    } else if (!launch.study.empty()) {
        ACCUMULUS_TRY_ASSIGN(runs, reader.runs({.trashed = false, .study = launch.study}));
        ACCUMULUS_TRY_ASSIGN(const auto trashed, reader.runs({.trashed = true, .study = launch.study}));
        runs.insert(runs.end(), trashed.begin(), trashed.end());
        std::ranges::reverse(runs); // as they are trained
    }
    return runs;
}

/// Of the whole study, also what was followed before.
Result<RemoteOutcome> withKnownRuns(RemoteOutcome outcome, RunReader& reader, const LaunchRecord& launch) {
    ACCUMULUS_TRY_ASSIGN(const auto runs, runsOf(reader, launch));
    if (runs.empty() || !launch.resumes.empty())
        return outcome;
    ACCUMULUS_TRY_ASSIGN(outcome.study.study, reader.study(runs.front().study));
    std::vector<RunFinished> finished;
    for (const RunRecord& run : runs) {
        if (run.trashed)
            continue;
        const auto heard = std::ranges::find(outcome.study.runs, run.id, &RunFinished::run);
        if (heard != outcome.study.runs.end())
            finished.push_back(*heard);
        else if (run.finishedAt > 0.0)
            finished.push_back({run.id, run.state, run.summary, run.arm, run.seed, std::nullopt});
    }
    outcome.study.runs = std::move(finished);
    return outcome;
}

/// Those that are not over. Error "run.in-trash": what is read of the journal meanwhile would be lost.
Status claimOpenRuns(RunStore& store, const std::vector<RunRecord>& runs, const LiveClaim& claim, bool takeOver) {
    for (const RunRecord& run : runs)
        if (run.state == RunState::Queued || run.state == RunState::Interrupted || isActive(run.state))
            ACCUMULUS_TRY(store.claim(run.id, claim.owner(), unixTime(), takeOver));
    return {};
}

struct FollowOptions {
    bool unpause = false;
    bool takeOver = false; ///< as ResumeOptions
};
/// Goes on with a launch whose runs are in the library. Claims those that are not over.
Result<RemoteOutcome> followKnown(Opened opened, const LaunchRecord& found, RunControl& control,
                                  const RunEventReceiver& receive, const FollowOptions& options) {
    const std::filesystem::path files = opened.reader.library().runFolder("x").parent_path();
    ACCUMULUS_TRY_ASSIGN(const auto runs, runsOf(opened.reader, found));
    LaunchRecord launch = found;
    launch.follower = thisProcess();
    ACCUMULUS_TRY(opened.store.claimLaunch(launch.id, launch.follower));
    const LiveClaim claim;
    Status ready = claimOpenRuns(opened.store, runs, claim, options.takeOver);
    if (ready)
        ready = tellKnown(opened.reader, runs, receive);
    if (!ready) { // this process lives on: nobody could follow it until it ends
        launch.follower = {};
        (void)opened.store.updateLaunch(launch);
        return failure(ready.error());
    }
    auto outcome = [&] {
        RemoteFollower follower(launch, false, std::move(opened.store), claim, control, receive, files);
        for (const RunRecord& run : runs)
            follower.know(run, true);
        return follower.follow({.unpause = options.unpause});
    }();
    if (!outcome || outcome->left)
        return outcome;
    return withKnownRuns(std::move(*outcome), opened.reader, launch);
}

std::string launchName(const ExperimentConfig& experiment) {
    return experiment.study.name.empty() ? experiment.run.model.name + ", " + experiment.run.data.dataset
                                         : experiment.study.name;
}

} // namespace

Result<RemoteOutcome> trainElsewhere(const ExperimentConfig& experiment, const LaunchPlace& place,
                                     const std::filesystem::path& library, RunControl& control,
                                     const RunEventReceiver& receive, const std::function<void()>& accepted) {
    ACCUMULUS_TRY(commandAt(place, {})); // before anything is written
    ACCUMULUS_TRY_ASSIGN(auto opened, Library::open(library, Library::Mode::Write));
    const std::filesystem::path files = opened.runFolder("x").parent_path();
    LaunchRecord launch;
    launch.id = newUuid();
    launch.name = launchName(experiment);
    launch.place = place;
    if (place.host.empty() && place.library.empty()) { // not the one that is written here
        const std::filesystem::path path = opened.path();
        launch.place.library =
            (path.parent_path() / (path.stem().string() + "-jobs" + path.extension().string())).string();
    }
    launch.follower = thisProcess();
    launch.createdAt = unixTime();
    RunStore store(std::move(opened));
    ACCUMULUS_TRY(store.addLaunch(launch));
    const LiveClaim claim;
    RemoteFollower follower(launch, true, std::move(store), claim, control, receive, files);
    return follower.follow(
        {.experiment = experimentToml(experiment, true), .ranks = experiment.run.batch.devices, .accepted = accepted});
}

Result<RemoteOutcome> followElsewhere(const std::string& launch, const std::filesystem::path& library,
                                      RunControl& control, const RunEventReceiver& receive, bool unpause) {
    ACCUMULUS_TRY_ASSIGN(auto opened, openBoth(library));
    ACCUMULUS_TRY_ASSIGN(const LaunchRecord found, findOpenLaunch(opened.reader, launch));
    return followKnown(std::move(opened), found, control, receive, {.unpause = unpause});
}

Status forgetLaunch(const std::string& launch, const std::filesystem::path& library) {
    ACCUMULUS_TRY_ASSIGN(auto opened, openBoth(library));
    ACCUMULUS_TRY_ASSIGN(LaunchRecord found, findOpenLaunch(opened.reader, launch));
    ACCUMULUS_TRY(opened.store.claimLaunch(found.id, thisProcess()));
    found.endedAt = unixTime();
    found.follower = {};
    return opened.store.updateLaunch(found);
}

Result<RemoteOutcome> resumeElsewhere(const RunRecord& run, const LaunchRecord& before,
                                      const std::filesystem::path& library, RunControl& control,
                                      const RunEventReceiver& receive, const ResumeElsewhere& options) {
    ACCUMULUS_TRY_ASSIGN(auto opened, openBoth(library));
    if (before.endedAt == 0.0)
        return followKnown(std::move(opened), before, control, receive, {.takeOver = options.takeOver});
    const std::filesystem::path files = opened.reader.library().runFolder("x").parent_path();
    LaunchRecord launch;
    launch.id = newUuid();
    launch.name = run.name;
    launch.study = run.study;
    launch.resumes = run.id;
    launch.place = before.place;
    if (options.slurm)
        launch.place.slurm = options.slurm;
    if (!options.program.empty())
        launch.place.program = options.program;
    launch.files = before.files;
    launch.follower = thisProcess();
    launch.createdAt = unixTime();
    RemoteTask task{.ranks = options.ranks > 0 ? options.ranks : run.config.batch.devices};
    if (options.otherData)
        task.options.emplace_back("--other-data");
    if (options.takeOver)
        task.options.emplace_back("--take-over");
    const LiveClaim claim;
    ACCUMULUS_TRY_ASSIGN(const RunState state, opened.store.claim(run.id, claim.owner(), unixTime(), options.takeOver));
    ACCUMULUS_TRY(opened.store.addLaunch(launch));
    bool isOpen = true; // it may go on, followed or not
    auto outcome = [&] {
        RemoteFollower follower(launch, true, std::move(opened.store), claim, control, receive, files);
        follower.know(run, false);
        auto followed = follower.follow(task);
        isOpen = follower.hasBegun() || (followed && followed->left);
        return followed;
    }();
    if (!isOpen)
        if (auto again = Library::open(library, Library::Mode::Write))
            (void)RunStore(std::move(*again)).giveBack(run.id, claim.owner(), state);
    return outcome;
}

Status bringHere(const RunRecord& run, const std::filesystem::path& library) {
    ACCUMULUS_TRY_ASSIGN(auto opened, openBoth(library));
    ACCUMULUS_TRY_ASSIGN(const auto trained, opened.reader.launchOf(run));
    if (!trained)
        return {};
    if (trained->endedAt == 0.0)
        return failure("launch.goes-on", {{"run", run.id}});
    LaunchRecord back;
    back.id = newUuid();
    back.name = run.name;
    back.study = run.study;
    back.resumes = run.id;
    back.place.program.clear();
    back.createdAt = back.endedAt = unixTime();
    return opened.store.addLaunch(back);
}

Result<TrainedElsewhere> whereTrained(const std::string& run, const std::filesystem::path& library) {
    ACCUMULUS_TRY_ASSIGN(auto opened, openBoth(library));
    ACCUMULUS_TRY_ASSIGN(const RunRecord found, opened.reader.run(run));
    ACCUMULUS_TRY_ASSIGN(const auto launch, opened.reader.launchOf(found));
    return TrainedElsewhere{found, launch};
}

} // namespace accumulus
