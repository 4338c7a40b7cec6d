// SPDX-License-Identifier: GPL-3.0-or-later
// What a configuration would run, in numbers: for the summary of the form and the learning-rate preview. Pure
// functions; any thread.
#pragma once

#include "core/base/result.h"
#include "core/config/batch_plan.h"
#include "core/config/experiment_config.h"

#include <optional>
#include <vector>

namespace accumulus::ui {

struct SetupPlan {
    std::int64_t arms = 1;
    std::int64_t seeds = 0;
    std::optional<BatchPlan> batch; ///< nothing while the batch triple is wrong
    std::optional<EpochPlan> epoch; ///< nothing while the batch or the data set is unknown
    std::int64_t updates = 0;       ///< of one run; 0 when unknown
    std::int64_t samples = 0;       ///< training samples of one run
    [[nodiscard]] std::int64_t runs() const { return arms * seeds; }
};

/// `trainSamples`: size of the training set, 0 when unknown.
[[nodiscard]] SetupPlan planSetup(const ExperimentConfig& experiment, std::int64_t trainSamples);

struct LrPoint {
    std::int64_t update = 0;
    std::int64_t samples = 0; ///< seen by then
    double lr = 0.0;
    bool operator==(const LrPoint&) const = default;
};
/// Of a run, at most about 600 points; the first and the last update are among them.
[[nodiscard]] std::vector<LrPoint> previewLr(const ExperimentConfig& experiment, const SetupPlan& plan,
                                             std::int64_t trainSamples);

} // namespace accumulus::ui
