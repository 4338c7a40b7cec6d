// SPDX-License-Identifier: GPL-3.0-or-later
// Libraries filled through RunStore as a training would fill them, with end results that the test chooses. For tests of
// views on finished runs; tests that use it link accumulus_store.
#pragma once

#include "core/base/result.h"
#include "core/store/run_records.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace accumulus::test {

/// A study of two arms: lenet5 on mnist, B = 256 as micro x steps against 256 x 1. finalA[i] is the last test accuracy
/// of the accumulated run of seedsA[i]. Curves are smooth with small, reproducible noise and end exactly at these
/// values.
struct SyntheticStudy {
    std::string name = "demo";
    std::vector<std::int64_t> seedsA, seedsB;
    std::vector<double> finalA, finalB;
    std::int64_t micro = 32;
    std::int64_t windows = 300;
    std::int64_t evaluateEvery = 47;
    double margin = 0.01;
    double createdAt = 1'790'000'000.0;
    RunState lastState = RunState::Completed; ///< of the last run of arm B; others are completed
    double learningRate = 0.05;
    std::string probe; ///< parameter that is probed at every micro-step
    BatchRamp ramp{};  ///< of both arms
    double lossScale = 1.0;
    LossKind loss = LossKind::CrossEntropy; ///< Mse: finalA and finalB are RMSE
    std::string metric = "auto";            ///< study.metric
    std::int64_t ranks = 1;                 ///< of the accumulated arm: each window 10 ms, the last rank the slowest
    std::vector<EventRecord> events{};      ///< of each run
    std::string id{};                       ///< tells apart studies of one name; empty: the name
};

struct SyntheticRuns {
    std::string study;
    std::vector<std::string> groupA, groupB;
};

/// `count` seeds from 0.
[[nodiscard]] std::vector<std::int64_t> firstSeeds(std::size_t count);
/// Creates the library when it is missing and adds the study with all its rows.
[[nodiscard]] Result<SyntheticRuns> addSyntheticStudy(const std::filesystem::path& library,
                                                      const SyntheticStudy& study);

/// The five cases of an honest comparison, as last accuracies of the two arms.
struct VerdictCase {
    std::string name;
    std::vector<double> a, b;
    double margin = 0.01;
};
[[nodiscard]] VerdictCase equivalentCase();      ///< differences of about 0.001
[[nodiscard]] VerdictCase differentCase();       ///< the same, shifted by 0.05
[[nodiscard]] VerdictCase differentWithinCase(); ///< shifted by 0.005, differences of about 0.0005
[[nodiscard]] VerdictCase notEnoughCase();       ///< two pairs
[[nodiscard]] VerdictCase inconclusiveCase();    ///< differences of about 0.05
[[nodiscard]] SyntheticStudy studyOf(const VerdictCase& verdictCase);

} // namespace accumulus::test
