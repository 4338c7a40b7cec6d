// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/engine/training.h"

#include "app/cli/engine/elsewhere.h"
#include "app/cli/engine/interrupts.h"
#include "app/cli/engine/joined_ranks.h"
#include "app/cli/engine/standard_input.h"
#include "app/cli/engine/training_ends.h"
#include "app/cli/library_option.h"
#include "app/cli/words.h"
#include "core/analysis/lr_note.h"
#include "core/analysis/lr_rules.h"
#include "core/base/atomic_file.h"
#include "core/base/readable_text.h"
#include "core/base/shell_word.h"
#include "core/config/config_fields.h"
#include "core/config/experiment_file.h"
#include "core/launch/launched_study.h"
#include "core/run/rank_team.h"
#include "core/run/study_runner.h"

#include <chrono>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <thread>

namespace accumulus::cli {
namespace {

constexpr double lifeSignSeconds = staleSeconds + 2.0;

/// Where --set or a ramp leads to another effective batch than the file's lr was chosen for, the rules of the
/// literature with what to add to the command line. None is applied; a rule that the file notes is not said to have led
/// to the new batch.
void suggestLrOfBatch(const ExperimentConfig& file, ExperimentConfig& experiment, Console& console) {
    if (file == ExperimentConfig{}) // an empty file, as in a copied command, has chosen none
        return;
    RunConfig tuned = file.run;
    tuned.batch.ramp.clear();
    const auto finding = checkLrOfBatch(tuned, experiment.run);
    if (file.run.optimizer == experiment.run.optimizer)
        keepLrNoteTrue(file.run, experiment.run);
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
        const bool isInput = file == "-";
        return {file, !isInput && liesInAFolder(file), isInput};
    }
};

/// The experiment as it was read, with the assignments applied.
Result<ExperimentConfig> assigned(ExperimentConfig experiment, const Source& source,
                                  const std::vector<std::string>& assignments, Console& console) {
    const ExperimentConfig asWritten = experiment;
    for (const std::string& assignment : assignments)
        ACCUMULUS_TRY(applyAssignment(experiment, assignment));
    if (experiment.study.name.empty() && source.isFile) // else the study gets one from its settings
        experiment.study.name = readableText(source.file.stem().native());
    suggestLrOfBatch(asWritten, experiment, console);
    return experiment;
}

/// What is to be trained here, or where the options say.
Result<ExperimentConfig> experimentOf(const Source& source, const std::vector<std::string>& assignments,
                                      RelativePaths paths, StandardInput& input, const JoinedRanks& ranks,
                                      Console& console) {
    Result<ExperimentConfig> experiment = failure("config.file", {});
    if (ranks.follows() && !source.isFile)
        return experiment; // takes the first rank's
    if (source.isInput) {
        ACCUMULUS_TRY_ASSIGN(const std::string text, input.experiment());
        experiment = parseExperiment(text, "standard input");
    } else {
        experiment = readExperiment(source.file, paths);
    }
    if (experiment)
        experiment = assigned(std::move(*experiment), source, assignments, console);
    std::error_code ignored;
    // Those of the assignments: runs are resumed from anywhere. Ranks may have been started in folders of their own.
    if (experiment && paths == RelativePaths::AtTheFile && !ranks.team())
        ACCUMULUS_TRY(startPathsAt(*experiment, std::filesystem::current_path(ignored)));
    return experiment;
}

/// What a study that goes on without this program is told. A job of Slurm starts in a folder of its own, so nothing in
/// it depends on the folder that this program was started in.
Result<std::string> detachedToml(const Source& source, const std::vector<std::string>& assignments,
                                 StandardInput& input, Console& console) {
    std::string text;
    if (!source.isFile) {
        ACCUMULUS_TRY_ASSIGN(text, source.isInput ? input.experiment() : readFile(source.file));
    }
    auto read = source.isFile ? readExperiment(source.file) : parseExperiment(text, "standard input");
    if (!source.isFile && (!read || (text.empty() && assignments.empty())))
        return text; // nothing is begun, or who begins it says what is wrong
    if (!read)
        return failure(read.error());
    ACCUMULUS_TRY_ASSIGN(auto experiment, assigned(std::move(*read), source, assignments, console));
    std::error_code ignored;
    ACCUMULUS_TRY(startPathsAt(experiment, std::filesystem::current_path(ignored)));
    return experimentToml(experiment, true);
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

/// In this process and the ranks that were started with it, or on ranks that it starts.
Result<RunFinished> resume(const std::string& run, const TrainingOptions& options, RankTeam* team, RunControl& control,
                           const RunEventReceiver& receive) {
    const std::filesystem::path library = libraryPath(options.library);
    if (options.ranks == 1 || team)
        return resumeRun(run, library, control, receive,
                         {.takeOver = options.takeOver, .otherData = options.otherData, .team = team});
    std::vector<std::string> further;
    if (options.takeOver)
        further.emplace_back("--take-over");
    if (options.otherData)
        further.emplace_back("--other-data");
    ACCUMULUS_TRY_ASSIGN(const auto command, mpirunCommand(options.ranks, library, run, further));
    ACCUMULUS_TRY_ASSIGN(const auto outcome, launchResumed(command, control, receive));
    if (outcome.runs.empty())
        return failure(outcome.error.value_or(Error{"launch.ended", {}}));
    return outcome.runs.back();
}

/// mpirun takes any other code for a rank that died, and waits. Whoever follows the events learns the end from them.
int endOfRank(int code, const JoinedRanks& ranks, const TrainingOptions& options) {
    return ranks.team() && options.events ? 0 : code;
}

} // namespace

int trainFile(const std::filesystem::path& file, const std::vector<std::string>& assignments,
              const TrainingOptions& options, Console& console) {
    StandardInput input;
    const Source source = Source::of(file);
    const CommandSource asked(options, input, source.isInput);
    if (!options.detached.empty()) {
        const auto text = detachedToml(source, assignments, input, console);
        return text ? serve({*text}, input, options, console) : refuse(text.error(), options, console);
    }
    const auto ranks = JoinedRanks::join(console);
    if (!ranks)
        return refuse(ranks.error(), options, console);
    // Another machine has folders of its own: there a relative path means what it means to those who work there.
    const bool farAway = options.elsewhere && !options.place.host.empty() && !ranks->team();
    const auto paths = farAway ? RelativePaths::AsWritten : RelativePaths::AtTheFile;
    const auto experiment = ranks->agreeOn(experimentOf(source, assignments, paths, input, *ranks, console));
    if (!experiment)
        return endOfRank(refuse(experiment.error(), options, console), *ranks, options);
    if (options.elsewhere && !ranks->team())
        return trainAtPlace(*experiment, asked, options, console);

    RunControl control;
    if (ranks->follows()) {
        const Interrupts interrupts(control, console, Interrupts::Who::Rank);
        return endOfRank(ranks->follow(control), *ranks, options);
    }
    const auto outcome = [&] {
        const Interrupts interrupts(control, console, ranks->team() ? Interrupts::Who::Rank : Interrupts::Who::Trains);
        const auto commands = asked.obey(control, console);
        const auto printer = makePrinter(console, options, control);
        return train(*experiment, options, *ranks, control, [&](auto events) { printer->receive(events); });
    }();
    const int code = outcome ? finishStudy(*outcome, options, console) : refuse(outcome.error(), options, console);
    return endOfRank(code, *ranks, options);
}

int trainResumed(const std::string& run, const TrainingOptions& options, Console& console) {
    StandardInput input;
    const CommandSource asked(options, input, false);
    if (!options.detached.empty()) {
        DetachedTask task;
        const auto begins = input.experiment(); // nothing but its end
        if (begins && options.after == 0)       // who knows some of it has begun it before
            task.resumes = run;
        return serve(std::move(task), input, options, console);
    }
    if (const auto code = resumeWhereTrained(run, asked, options, console))
        return *code;
    const auto ranks = JoinedRanks::join(console);
    if (!ranks)
        return console.fail(ranks.error());
    RunControl control;
    const auto who = ranks->team() ? Interrupts::Who::Rank : Interrupts::Who::Trains;
    if (ranks->follows()) {
        const Interrupts interrupts(control, console, who);
        return endOfRank(ranks->follow(control), *ranks, options);
    }
    const auto resumeOnce = [&] {
        const Interrupts interrupts(control, console, who);
        const auto commands = asked.obey(control, console);
        const auto printer = makePrinter(console, options, control);
        return resume(run, options, ranks->team(), control, [&](auto events) {
            if (options.here)
                keepHere(events, options, console);
            printer->receive(events);
        });
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
    const int code = [&] {
        if (!outcome)
            return refuse(outcome.error(), options, console);
        if (outcome->error)
            return console.fail(*outcome->error);
        if (outcome->state != RunState::Stopped)
            return 0;
        sayHowToResume(outcome->run, options, console);
        return interrupted;
    }();
    return endOfRank(code, *ranks, options);
}

} // namespace accumulus::cli
