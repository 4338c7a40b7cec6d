// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/engine/plan_work.h"

#include "app/cli/engine/standard_input.h"
#include "app/cli/library_option.h"
#include "app/cli/stop_on_signal.h"
#include "app/cli/words.h"
#include "core/base/clock.h"
#include "core/config/byte_size.h"
#include "core/config/config_fields.h"
#include "core/config/experiment_file.h"
#include "core/launch/micro_sweep.h"
#include "core/store/run_reader.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <sys/prctl.h>
#include <unistd.h>

namespace accumulus::cli {
namespace {

/// One trial, for the process that started this one: its line of JSON says everything.
int tryForParent(const PlanOptions& options, Console& console) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);                  // nobody would read it
    std::ofstream("/proc/self/oom_score_adj") << 1000; // where memory runs out, this process is to go first
    StandardInput input;
    const auto text = input.experiment();
    const auto config = text ? runConfigFromJson(*text) : failure(text.error());
    console.line(trialJson(config ? tryHere(*config, options.seed, options.confirm) : failure(config.error())));
    return 0;
}

/// The settings of an experiment file, standard input or a run of the library.
Result<ExperimentConfig> settingsOf(const PlanOptions& options, std::int64_t& seed, Console& console) {
    std::error_code ignored;
    ExperimentConfig experiment;
    if (options.target == "-") {
        StandardInput input;
        ACCUMULUS_TRY_ASSIGN(const std::string text, input.experiment());
        ACCUMULUS_TRY_ASSIGN(experiment, parseExperiment(text, "standard input"));
    } else if (std::filesystem::exists(options.target, ignored) || options.target.ends_with(".toml")) {
        ACCUMULUS_TRY_ASSIGN(experiment, readExperiment(options.target));
    } else {
        ACCUMULUS_TRY_ASSIGN(auto library, Library::open(libraryPath(options.library), Library::Mode::Read));
        ACCUMULUS_TRY_ASSIGN(const auto run, RunReader(std::move(library)).run(options.target));
        experiment.run = run.config;
        experiment.study.seeds = {run.seed};
    }
    for (const std::string& assignment : options.assignments)
        ACCUMULUS_TRY(applyAssignment(experiment, assignment));
    console.notes(idleSettings(experiment));
    seed = experiment.study.seeds.empty() ? 0 : experiment.study.seeds.front();
    return experiment;
}

std::string milliseconds(double seconds) {
    return seconds < 10.0 ? fmt::format("{:.{}f} ms", 1e3 * seconds, seconds < 0.1 ? 2 : 0)
                          : fmt::format("{:.1f} s", seconds);
}

std::vector<std::string> rowOf(const MicroPlan& plan, const MicroPoint& point) {
    const auto overhead = overheadOf(plan, point);
    const bool recommended = plan.recommended && plan.points[*plan.recommended].micro == point.micro;
    return {grouped(point.micro),
            grouped(point.steps),
            point.lanes > 0 ? fmt::format("{} x {}", point.lanes, point.threads) : "-",
            point.peakBytes ? bytesText(*point.peakBytes) : "-",
            point.samplesPerSecond ? speed(*point.samplesPerSecond) : "-",
            point.updateSeconds ? milliseconds(*point.updateSeconds) : "-",
            overhead ? fmt::format("{:.1f} %", 100.0 * *overhead) : "-",
            point.problem ? messageText(*point.problem)
            : recommended ? "recommended"
                          : ""};
}

std::string dateText(double unixSeconds) {
    const auto time = static_cast<std::time_t>(unixSeconds);
    std::tm local{};
    localtime_r(&time, &local);
    return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}", local.tm_year + 1900, local.tm_mon + 1, local.tm_mday,
                       local.tm_hour, local.tm_min);
}

void print(const MicroPlan& plan, bool stored, Console& console) {
    console.line(fmt::format("{}, effective batch {}", messageText(plan.subject), grouped(plan.effective)));
    console.line(plan.device + (stored ? ", measured " + dateText(plan.createdAt) : ""));
    std::vector<std::vector<std::string>> rows{
        {"m", "K", "lanes x threads", "memory", "speed", "per update", "overhead", ""}};
    for (const MicroPoint& point : plan.points)
        rows.push_back(rowOf(plan, point));
    for (const std::string& line : tableLines(rows, {true, true, true, true, true, true, true, false}))
        console.line(line);
    if (const auto memory = memoryLine(plan.points))
        console.line(
            fmt::format("memory from m = {} on{}: {} + {} per sample, at most {:.1f} % off", grouped(memory->from),
                        memory->otherLanes ? fmt::format(", on {}", counted(memory->lanes, "lane")) : "",
                        bytesText(std::llround(std::max(0.0, memory->line.a))),
                        bytesText(std::llround(std::max(0.0, memory->line.b))), 100.0 * memory->line.largestResidual));
    for (const Message& note : plan.notes)
        console.line(messageText(note));
    console.line(messageText(plan.sentence));
}

void printProgress(const MicroPlan& plan, std::size_t& told, Console& console) {
    if (isatty(STDERR_FILENO) == 0)
        return;
    for (const MicroPoint& point : plan.points)
        if (plan.points.size() > told && &point == &plan.points.back())
            console.note(fmt::format("m = {}: {}", point.micro,
                                     point.fits ? speed(*point.samplesPerSecond) + ", " + bytesText(*point.peakBytes)
                                                : messageText(*point.problem)));
    told = plan.points.size();
}

int show(const MicroPlan& plan, bool stored, const PlanOptions& options, Console& console) {
    if (options.json)
        console.line(planJson(plan));
    else
        print(plan, stored, console);
    if (plan.cancelled)
        return static_cast<int>(ErrorKind::Interrupted);
    return plan.recommended ? 0 : static_cast<int>(ErrorKind::Device);
}

} // namespace

int planFor(const PlanOptions& options, Console& console) {
    if (options.trial)
        return tryForParent(options, console);
    PlanRequest request;
    const auto experiment = settingsOf(options, request.seed, console);
    if (!experiment)
        return console.fail(experiment.error());
    request.config = experiment->run;
    request.ragged = options.ragged;
    request.sizes = options.sizes;
    request.noiseScale = options.noiseScale;
    const std::filesystem::path library = libraryPath(options.library);
    if (!options.fresh)
        if (const auto stored = storedPlan(library, request); stored && *stored)
            return show(**stored, true, options, console);
    const StopOnSignal interrupted;
    std::size_t told = 0;
    const auto planned = planMicroBatch(
        request, [&](const MicroPlan& soFar) { printProgress(soFar, told, console); }, interrupted.token());
    if (!planned)
        return console.fail(planned.error());
    if (!planned->cancelled)
        if (const Status kept = storePlan(library, request, *planned); !kept)
            console.note(describe(kept.error()));
    return show(*planned, false, options, console);
}

} // namespace accumulus::cli
