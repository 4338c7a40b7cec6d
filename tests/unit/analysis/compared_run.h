// SPDX-License-Identifier: GPL-3.0-or-later
// Completed runs of a perceptron at B = 100, as comparisons take them: 4 micro-batches of 25, or the large batch.
#pragma once

#include "core/analysis/compare.h"

#include <string>

namespace accumulus::test {

inline ComparedRun completedRun(Arm arm, std::int64_t seed, double accuracy, double loss) {
    ComparedRun run;
    run.arm = arm;
    run.seed = seed;
    run.id = armName(arm) + std::to_string(seed);
    run.complete = true;
    run.config.model.name = "mlp";
    run.config.batch.effective = 100;
    run.config.batch.micro = arm == Arm::Accumulated ? 25 : 100;
    run.batch = resolveBatch(run.config.batch).value();
    run.ends.testAccuracy = accuracy;
    run.ends.testLoss = loss;
    return run;
}

} // namespace accumulus::test
