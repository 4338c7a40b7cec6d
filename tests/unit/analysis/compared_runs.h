// SPDX-License-Identifier: GPL-3.0-or-later
// Runs of both arms for tests of comparisons.
#pragma once

#include "core/analysis/compare.h"

#include <algorithm>
#include <initializer_list>

namespace accumulus::test {

inline ComparedRun makeRun(Arm arm, std::int64_t seed, double accuracy) {
    ComparedRun run;
    run.arm = arm;
    run.seed = seed;
    run.id = armName(arm) + std::to_string(seed);
    run.name = armName(arm);
    run.complete = true;
    run.samples = 1000;
    run.updates = 10;
    run.config.batch.effective = 100;
    run.config.batch.micro = arm == Arm::Accumulated ? 25 : 100;
    run.batch = resolveBatch(run.config.batch).value();
    run.ends.testAccuracy = run.ends.bestTestAccuracy = accuracy;
    run.ends.testLoss = 1.0 - accuracy;
    run.ends.finalTrainLoss = 0.5;
    for (int window = 1; window <= 10; ++window) {
        run.trainLoss.x.push_back(100.0 * window);
        run.trainLoss.y.push_back(2.0 / window + 0.001 * static_cast<double>(seed) +
                                  (arm == Arm::Accumulated ? 0.25 : 0.0));
    }
    for (const bool end : {false, true}) {
        EvaluationRecord test;
        test.samples = end ? 1000 : 500;
        test.accuracy = end ? accuracy : accuracy - 0.1;
        test.loss = end ? 0.1 : 0.2;
        run.tests.push_back(test);
    }
    run.environment = {{"program", "Accumulus 1"}, {"libtorch", "2.11.0"}};
    return run;
}

/// Pairs with the given differences of accuracy.
inline ComparisonInput makeInput(std::initializer_list<double> differences, double margin) {
    ComparisonInput input;
    input.margin = margin;
    std::int64_t seed = 0;
    for (const double difference : differences) {
        const double base = 0.95 + 0.001 * static_cast<double>(seed % 3);
        input.groupA.push_back(makeRun(Arm::Accumulated, seed, base + difference));
        input.groupB.push_back(makeRun(Arm::LargeBatch, seed, base));
        ++seed;
    }
    return input;
}

template <class Change>
void changeRuns(ComparisonInput& input, Change change) {
    for (auto* group : {&input.groupA, &input.groupB})
        std::ranges::for_each(*group, change);
}

} // namespace accumulus::test
