// SPDX-License-Identifier: GPL-3.0-or-later
// Completed runs of very many updates with a falling loss, as a training would have written them.
#pragma once

#include "core/config/config_fields.h"
#include "core/store/run_store.h"

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace accumulus::test {

inline constexpr const char* longStudy = "study";

inline Status addLongStudy(RunStore& store, std::vector<std::int64_t> seeds) {
    StudyRecord study;
    study.id = longStudy;
    study.name = "long";
    study.config.seeds = std::move(seeds);
    study.createdAt = 1.79e9;
    return store.addStudy(study);
}

/// One evaluation after every tenth of the run.
inline std::vector<EvaluationRecord> longEvaluations(const RunRecord& run, std::int64_t updates) {
    std::vector<EvaluationRecord> evaluations;
    for (std::int64_t tenth = 1; tenth <= 10; ++tenth) {
        EvaluationRecord& evaluation = evaluations.emplace_back();
        evaluation.update = updates * tenth / 10;
        evaluation.samples = evaluation.update * run.batch.effective;
        evaluation.epochPosition = static_cast<double>(evaluation.samples) / 60'000.0;
        evaluation.count = 10'000;
        evaluation.accuracy =
            0.97 - 0.3 / static_cast<double>(tenth) + 0.001 * std::sin(static_cast<double>(run.seed + tenth));
        evaluation.loss = 1.0 - *evaluation.accuracy;
        evaluation.activeSeconds = 0.001 * static_cast<double>(evaluation.update);
        evaluation.wallTime = run.startedAt + evaluation.activeSeconds;
    }
    return evaluations;
}

inline WindowRecord longWindow(const RunRecord& run, std::int64_t number) {
    WindowRecord window;
    const auto at = static_cast<double>(number);
    window.window = number;
    window.update = number;
    window.samples = number * run.batch.effective;
    window.epochPosition = static_cast<double>(window.samples) / 60'000.0;
    window.units = static_cast<double>(run.batch.effective);
    window.microSteps = run.batch.steps;
    window.loss = 3.0 * std::exp(-at / 2e5) + 0.02 + 0.002 * std::sin(at * 0.7 + static_cast<double>(run.seed));
    window.lr = 0.01;
    window.gradNorm = 1.0 + 0.1 * std::sin(at * 0.3);
    window.seconds = 0.001;
    window.activeSeconds = 0.001 * at;
    window.wallTime = run.startedAt + window.activeSeconds;
    return window;
}

/// Of four samples per update, accumulated in two steps or as a large batch.
inline Status addLongRun(RunStore& store, Arm arm, std::int64_t seed, std::int64_t updates) {
    RunRecord run;
    run.id = armName(arm) + "-" + std::to_string(seed);
    run.study = longStudy;
    run.name = "long, " + run.id;
    run.arm = arm;
    run.seed = seed;
    run.config.batch.effective = 4;
    run.config.batch.micro = arm == Arm::Accumulated ? 2 : 4;
    run.config.train.length = {updates, Extent::Unit::Updates};
    ACCUMULUS_TRY_ASSIGN(run.batch, resolveBatch(run.config.batch));
    run.configHash = configHash(run.config, seed);
    run.pairHash = pairHash(run.config, seed);
    run.totalUpdates = updates;
    run.createdAt = run.startedAt = 1.79e9;
    ACCUMULUS_TRY(store.addRun(run));
    ACCUMULUS_TRY(store.updateStarted(run));
    ACCUMULUS_TRY(store.setState(run.id, RunState::Running));
    std::vector<WindowRecord> block;
    for (std::int64_t number = 1; number <= updates; ++number) {
        block.push_back(longWindow(run, number));
        if (block.size() == 10'000 || number == updates) {
            ACCUMULUS_TRY(store.addWindows(run.id, 1, block));
            block.clear();
        }
    }
    const auto evaluations = longEvaluations(run, updates);
    ACCUMULUS_TRY(store.addEvaluations(run.id, 1, evaluations));
    RunSummary summary;
    summary.updates = updates;
    summary.microSteps = updates * run.batch.steps;
    summary.samples = updates * run.batch.effective;
    summary.testAccuracy = evaluations.back().accuracy;
    summary.testLoss = evaluations.back().loss;
    return store.finishRun(run.id, RunState::Completed, summary, run.startedAt + 1e3);
}

} // namespace accumulus::test
