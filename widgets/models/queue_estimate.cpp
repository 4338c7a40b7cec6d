// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/queue_estimate.h"

#include "core/run/micro_planner.h"
#include "core/run/study_runner.h"
#include "widgets/models/plan_facts.h"

#include <algorithm>

namespace accumulus::ui {
namespace {

bool trainsAlike(const RunConfig& a, const RunConfig& b) {
    return a.data == b.data && a.model == b.model && a.loss == b.loss && a.batch == b.batch &&
           a.numerics == b.numerics && a.device == b.device && a.parallel == b.parallel;
}

std::optional<MicroPlan> newestPlan(RunReader& reader, const RunConfig& config) {
    PlanRequest request{.config = config};
    auto plan = planOf(reader, request).value_or(std::nullopt);
    request.ragged = true;
    auto ragged = planOf(reader, request).value_or(std::nullopt);
    return ragged && (!plan || plan->createdAt < ragged->createdAt) ? ragged : plan;
}

} // namespace

std::optional<double> secondsBySpeed(const ExperimentConfig& experiment, std::int64_t samples,
                                     const std::vector<RunRecord>& trained) {
    const auto runs = planStudy(experiment);
    if (!runs || runs->empty() || samples <= 0)
        return std::nullopt;
    double seconds = 0.0;
    for (const PlannedRun& planned : *runs) {
        const auto alike = std::ranges::find_if(trained, [&](const RunRecord& run) {
            return run.summary.samplesPerSecond > 0.0 && trainsAlike(run.config, planned.config);
        });
        if (alike == trained.end())
            return std::nullopt;
        seconds += static_cast<double>(samples) / alike->summary.samplesPerSecond;
    }
    return seconds;
}

std::optional<double> studySeconds(RunReader& reader, const ExperimentConfig& experiment) {
    const auto data = inspectData(experiment.run.data, experiment.run.model.name);
    if (!data)
        return std::nullopt;
    const SetupPlan setup = planSetup(experiment, data->trainSamples);
    if (const auto plan = newestPlan(reader, experiment.run))
        if (const auto seconds = studySeconds(setup, *plan))
            return seconds;
    const auto trained = reader.runs();
    return trained ? secondsBySpeed(experiment, setup.samples, *trained) : std::nullopt;
}

std::optional<double> remainingSeconds(RunReader& reader, const std::vector<std::string>& runs) {
    double seconds = 0.0;
    for (const std::string& id : runs) {
        const auto run = reader.run(id);
        if (!run || run->summary.samplesPerSecond <= 0.0 || run->summary.updates <= 0)
            return std::nullopt;
        const auto left = static_cast<double>(run->totalUpdates - run->summary.updates);
        const double samplesPerUpdate =
            static_cast<double>(run->summary.samples) / static_cast<double>(run->summary.updates);
        seconds += std::max(0.0, left) * samplesPerUpdate / run->summary.samplesPerSecond;
    }
    return seconds;
}

} // namespace accumulus::ui
