// SPDX-License-Identifier: GPL-3.0-or-later
// The oracle: the gradient of the mean loss over one whole batch, in fp64, in one pass, with nothing of the engine but
// the model itself. Slow on purpose.
#pragma once

#include "core/data/dataset.h"
#include "core/model/model.h"

#include <ATen/core/Tensor.h>
#include <span>
#include <stop_token>
#include <vector>

namespace accumulus {

struct ReferenceGradient {
    double loss = 0.0;
    std::vector<at::Tensor> gradients; ///< fp64, one per parameter; undefined where the loss does not depend on it
};
struct ReferenceSettings {
    double labelSmoothing = 0.0;
    bool training = false; ///< dropout draws, BatchNorm uses the batch's own statistics (or groups of `ghost`)
    std::int64_t seed = 0, epoch = 0; ///< of what is drawn
    bool augment = false;             ///< crop-flip
    bool meanOfSamples = false;       ///< each sample is one unit, the mean of its tokens or numbers
    BatchNormMode batchNorm = BatchNormMode::Frozen;
    std::int64_t ghost = 0;
    bool wholeBatch = false; ///< in one pass: the loss couples samples
    std::stop_token stop{};  ///< asked between chunks; then what is returned is of no use
    at::Tensor buffers{};    ///< flat, of Model::buffers(); for frozen statistics
    LossKind kind = LossKind::CrossEntropy;
    double delta = 1.0;                 ///< Huber
    std::vector<double> classWeights{}; ///< empty: all 1
    /// The loss of a configuration.
    ReferenceSettings& take(const LossConfig& loss) {
        kind = loss.kind;
        delta = loss.delta;
        meanOfSamples = loss.normalise == Normalise::Samples;
        if (loss.kind == LossKind::CrossEntropy) {
            labelSmoothing = loss.labelSmoothing;
            classWeights = loss.classWeights;
        }
        return *this;
    }
};
/// `parameters`: flat, any type; converted to fp64. Images and text. A batch that nothing couples is taken 64 samples
/// at a time, to spare memory.
[[nodiscard]] ReferenceGradient referenceGradient(const Model& model, const at::Tensor& parameters, const Dataset& data,
                                                  std::span<const std::int64_t> ids,
                                                  const ReferenceSettings& settings = {});

} // namespace accumulus
