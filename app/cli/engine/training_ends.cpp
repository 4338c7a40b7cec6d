// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/engine/training_ends.h"

#include "app/cli/comparing.h"
#include "app/cli/json_output.h"
#include "app/cli/library_option.h"
#include "app/cli/words.h"
#include "core/launch/event_stream.h"

#include <algorithm>
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
    const auto open = std::ranges::find(outcome.runs, RunState::Stopped, &RunFinished::state);
    if (open == outcome.runs.end())
        console.note("Stopped before the next run of the study began.");
    else
        sayHowToResume(open->run, options, console);
    return interrupted;
}

} // namespace accumulus::cli
