// SPDX-License-Identifier: GPL-3.0-or-later
// Which runs a study has: all that is known of it without LibTorch.
#include "core/run/study_runner.h"

#include <utility>

namespace accumulus {
namespace {

/// The partner of `accumulated`.
Result<PlannedRun> largeBatchArm(const PlannedRun& accumulated, const StudyConfig& study) {
    PlannedRun large = accumulated;
    const BatchPlan& batch = accumulated.batch;
    RunConfig& config = large.config;
    large.arm = Arm::LargeBatch;
    config.batch.micro = batch.largestEffective();
    config.batch.devices = 1;
    if (!batch.ramp.empty())
        config.batch.ragged = RaggedPolicy::Weight; // smaller windows are one smaller micro-batch
    if (config.data.dropLast && config.data.dropMultiple == 0)
        config.data.dropMultiple = batch.micro;
    if (study.ghost && config.numerics.ghost == 0)
        config.numerics.ghost = batch.micro;
    config.device.lanes = 1;
    config.device.threads = 0;
    ACCUMULUS_TRY_ASSIGN(large.batch, resolveBatch(config.batch));
    return large;
}

} // namespace

Result<std::vector<PlannedRun>> planStudy(const ExperimentConfig& experiment) {
    ACCUMULUS_TRY_ASSIGN(const auto batch, resolveBatch(experiment.run.batch));
    std::vector<PlannedRun> runs;
    for (const std::int64_t seed : experiment.study.seeds) {
        PlannedRun run{Arm::Accumulated, seed, experiment.run, batch};
        run.config.batch.effective = batch.effective;
        run.config.batch.steps = 0;
        runs.push_back(run);
        if (!experiment.study.largeBatch)
            continue;
        ACCUMULUS_TRY_ASSIGN(auto partner, largeBatchArm(run, experiment.study));
        runs.push_back(std::move(partner));
    }
    return runs;
}

} // namespace accumulus
