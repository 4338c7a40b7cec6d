// SPDX-License-Identifier: GPL-3.0-or-later
// The optimizers as their papers and PyTorch's documentation write them, one number at a time in fp64: the oracle of
// FlatOptimizer.
#pragma once

#include "core/config/experiment_config.h"

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace accumulus::test {

/// The state of one parameter. A parameter without a gradient is simply not updated.
struct PlainMoments {
    std::vector<double> first, second;
    std::int64_t updates = 0;
};

/// torch.optim.SGD (dampening 0), Adam and AdamW of PyTorch 2, Algorithms 1 of their pages:
///   SGD    d = g + decay w;  b = momentum b + d (b = d at first);  w -= lr (nesterov ? d + momentum b : b)
///   Adam   d = g + decay w;  m = beta1 m + (1 - beta1) d;  v = beta2 v + (1 - beta2) d^2;
///          w -= lr (m / (1 - beta1^t)) / (sqrt(v / (1 - beta2^t)) + eps)
///   AdamW  w -= lr decay w first, then Adam with d = g
inline void plainUpdate(const OptimizerConfig& config, double lr, std::span<double> weights,
                        std::span<const double> gradient, PlainMoments& moments) {
    moments.first.resize(weights.size(), 0.0);
    moments.second.resize(weights.size(), 0.0);
    const auto t = static_cast<double>(++moments.updates);
    for (std::size_t i = 0; i < weights.size(); ++i) {
        double& w = weights[i];
        double& m = moments.first[i];
        double& v = moments.second[i];
        double d = gradient[i];
        if (config.name == OptimizerKind::AdamW)
            w -= lr * config.weightDecay * w;
        else
            d += config.weightDecay * w;
        if (config.name == OptimizerKind::Sgd) {
            m = config.momentum * m + d;
            w -= lr * (config.nesterov ? d + config.momentum * m : m);
            continue;
        }
        m = config.beta1 * m + (1.0 - config.beta1) * d;
        v = config.beta2 * v + (1.0 - config.beta2) * d * d;
        const double mean = m / (1.0 - std::pow(config.beta1, t));
        const double square = v / (1.0 - std::pow(config.beta2, t));
        w -= lr * mean / (std::sqrt(square) + config.eps);
    }
}

} // namespace accumulus::test
