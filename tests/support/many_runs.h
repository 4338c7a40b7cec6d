// SPDX-License-Identifier: GPL-3.0-or-later
// A large library of finished runs, without points, for what has to stay fast with ten thousand of them.
#pragma once

#include "core/config/batch_plan.h"
#include "core/store/run_store.h"

#include <string>

namespace accumulus::test {

/// Five seeds of each configuration, over models, batches and learning rates.
[[nodiscard]] inline RunRecord sweptRun(int number) {
    RunRecord run;
    run.id = "run-" + std::to_string(number);
    const int configuration = number / 5;
    run.name = "sweep " + std::to_string(configuration) + ", seed " + std::to_string(number % 5);
    run.seed = number % 5;
    run.config.model.name = configuration % 2 == 0 ? "mlp" : "lenet5";
    run.config.batch.effective = 64 << (configuration % 4);
    run.config.batch.micro = 32;
    run.config.optimizer.lr = 1e-4 * (1 + configuration);
    run.configHash = "hash-" + std::to_string(number);
    run.pairHash = "pair-" + std::to_string(number);
    run.batch = resolveBatch(run.config.batch).value();
    run.state = RunState::Completed;
    run.createdAt = 1'700'000'000.0 + number;
    run.startedAt = run.createdAt;
    run.summary.updates = 100;
    run.summary.samples = 100 * run.batch.effective;
    run.summary.testAccuracy = 0.9 + 1e-6 * number;
    run.summary.bestTestAccuracy = run.summary.testAccuracy;
    run.summary.testLoss = 0.3 - 1e-6 * number;
    run.summary.activeSeconds = 10.0 + number % 7;
    run.summary.samplesPerSecond = 1000.0 + number % 100;
    run.summary.peakBytes = 20'000'000;
    if (number % 3 == 0)
        run.tags.push_back("paper");
    if (number % 5 == 0)
        run.tags.push_back("tmp");
    return run;
}

/// In one transaction.
[[nodiscard]] inline Status addManyRuns(RunStore& store, int count) {
    ACCUMULUS_TRY(store.begin());
    for (int number = 0; number < count; ++number)
        ACCUMULUS_TRY(store.addRun(sweptRun(number)));
    return store.commit();
}

} // namespace accumulus::test
