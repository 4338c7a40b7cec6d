// SPDX-License-Identifier: GPL-3.0-or-later
// The two terms of the gradient noise scale parameter by parameter, at fixed weights: windows of the training data are
// computed by the code that trains, each as a whole and each of its micro-batches by itself, and only squared norms are
// kept. tr Sigma and |G|^2 are sums over parameters, so the terms of all parameters add up to the model's. Free of
// torch; blocks; the calling thread becomes lane 0.
#pragma once

#include "core/base/result.h"
#include "core/engine/engine_setup.h"

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

namespace accumulus {

struct LayerNoiseSettings {
    std::int64_t windows = 20;       ///< fewer where the data set has not as many batches
    std::filesystem::path weights{}; ///< safetensors; empty: the initial weights
    std::int64_t epoch = 0;          ///< whose order of samples is followed
};

/// One entry a window; S is not clamped, so it may be negative by rounding.
struct ParameterNoise {
    std::string name;
    std::vector<std::int64_t> shape;
    std::vector<double> s;  ///< estimates of tr Sigma, in the unit of the loss
    std::vector<double> g2; ///< estimates of |G|^2
};

struct LayerNoise {
    std::int64_t effective = 0, micro = 0, steps = 0;
    double unitsPerSample = 1.0;
    std::int64_t nonfinite = 0;             ///< windows that were left out
    std::vector<ParameterNoise> parameters; ///< trainable ones, in the model's order
    ParameterNoise whole;                   ///< without name and shape: what training itself records of these windows
};

/// Windows of the setup's effective batch in its micro-batches; where that is one micro-batch, in four (two, three)
/// smaller ones. Without clipping, and with the loss's mean over all its units. Errors "noise.one-sample",
/// "noise.cancelled" (a stop was requested), "config.batch.exceeds-data" and those of EngineTrial.
[[nodiscard]] Result<LayerNoise> layerNoise(EngineSetup setup, const LayerNoiseSettings& settings,
                                            std::stop_token stop = {});

} // namespace accumulus
