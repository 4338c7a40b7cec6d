// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/training.h"

#include "app/cli/comparing.h"
#include "app/cli/event_printers.h"
#include "app/cli/interrupts.h"
#include "app/cli/joined_ranks.h"
#include "app/cli/json_output.h"
#include "app/cli/library_option.h"
#include "app/cli/standard_input.h"
#include "app/cli/verbs.h"
#include "app/cli/words.h"
#include "core/analysis/lr_rules.h"
#include "core/base/atomic_file.h"
#include "core/base/readable_text.h"
#include "core/config/config_fields.h"
#include "core/config/experiment_file.h"
#include "core/launch/detached_study.h"
#include "core/launch/event_stream.h"
#include "core/launch/launched_study.h"
#include "core/launch/remote_files.h"
#include "core/launch/remote_study.h"
#include "core/ranks/launch.h"
#include "core/run/rank_team.h"
#include "core/run/study_runner.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <thread>

namespace accumulus::cli {
namespace {

constexpr double lifeSignSeconds = staleSeconds + 2.0;
constexpr int glanceMilliseconds = 200; // at what a follower asks
constexpr int interrupted = static_cast<int>(ErrorKind::Interrupted);

std::unique_ptr<EventPrinter> makePrinter(Console& console, const TrainingOptions& options) {
    console.outliveReader();
    if (options.events)
        return makeStreamPrinter(console, options.logEvery);
    return options.json ? makeJsonPrinter(console, options.logEvery) : makeTextPrinter(console, options.logEvery);
}

void sayHowToResume(const std::string& run, const TrainingOptions& options, Console& console) {
    console.note("Stopped. Continue with: accumulus-cli resume " + shortId(run) + libraryArgument(options.library));
}

/// The runs of one arm that were completed, in the order of their seeds.
std::vector<std::string> completed(const StudyOutcome& outcome, Arm arm) {
    std::vector<std::string> ids;
    for (const RunFinished& run : outcome.runs) {
        if (run.arm == arm && run.state == RunState::Completed)
            ids.push_back(run.run);
    }
    return ids;
}

int sayVerdict(const StudyOutcome& outcome, const TrainingOptions& options, Console& console) {
    const Groups groups{completed(outcome, Arm::Accumulated), completed(outcome, Arm::LargeBatch)};
    if (groups.a.empty() || groups.b.empty())
        return 0;
    const auto compared = compareInLibrary(libraryPath(options.library), groups, {});
    if (!compared)
        return console.fail(compared.error());
    if (options.json) {
        Json line = {{"event", "verdict"}, {"study", outcome.study.id}};
        line.update(comparisonJson(compared->input, compared->comparison));
        console.line(oneLine(line));
    } else {
        printVerdict(compared->comparison, console);
    }
    return 0;
}

int finishStudy(const StudyOutcome& outcome, const TrainingOptions& options, Console& console) {
    if (!outcome.stopped) {
        const int code = options.events ? 0 : sayVerdict(outcome, options, console); // who follows it compares itself
        return outcome.error ? console.fail(*outcome.error) : code;
    }
    if (outcome.error)
        console.note(describe(*outcome.error));
    const auto open = std::ranges::find(outcome.runs, RunState::Stopped, &RunFinished::state);
    if (open == outcome.runs.end())
        console.note("Stopped before the next run of the study began.");
    else
        sayHowToResume(open->run, options, console);
    return interrupted;
}

} // namespace

void addTrainingOptions(CLI::App& verb, TrainingOptions& options) {
    addLibraryOption(verb, options.library);
    verb.add_flag("--json", options.json,
                  "One JSON object per line: run-started, window, evaluation, run-finished, ...");
    verb.add_option("--log-every", options.logEvery, "Print epoch, update and loss every N updates")
        ->type_name("N")
        ->check(CLI::PositiveNumber);
}

void addLaunchOptions(CLI::App& verb, TrainingOptions& options) {
    verb.add_option("--ranks", options.ranks, "Train on N ranks (processes), by mpirun")
        ->type_name("N")
        ->check(CLI::PositiveNumber);
    verb.add_flag("--events", options.events,
                  "Everything that happens, complete, one JSON object per line, for a program that follows the run; "
                  "all else goes to standard error")
        ->excludes("--json");
    const auto onHost = [&options](const std::string& host) {
        options.place.host = host;
        options.elsewhere = true;
    };
    const auto asJob = [&options](const std::string& words) {
        options.place.slurm = words;
        options.elsewhere = true;
    };
    verb.add_option_function<std::string>(
            "--on", onHost,
            "Train on another machine, reached by `ssh HOST` without a question; the run is recorded here, goes "
            "on there when the connection is lost, and is followed again by `accumulus-cli follow`")
        ->type_name("HOST");
    verb.add_option_function<std::string>(
            "--slurm", asJob,
            "Train as a job of a Slurm cluster, here or on HOST; OPTIONS are passed to sbatch, for example "
            "--slurm=\"--partition=long --time=2:00:00\"")
        ->type_name("OPTIONS")
        ->expected(0, 1);
    verb.add_option("--remote-program", options.place.program,
                    "accumulus-cli on HOST, where its shell does not find it")
        ->type_name("PATH");
    verb.add_option("--remote-library", options.place.library, "Library on HOST, in place of its default one")
        ->type_name("FILE");
    // For what starts accumulus-cli over there.
    verb.add_option("--commands", options.commands,
                    "Obey pause, resume, stop and stop-now from this file while it grows; -: standard input")
        ->type_name("FILE");
    verb.add_option("--detached", options.detached,
                    "Begin a study of this name that goes on when this program ends, and follow it; where it has begun "
                    "already, only follow it")
        ->type_name("NAME")
        ->needs("--events");
    verb.add_option("--after", options.after, "With --detached: leave out the first N bytes of what has happened")
        ->type_name("N")
        ->check(CLI::NonNegativeNumber);
}

void addAssignments(CLI::App& verb, std::vector<std::string>& assignments) {
    verb.add_option("--set", assignments,
                    "Change a setting, for example --set batch.micro=16; can be repeated; the last value counts")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
}

namespace {

/// Where --set or a ramp leads to another effective batch than the file's lr was chosen for, the rules of the
/// literature with what to add to the command line. Nothing is applied.
void suggestLrOfBatch(const ExperimentConfig& file, const ExperimentConfig& experiment, Console& console) {
    if (file == ExperimentConfig{}) // an empty file, as in a copied command, has chosen none
        return;
    RunConfig tuned = file.run;
    tuned.batch.ramp.clear();
    const auto finding = checkLrOfBatch(tuned, experiment.run);
    if (!finding)
        return;
    console.note(messageText(finding->message) + " It is kept. Rules for adapting it (none is applied):");
    for (const Fix& fix : finding->fixes) {
        std::string line;
        for (const std::string& assignment : fix.assignments)
            line += " --set " + shellWord(assignment);
        if (!line.empty())
            console.note(fmt::format("  {:<24}{}", messageText(fix.label), line));
    }
}

/// Where the experiment comes from.
struct Source {
    std::filesystem::path file;
    bool isFile = false;  ///< with a name of its own; /dev/null and /dev/stdin are none
    bool isInput = false; ///< standard input, followed by commands

    static Source of(const std::filesystem::path& file) {
        std::error_code ignored;
        const bool isInput = file == "-";
        return {file, !isInput && std::filesystem::is_regular_file(file, ignored), isInput};
    }
};

/// The experiment with the assignments applied.
Result<ExperimentConfig> experimentOf(const Source& source, const std::vector<std::string>& assignments,
                                      StandardInput& input, const JoinedRanks& ranks, Console& console) {
    Result<ExperimentConfig> experiment = failure("config.file", {});
    if (ranks.follows() && !source.isFile)
        return experiment; // takes the first rank's
    if (source.isInput) {
        ACCUMULUS_TRY_ASSIGN(const std::string text, input.experiment());
        experiment = parseExperiment(text, "standard input");
    } else {
        experiment = readExperiment(source.file);
    }
    if (!experiment)
        return experiment;
    const ExperimentConfig asWritten = *experiment;
    for (const std::string& assignment : assignments)
        ACCUMULUS_TRY(applyAssignment(*experiment, assignment));
    if (experiment->study.name.empty() && source.isFile) // else the study gets one from its settings
        experiment->study.name = readableText(source.file.stem().native());
    suggestLrOfBatch(asWritten, *experiment, console);
    return experiment;
}

/// An error in place of a study, or after one that could not say its end.
int refuse(const Error& error, const TrainingOptions& options, Console& console) {
    if (options.events)
        console.line(eventLine(StudyFinished{{}, false, error}));
    return console.fail(error);
}

/// What is asked of the trainer while it trains, from where the options say.
void obeyInput(std::optional<InputCommands>& commands, bool inputIsExperiment, StandardInput& input,
               const TrainingOptions& options, RunControl& control, Console& console) {
    if (options.commands == "-" || (options.commands.empty() && inputIsExperiment))
        commands.emplace(input, control, console);
    else if (!options.commands.empty())
        commands.emplace(std::filesystem::path(options.commands), control, console);
}

/// In this process and the ranks that were started with it, or on ranks that it starts.
Result<StudyOutcome> train(const ExperimentConfig& experiment, const TrainingOptions& options, const JoinedRanks& ranks,
                           RunControl& control, const RunEventReceiver& receive) {
    const std::filesystem::path library = libraryPath(options.library);
    if (ranks.team() && options.ranks != 1 && options.ranks != ranks.team()->ranks().size())
        return failure("ranks.devices", {{"devices", std::to_string(options.ranks)},
                                         {"ranks", std::to_string(ranks.team()->ranks().size())}});
    if (options.ranks == 1 || ranks.team())
        return runStudy(experiment, library, control, receive, ranks.team());
    ACCUMULUS_TRY_ASSIGN(const auto shared, onRanks(experiment, static_cast<int>(options.ranks)));
    ACCUMULUS_TRY_ASSIGN(const auto command, mpirunCommand(options.ranks, library));
    return launchStudy(shared, command, control, receive);
}

/// The experiment, for the number of ranks that it will have.
Result<ExperimentConfig> forRanks(const ExperimentConfig& experiment, const TrainingOptions& options) {
    return options.ranks == 1 ? experiment : onRanks(experiment, static_cast<int>(options.ranks));
}

/// Follows what is trained elsewhere to the end, or until it is left.
int follow(const TrainingOptions& options, Console& console,
           const std::function<Result<RemoteOutcome>(RunControl&, const RunEventReceiver&)>& train) {
    RunControl control;
    const auto outcome = [&] {
        const Interrupts interrupts(control, console, Interrupts::Who::Follows);
        const auto printer = makePrinter(console, options);
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

/// A study whose followers may come and go: begins it unless it was begun, and says what happens.
int serve(DetachedTask task, StandardInput& input, const TrainingOptions& options, Console& console) {
    const std::filesystem::path library = libraryPath(options.library);
    task.library = options.library.empty() ? std::string() : std::filesystem::absolute(library).string();
    task.ranks = options.ranks;
    task.slurm = options.place.slurm;
    const auto journal = Journal::of(library, options.detached);
    if (!journal)
        return refuse(journal.error(), options, console);
    if (const Status begun = beginDetached(*journal, task); !begun)
        return refuse(begun.error(), options, console);
    followJournal(
        *journal, options.after, std::filesystem::absolute(library).string() + ".files", currentEnvironment().program,
        [&](std::string_view text) {
            console.print(text);
            return true;
        },
        [&]() -> std::optional<std::vector<LaunchVerb>> {
            const auto lines = input.lines(glanceMilliseconds);
            if (!lines)
                return std::nullopt;
            std::vector<LaunchVerb> verbs;
            for (const std::string& line : *lines)
                if (const auto verb = launchVerbOf(line))
                    verbs.push_back(*verb);
            return verbs;
        });
    return 0;
}

} // namespace

int trainFile(const std::filesystem::path& file, const std::vector<std::string>& assignments,
              const TrainingOptions& options, Console& console) {
    StandardInput input;
    const Source source = Source::of(file);
    if (!options.detached.empty()) {
        auto text = source.isInput ? input.experiment() : readFile(file);
        return text ? serve({std::move(*text)}, input, options, console) : refuse(text.error(), options, console);
    }
    const auto ranks = JoinedRanks::join(console);
    if (!ranks)
        return refuse(ranks.error(), options, console);
    const auto experiment = ranks->agreeOn(experimentOf(source, assignments, input, *ranks, console));
    if (!experiment)
        return refuse(experiment.error(), options, console);
    if (options.elsewhere && !ranks->team()) {
        const auto there = forRanks(*experiment, options);
        if (!there)
            return refuse(there.error(), options, console);
        return follow(options, console, [&](RunControl& control, const RunEventReceiver& receive) {
            return trainElsewhere(*there, options.place, libraryPath(options.library), control, receive);
        });
    }

    RunControl control;
    if (ranks->follows()) {
        const Interrupts interrupts(control, console, Interrupts::Who::Rank);
        return ranks->follow(control);
    }
    const auto outcome = [&] {
        const Interrupts interrupts(control, console, ranks->team() ? Interrupts::Who::Rank : Interrupts::Who::Trains);
        std::optional<InputCommands> commands;
        obeyInput(commands, source.isInput, input, options, control, console);
        const auto printer = makePrinter(console, options);
        return train(*experiment, options, *ranks, control, [&](auto events) { printer->receive(events); });
    }();
    return outcome ? finishStudy(*outcome, options, console) : refuse(outcome.error(), options, console);
}

namespace {

/// In this process and the ranks that were started with it, or on ranks that it starts.
Result<RunFinished> resume(const std::string& run, const TrainingOptions& options, RankTeam* team, RunControl& control,
                           const RunEventReceiver& receive) {
    const std::filesystem::path library = libraryPath(options.library);
    if (options.ranks == 1 || team)
        return resumeRun(run, library, control, receive, {options.takeOver, options.otherData, team});
    ACCUMULUS_TRY_ASSIGN(const auto command, mpirunCommand(options.ranks, library, run));
    ACCUMULUS_TRY_ASSIGN(const auto outcome, launchResumed(command, control, receive));
    if (outcome.runs.empty())
        return failure(outcome.error.value_or(Error{"launch.ended", {}}));
    return outcome.runs.back();
}

/// Nothing where the run is to be continued on this machine.
std::optional<int> resumeWhereTrained(const std::string& run, const TrainingOptions& options, Console& console) {
    if (launched() || options.events) // who is told how to train trains
        return std::nullopt;
    const auto trained = whereTrained(run, libraryPath(options.library));
    if (!trained || (!trained->launch && !options.elsewhere))
        return std::nullopt; // resumeRun() says why
    if (options.here) {
        const auto fetched = fetchCheckpoints(trained->run.id, libraryPath(options.library));
        return fetched ? std::nullopt : std::optional(console.fail(fetched.error()));
    }
    if (!trained->launch)
        return console.fail({"launch.trained-here", {{"run", trained->run.id}}});
    return follow(options, console, [&](RunControl& control, const RunEventReceiver& receive) {
        return resumeElsewhere(trained->run, *trained->launch, libraryPath(options.library), control, receive);
    });
}

} // namespace

int followTraining(const std::string& launch, const TrainingOptions& options, Console& console) {
    return follow(options, console, [&](RunControl& control, const RunEventReceiver& receive) {
        return followElsewhere(launch, libraryPath(options.library), control, receive);
    });
}

int trainResumed(const std::string& run, const TrainingOptions& options, Console& console) {
    StandardInput input;
    if (!options.detached.empty()) {
        DetachedTask task;
        if (const auto begins = input.experiment(); begins) // nothing but its end
            task.resumes = run;
        return serve(std::move(task), input, options, console);
    }
    if (const auto code = resumeWhereTrained(run, options, console))
        return *code;
    const auto ranks = JoinedRanks::join(console);
    if (!ranks)
        return console.fail(ranks.error());
    RunControl control;
    const auto who = ranks->team() ? Interrupts::Who::Rank : Interrupts::Who::Trains;
    if (ranks->follows()) {
        const Interrupts interrupts(control, console, who);
        return ranks->follow(control);
    }
    const auto resumeOnce = [&] {
        const Interrupts interrupts(control, console, who);
        std::optional<InputCommands> commands;
        obeyInput(commands, false, input, options, control, console);
        const auto printer = makePrinter(console, options);
        return resume(run, options, ranks->team(), control, [&](auto events) { printer->receive(events); });
    };
    auto outcome = resumeOnce();
    if (!outcome && outcome.error().code == "run.elsewhere") {
        // Begun on another computer, whose processes cannot be asked. A run that is alive gives signs of life all the
        // time.
        console.note("The library says that the run is " + outcome.error().argument("state") +
                     " on another computer; waiting " + duration(lifeSignSeconds) + " for a sign of life.");
        std::this_thread::sleep_for(std::chrono::duration<double>(lifeSignSeconds));
        outcome = resumeOnce();
    }
    if (!outcome)
        return refuse(outcome.error(), options, console);
    if (outcome->error)
        return console.fail(*outcome->error);
    if (outcome->state != RunState::Stopped)
        return 0;
    sayHowToResume(outcome->run, options, console);
    return interrupted;
}

} // namespace accumulus::cli
