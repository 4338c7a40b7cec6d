// SPDX-License-Identifier: GPL-3.0-or-later
// What a chunk of an evaluation adds to a loss and its metrics. Chunks are summed in their order, so that no number
// depends on who computed which.
#pragma once

#include "core/engine/losses.h"
#include "core/ranks/packed.h"

#include <ATen/core/Tensor.h>
#include <cstdint>
#include <vector>

namespace accumulus {

struct Evaluation;

/// Sums over one chunk of samples; chunks of one evaluation add up.
struct MetricSums {
    double loss = 0.0, units = 0.0;
    std::int64_t answers = 0; ///< targets with a class, or a yes or no
    std::int64_t correct = 0, amongFive = 0;
    bool hasFive = false;
    double numbers = 0.0; ///< how many were compared
    double absolute = 0.0, squared = 0.0;
    /// Of each number of a target over the samples, for R2: mean, squared deviations from it, squared errors. Targets
    /// with more than mostSeparate numbers count as one long list.
    double samples = 0.0;
    std::vector<double> mean, deviations, errors;

    static constexpr std::int64_t mostSeparate = 1024;

    void add(const MetricSums& next);
    void put(Packed& message) const;
    [[nodiscard]] static MetricSums from(Unpacked& message);
    /// Fills all but the count.
    void tell(const LossSettings& settings, Evaluation& evaluation) const;
};

/// `output` as lossSum() takes it, `modelUnits` as there.
[[nodiscard]] MetricSums metricSums(const at::Tensor& output, const Batch& batch, const LossSettings& settings,
                                    double modelUnits);

} // namespace accumulus
