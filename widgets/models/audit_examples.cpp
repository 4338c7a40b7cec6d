// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/audit_examples.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace accumulus::ui {
namespace {

/// A ragged window of K = 4 micro-batches: every mistake shows in it.
AuditExample rightWindow(std::vector<double> units = {4, 4, 4, 2}) {
    AuditExample example;
    const double all = std::accumulate(units.begin(), units.end(), 0.0);
    for (const double count : units)
        example.rightWeights.push_back(count / all);
    example.weights = example.rightWeights;
    example.units = std::move(units);
    return example;
}

AuditExample scaled(double factor) {
    AuditExample example = rightWindow();
    for (double& weight : example.weights)
        weight *= factor;
    return example;
}

} // namespace

std::optional<AuditExample> auditExample(std::string_view pattern) {
    constexpr double steps = 4.0;
    AuditExample example = rightWindow();
    auto& weights = example.weights;
    if (pattern == "mean-of-means")
        std::ranges::fill(weights, 1.0 / steps);
    else if (pattern == "factor-k") // a sum of means
        std::ranges::fill(weights, 1.0);
    else if (pattern == "divided-twice")
        return scaled(1.0 / steps);
    else if (pattern == "loss-scale")
        return scaled(8.0);                   // a small one, so that the right bars can still be seen
    else if (pattern == "remainder-window") { // two micro-batches are left, and the loop divides by four
        example = rightWindow({4, 2});
        example.weights = {1.0 / steps, 1.0 / steps};
    } else if (pattern == "last-micro-batch-lost")
        weights.back() = 0.0;
    else if (pattern == "only-last-kept")
        weights = {0.0, 0.0, 0.0, 1.0};
    else if (pattern == "geometric-weights")
        for (std::size_t k = 0; k < weights.size(); ++k)
            weights[k] *= std::pow(2.0, steps - 1.0 - static_cast<double>(k));
    else if (pattern == "rank-normalisation") // two ranks of two micro-batches, each divides by its own units
        weights = {0.25, 0.25, 4.0 / 12.0, 2.0 / 12.0};
    else if (pattern == "clip-per-micro-batch") { // norms 1, 2, 1.4 and 0.9, clipped at 1
        weights[1] /= 2.0;
        weights[2] /= 1.4;
    } else if (pattern == "gradients-not-cleared")
        example.earlier = example.rightWeights;
    else
        return std::nullopt;
    return example;
}

} // namespace accumulus::ui
