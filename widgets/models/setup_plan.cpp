// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/setup_plan.h"

#include "core/config/lr_schedule.h"

#include <algorithm>

namespace accumulus::ui {

namespace {

std::int64_t samplesOfRun(const RunConfig& run, const SetupPlan& plan) {
    const TailPolicy tail = run.batch.tail;
    const bool seesTail = tail == TailPolicy::Apply || tail == TailPolicy::Leak;
    if (run.train.length.unit == Extent::Unit::Epochs && seesTail)
        return run.train.length.count * plan.epoch->samples;
    return samplesOfUpdates(*plan.batch, plan.epoch->samples, tail, plan.updates);
}

} // namespace

SetupPlan planSetup(const ExperimentConfig& experiment, std::int64_t trainSamples) {
    const RunConfig& run = experiment.run;
    SetupPlan plan;
    plan.arms = experiment.study.largeBatch ? 2 : 1;
    plan.seeds = static_cast<std::int64_t>(experiment.study.seeds.size());
    if (auto batch = resolveBatch(run.batch))
        plan.batch = std::move(*batch);
    if (!plan.batch)
        return plan;
    const std::int64_t samples = usedSamples(run.data, *plan.batch, trainSamples);
    if (samples <= 0 || plan.batch->largestEffective() > samples)
        return plan;
    plan.epoch = planEpoch(*plan.batch, samples, run.batch.tail);
    plan.updates = totalUpdates(*plan.batch, samples, run.batch.tail, run.train.length);
    plan.samples = samplesOfRun(run, plan);
    return plan;
}

std::vector<LrPoint> previewLr(const ExperimentConfig& experiment, const SetupPlan& plan, std::int64_t trainSamples) {
    std::vector<LrPoint> points;
    if (!plan.epoch || plan.updates < 1)
        return points;
    const RunConfig& run = experiment.run;
    const std::int64_t samples = usedSamples(run.data, *plan.batch, trainSamples);
    const auto inUpdates = [&](const Extent& extent) {
        return extent.count > 0 ? extentInUpdates(extent, *plan.batch, samples, run.batch.tail) : 0;
    };
    const std::int64_t warmup = inUpdates(run.schedule.warmup);
    const std::int64_t stepEvery = inUpdates(run.schedule.stepEvery);
    const std::int64_t stride = std::max<std::int64_t>(1, plan.updates / 600);
    const auto add = [&](std::int64_t update) {
        const std::int64_t seen = update == plan.updates
                                      ? plan.samples
                                      : samplesOfUpdates(*plan.batch, plan.epoch->samples, run.batch.tail, update);
        points.push_back(
            {update, seen, scheduledLr(run.optimizer, run.schedule, update, warmup, plan.updates, stepEvery)});
    };
    for (std::int64_t update = 1; update < plan.updates; update += stride)
        add(update);
    add(plan.updates);
    return points;
}

} // namespace accumulus::ui
