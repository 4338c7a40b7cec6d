// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/setup_plan.h"

#include "core/config/lr_schedule.h"

#include <algorithm>

namespace accumulus::ui {

namespace {

std::int64_t samplesOfRun(const RunConfig& run, const SetupPlan& plan, std::int64_t trainSamples) {
    const TailPolicy tail = run.batch.tail;
    const bool seesTail = tail == TailPolicy::Apply || tail == TailPolicy::Leak;
    if (run.train.length.unit == Extent::Unit::Epochs && seesTail)
        return run.train.length.count * trainSamples;
    if (tail == TailPolicy::Apply && plan.epoch->updates > 0) {
        const std::int64_t epochs = plan.updates / plan.epoch->updates;
        return epochs * trainSamples + plan.updates % plan.epoch->updates * plan.batch->effective;
    }
    return plan.updates * plan.batch->effective;
}

} // namespace

SetupPlan planSetup(const ExperimentConfig& experiment, std::int64_t trainSamples) {
    const RunConfig& run = experiment.run;
    SetupPlan plan;
    plan.arms = experiment.study.largeBatch ? 2 : 1;
    plan.seeds = static_cast<std::int64_t>(experiment.study.seeds.size());
    if (auto batch = resolveBatch(run.batch))
        plan.batch = std::move(*batch);
    if (!plan.batch || trainSamples <= 0 || plan.batch->effective > trainSamples)
        return plan;
    plan.epoch = planEpoch(*plan.batch, trainSamples, run.batch.tail);
    plan.updates = totalUpdates(*plan.batch, trainSamples, run.batch.tail, run.train.length);
    plan.samples = samplesOfRun(run, plan, trainSamples);
    return plan;
}

std::vector<std::pair<double, double>> previewLr(const ExperimentConfig& experiment, const SetupPlan& plan,
                                                 std::int64_t trainSamples) {
    std::vector<std::pair<double, double>> points;
    if (!plan.epoch || plan.updates < 1)
        return points;
    const RunConfig& run = experiment.run;
    const auto inUpdates = [&](const Extent& extent) {
        return extent.count > 0 ? extentInUpdates(extent, *plan.batch, trainSamples, run.batch.tail) : 0;
    };
    const std::int64_t warmup = inUpdates(run.schedule.warmup);
    const std::int64_t stepEvery = inUpdates(run.schedule.stepEvery);
    const std::int64_t stride = std::max<std::int64_t>(1, plan.updates / 600);
    const auto add = [&](std::int64_t update) {
        points.emplace_back(static_cast<double>(update),
                            scheduledLr(run.optimizer, run.schedule, update, warmup, plan.updates, stepEvery));
    };
    for (std::int64_t update = 1; update < plan.updates; update += stride)
        add(update);
    add(plan.updates);
    return points;
}

} // namespace accumulus::ui
