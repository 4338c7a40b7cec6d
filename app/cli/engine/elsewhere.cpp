// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/engine/elsewhere.h"

#include "app/cli/engine/interrupts.h"
#include "app/cli/engine/training_ends.h"
#include "app/cli/library_option.h"
#include "app/cli/stop_on_signal.h"
#include "app/cli/words.h"
#include "core/launch/remote_files.h"
#include "core/launch/remote_study.h"
#include "core/ranks/launch.h"
#include "core/run/program.h"
#include "core/run/rank_team.h"
#include "core/store/library.h"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <functional>
#include <utility>
#include <vector>

namespace accumulus::cli {
namespace {

constexpr int glanceMilliseconds = 200; // at what a follower asks

/// Follows what is trained elsewhere to the end, or until it is left. `asked`: null where only signals ask.
int follow(const CommandSource* asked, const TrainingOptions& options, Console& console,
           const std::function<Result<RemoteOutcome>(RunControl&, const RunEventReceiver&)>& train) {
    RunControl control;
    const auto outcome = [&] {
        const Interrupts interrupts(control, console, Interrupts::Who::Follows);
        const auto commands = asked ? asked->obey(control, console) : nullptr;
        const auto printer = makePrinter(console, options, control);
        return train(control, [&](auto events) { printer->receive(events); });
    }();
    if (!outcome)
        return refuse(outcome.error(), options, console);
    if (!outcome->left)
        return finishStudy(outcome->study, options, console);
    console.note("Training goes on without this program. Follow it with: accumulus-cli follow " +
                 shortId(outcome->launch) + libraryArgument(options.library));
    return interrupted;
}

std::optional<std::vector<LaunchVerb>> verbsOf(const std::optional<std::vector<std::string>>& lines) {
    if (!lines)
        return std::nullopt;
    std::vector<LaunchVerb> verbs;
    for (const std::string& line : *lines)
        if (const auto verb = launchVerbOf(line))
            verbs.push_back(*verb);
    return verbs;
}

/// False: who greeted back has gone. `more`: what was asked with it.
bool waitForBegin(StandardInput& input, std::vector<LaunchVerb>& more) {
    for (;;) {
        auto verbs = verbsOf(input.lines(glanceMilliseconds));
        if (!verbs)
            return false;
        const auto begin = std::ranges::find(*verbs, LaunchVerb::Begin);
        if (begin == verbs->end())
            continue;
        more.assign(begin + 1, verbs->end());
        return true;
    }
}

/// While it lives, no signal ends the program half-way.
class SignalsHeld {
public:
    SignalsHeld() {
        sigset_t signals;
        sigemptyset(&signals);
        for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE})
            sigaddset(&signals, signal);
        pthread_sigmask(SIG_BLOCK, &signals, &m_before);
    }
    ~SignalsHeld() { pthread_sigmask(SIG_SETMASK, &m_before, nullptr); }
    SignalsHeld(const SignalsHeld&) = delete;
    SignalsHeld& operator=(const SignalsHeld&) = delete;

private:
    sigset_t m_before{};
};

/// What was asked of a run that is still open, and that only its beginning could have brought about; empty: nothing.
std::string askedTooLate(const TrainedElsewhere& trained, const ResumeElsewhere& asked) {
    const LaunchPlace& place = trained.launch->place;
    std::string options;
    const auto add = [&](bool isLate, const char* option) {
        if (isLate)
            options += (options.empty() ? "" : ", ") + std::string(option);
    };
    add(asked.slurm && asked.slurm != place.slurm, "--slurm");
    add(!asked.program.empty() && asked.program != place.program, "--remote-program");
    add(asked.ranks > 0 && asked.ranks != trained.run.config.batch.devices, "--ranks");
    add(asked.otherData, "--other-data");
    return options;
}

/// Nothing: the run is to be continued on this machine now.
std::optional<int> fetchFromThere(const RunRecord& run, const std::filesystem::path& library, Console& console) {
    if (const auto open = whereTrained(run.id, library); open && open->launch && open->launch->endedAt == 0.0)
        return console.fail({"launch.goes-on", {{"run", run.id}}});
    const StopOnSignal signals;
    const auto fetched = fetchCheckpoints(run.id, library, signals.token());
    return fetched ? std::nullopt : std::optional(console.fail(fetched.error()));
}

} // namespace

int trainAtPlace(const ExperimentConfig& experiment, const CommandSource& asked, const TrainingOptions& options,
                 Console& console) {
    const Result<ExperimentConfig> there =
        options.ranks == 1 ? experiment : onRanks(experiment, static_cast<int>(options.ranks));
    if (!there)
        return refuse(there.error(), options, console);
    return follow(&asked, options, console, [&](RunControl& control, const RunEventReceiver& receive) {
        return trainElsewhere(*there, options.place, libraryPath(options.library), control, receive);
    });
}

int followTraining(const std::string& launch, const TrainingOptions& options, Console& console) {
    if (options.forget) {
        const Status forgotten = forgetLaunch(launch, libraryPath(options.library));
        return forgotten ? 0 : console.fail(forgotten.error());
    }
    return follow(nullptr, options, console, [&](RunControl& control, const RunEventReceiver& receive) {
        return followElsewhere(launch, libraryPath(options.library), control, receive, options.unpause);
    });
}

std::optional<int> resumeWhereTrained(const std::string& run, const CommandSource& asked,
                                      const TrainingOptions& options, Console& console) {
    const bool namesPlace = options.elsewhere || !options.place.program.empty();
    if (launched() || (options.events && !namesPlace)) // who is told how to train trains
        return std::nullopt;
    const std::filesystem::path library = libraryPath(options.library);
    const auto trained = whereTrained(run, library);
    if (!trained || (!trained->launch && !namesPlace))
        return std::nullopt; // resumeRun() says why
    if (!trained->launch)
        return refuse({"launch.trained-here", {{"run", trained->run.id}}}, options, console);
    if (options.here)
        return fetchFromThere(trained->run, library, console);
    const std::string& host = trained->launch->place.host;
    const std::string where = host.empty() ? "phrase.this-machine" : host;
    if (options.elsewhere && options.place.host != host && !options.place.host.empty())
        return refuse({"launch.other-host", {{"run", trained->run.id}, {"host", where}}}, options, console);
    const ResumeElsewhere how{.slurm = options.place.slurm,
                              .program = options.place.program,
                              .ranks = options.ranks > 1 ? options.ranks : 0,
                              .takeOver = options.takeOver,
                              .otherData = options.otherData};
    const std::string late = trained->launch->endedAt == 0.0 ? askedTooLate(*trained, how) : std::string();
    if (!late.empty())
        return refuse({"launch.as-begun", {{"run", trained->run.id}, {"host", where}, {"options", late}}}, options,
                      console);
    return follow(&asked, options, console, [&](RunControl& control, const RunEventReceiver& receive) {
        return resumeElsewhere(trained->run, *trained->launch, library, control, receive, how);
    });
}

void keepHere(std::span<const RunEvent> events, const TrainingOptions& options, Console& console) {
    for (const RunEvent& event : events) {
        const auto* started = std::get_if<RunStarted>(&event);
        if (!started)
            continue;
        if (const Status here = bringHere(started->run, libraryPath(options.library)); !here)
            (void)console.fail(here.error());
    }
}

int serve(DetachedTask task, StandardInput& input, const TrainingOptions& options, Console& console) {
    const std::filesystem::path library = std::filesystem::absolute(libraryPath(options.library));
    task.library = options.library.empty() ? std::string() : library.string();
    task.ranks = options.ranks;
    task.slurm = options.place.slurm;
    if (options.otherData)
        task.options.emplace_back("--other-data");
    if (options.takeOver)
        task.options.emplace_back("--take-over");
    const auto journal = Journal::of(library, options.detached);
    if (!journal)
        return refuse(journal.error(), options, console);
    // Nothing begins for somebody who has gone: first a greeting, then the word.
    LaunchNews greeting;
    greeting.program = programName();
    greeting.files = library.string() + ".files";
    console.print("\n" + launchLine(greeting)); // after whatever a shell has left without an end
    std::vector<LaunchVerb> early;
    if (!waitForBegin(input, early))
        return 0;
    const Status begun = [&] {
        const SignalsHeld held; // between beginning and noting it
        return beginDetached(*journal, task, library);
    }();
    if (!begun)
        return refuse(begun.error(), options, console);
    followJournal(
        *journal, options.after, greeting.files, greeting.program,
        [&](std::string_view text) {
            console.print(text);
            return true; // a reader who has gone ends the program
        },
        [&]() -> std::optional<std::vector<LaunchVerb>> {
            auto verbs = std::exchange(early, {});
            return verbs.empty() ? verbsOf(input.lines(glanceMilliseconds)) : std::optional(std::move(verbs));
        });
    return 0;
}

} // namespace accumulus::cli
