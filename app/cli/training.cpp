// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/training.h"

#include "app/cli/comparing.h"
#include "app/cli/event_printers.h"
#include "app/cli/interrupts.h"
#include "app/cli/json_output.h"
#include "app/cli/library_option.h"
#include "app/cli/verbs.h"
#include "app/cli/words.h"
#include "core/analysis/lr_rules.h"
#include "core/base/readable_text.h"
#include "core/config/config_fields.h"
#include "core/config/experiment_file.h"
#include "core/run/study_runner.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <memory>
#include <thread>

namespace accumulus::cli {
namespace {

constexpr double lifeSignSeconds = staleSeconds + 2.0;
constexpr int interrupted = static_cast<int>(ErrorKind::Interrupted);

std::unique_ptr<EventPrinter> makePrinter(Console& console, const TrainingOptions& options) {
    console.outliveReader();
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
        line.update(comparisonJson(compared->comparison));
        console.line(oneLine(line));
    } else {
        printVerdict(compared->comparison, console);
    }
    return 0;
}

int finishStudy(const StudyOutcome& outcome, const TrainingOptions& options, Console& console) {
    if (!outcome.stopped) {
        const int code = sayVerdict(outcome, options, console);
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

} // namespace

int trainFile(const std::filesystem::path& file, const std::vector<std::string>& assignments,
              const TrainingOptions& options, Console& console) {
    auto experiment = readExperiment(file);
    if (!experiment)
        return console.fail(experiment.error());
    const ExperimentConfig asWritten = *experiment;
    for (const std::string& assignment : assignments) {
        if (const Status status = applyAssignment(*experiment, assignment); !status)
            return console.fail(status.error());
    }
    // /dev/null and /dev/stdin are no names; the study then gets one from its settings.
    if (std::error_code ignored; experiment->study.name.empty() && std::filesystem::is_regular_file(file, ignored))
        experiment->study.name = readableText(file.stem().native());
    suggestLrOfBatch(asWritten, *experiment, console);

    RunControl control;
    const auto outcome = [&] {
        const Interrupts interrupts(control, console);
        const auto printer = makePrinter(console, options);
        return runStudy(*experiment, libraryPath(options.library), control,
                        [&](auto events) { printer->receive(events); });
    }();
    return outcome ? finishStudy(*outcome, options, console) : console.fail(outcome.error());
}

int trainResumed(const std::string& run, const TrainingOptions& options, Console& console) {
    RunControl control;
    const auto resumeOnce = [&] {
        const Interrupts interrupts(control, console);
        const auto printer = makePrinter(console, options);
        return resumeRun(run, libraryPath(options.library), control, [&](auto events) { printer->receive(events); },
                         {options.takeOver, options.otherData});
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
