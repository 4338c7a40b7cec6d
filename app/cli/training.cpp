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
#include "core/base/readable_text.h"
#include "core/config/config_fields.h"
#include "core/config/experiment_file.h"
#include "core/run/event_stream.h"
#include "core/run/launched_study.h"
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

} // namespace

int trainFile(const std::filesystem::path& file, const std::vector<std::string>& assignments,
              const TrainingOptions& options, Console& console) {
    const auto ranks = JoinedRanks::join(console);
    if (!ranks)
        return refuse(ranks.error(), options, console);
    const Source source = Source::of(file);
    StandardInput input;
    const auto experiment = ranks->agreeOn(experimentOf(source, assignments, input, *ranks, console));
    if (!experiment)
        return refuse(experiment.error(), options, console);

    RunControl control;
    if (ranks->follows()) {
        const Interrupts interrupts(control, console, Interrupts::StopsAtOnce::Yes);
        return ranks->follow(control);
    }
    const auto outcome = [&] {
        const Interrupts interrupts(control, console,
                                    ranks->team() ? Interrupts::StopsAtOnce::Yes : Interrupts::StopsAtOnce::No);
        std::optional<InputCommands> commands;
        if (source.isInput)
            commands.emplace(input, control, console);
        const auto printer = makePrinter(console, options);
        return train(*experiment, options, *ranks, control, [&](auto events) { printer->receive(events); });
    }();
    return outcome ? finishStudy(*outcome, options, console) : refuse(outcome.error(), options, console);
}

int trainResumed(const std::string& run, const TrainingOptions& options, Console& console) {
    const auto ranks = JoinedRanks::join(console);
    if (!ranks)
        return console.fail(ranks.error());
    RunControl control;
    const auto atOnce = ranks->team() ? Interrupts::StopsAtOnce::Yes : Interrupts::StopsAtOnce::No;
    if (ranks->follows()) {
        const Interrupts interrupts(control, console, atOnce);
        return ranks->follow(control);
    }
    const auto resumeOnce = [&] {
        const Interrupts interrupts(control, console, atOnce);
        const auto printer = makePrinter(console, options);
        return resumeRun(run, libraryPath(options.library), control, [&](auto events) { printer->receive(events); },
                         {options.takeOver, options.otherData, ranks->team()});
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
        return console.fail(outcome.error());
    if (outcome->error)
        return console.fail(*outcome->error);
    if (outcome->state != RunState::Stopped)
        return 0;
    sayHowToResume(outcome->run, options, console);
    return interrupted;
}

} // namespace accumulus::cli
