// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/engine/training_ends.h"

#include "app/cli/comparing.h"
#include "app/cli/json_output.h"
#include "app/cli/library_option.h"
#include "app/cli/words.h"
#include "core/base/shell_word.h"
#include "core/launch/event_stream.h"
#include "core/store/library.h"

#include <algorithm>
#include <fmt/format.h>
#include <ranges>
#include <set>
#include <vector>

namespace accumulus::cli {
namespace {

/// The runs of one arm, also those that failed, as they were trained.
std::vector<std::string> runsOf(const StudyOutcome& outcome, Arm arm) {
    std::vector<std::string> ids;
    for (const RunFinished& run : outcome.runs) {
        if (run.arm == arm)
            ids.push_back(run.run);
    }
    return ids;
}

/// What is left of a study that was stopped.
struct Rest {
    std::vector<std::string> open; ///< runs, in the order of the study
    std::size_t runs = 0;          ///< of the study, in all
    bool compares = false;         ///< it has runs of both arms
};

Rest restOf(const StudyOutcome& outcome, const TrainingOptions& options) {
    Rest rest;
    std::set<Arm> arms;
    if (auto reader = openReader(libraryPath(options.library)))
        if (const auto runs = reader->runs({.study = outcome.study.id}))
            for (const RunRecord& run : *runs | std::views::reverse) {
                ++rest.runs;
                arms.insert(run.arm);
                if (canResume(run))
                    rest.open.push_back(run.id);
            }
    rest.compares = arms.size() > 1;
    return rest;
}

void sayHowToResumeAll(const Rest& rest, const StudyOutcome& outcome, const TrainingOptions& options,
                       Console& console) {
    const std::string library = libraryArgument(options.library);
    console.note(fmt::format("Stopped. {} of the study {} open. Continue with:", counted(std::ssize(rest.open), "run"),
                             rest.open.size() == 1 ? "is" : "are"));
    for (const std::string& run : rest.open)
        console.note("  accumulus-cli resume " + shortId(run) + library);
    if (rest.compares)
        console.note("  accumulus-cli compare " + shellWord(outcome.study.name) + library);
}

int sayVerdict(const StudyOutcome& outcome, const TrainingOptions& options, Console& console) {
    const Groups groups{runsOf(outcome, Arm::Accumulated), runsOf(outcome, Arm::LargeBatch)};
    const bool anyCompleted =
        std::ranges::find(outcome.runs, RunState::Completed, &RunFinished::state) != outcome.runs.end();
    if (groups.a.empty() || groups.b.empty() || !anyCompleted)
        return 0;
    const auto compared = compareInLibrary(libraryPath(options.library), groups, {});
    if (!compared)
        return console.fail(compared.error());
    if (options.json) {
        Json line = {{"event", "verdict"}, {"study", outcome.study.id}};
        line.update(comparisonJson(compared->input, compared->comparison()));
        console.line(oneLine(line));
    } else {
        printVerdict(compared->comparison(), console);
    }
    return 0;
}

} // namespace

std::unique_ptr<EventPrinter> makePrinter(Console& console, const TrainingOptions& options, const RunControl& control) {
    console.outliveReader();
    if (options.events)
        return makeStreamPrinter(console, options.logEvery,
                                 [&] { return control.request() == RunControl::Request::StopNow; });
    return options.json ? makeJsonPrinter(console, options.logEvery) : makeTextPrinter(console, options.logEvery);
}

int refuse(const Error& error, const TrainingOptions& options, Console& console) {
    if (options.events)
        console.record(eventLine(StudyFinished{{}, false, error}), [] { return true; });
    return console.fail(error);
}

void sayHowToResume(const std::string& run, const TrainingOptions& options, Console& console) {
    console.note("Stopped. Continue with: accumulus-cli resume " + shortId(run) + libraryArgument(options.library));
}

int finishStudy(const StudyOutcome& outcome, const TrainingOptions& options, Console& console) {
    if (!outcome.stopped) {
        const int code = options.events ? 0 : sayVerdict(outcome, options, console); // who follows it compares itself
        return outcome.error ? console.fail(*outcome.error) : code;
    }
    if (outcome.error)
        console.note(describe(*outcome.error));
    const Rest rest = restOf(outcome, options);
    const auto stopped = std::ranges::find(outcome.runs, RunState::Stopped, &RunFinished::state);
    if (rest.runs > 1 && !rest.open.empty())
        sayHowToResumeAll(rest, outcome, options, console);
    else if (stopped != outcome.runs.end())
        sayHowToResume(stopped->run, options, console);
    else
        console.note("Stopped before the next run of the study began.");
    return interrupted;
}

} // namespace accumulus::cli
