// SPDX-License-Identifier: GPL-3.0-or-later
// The loss of one micro-batch: a SUM over its loss units, never a mean; the window divides once. Any thread.
#pragma once

#include "core/base/result.h"
#include "core/config/experiment_config.h"
#include "core/engine/batch_source.h"
#include "core/engine/engine_errors.h"

#include <ATen/core/Tensor.h>
#include <cstdint>

namespace accumulus {

/// What counts as one loss unit of n_k: a whole sample, whose loss is the mean over those of its elements that bear
/// loss (one without any is no unit), or each of these elements. Images have one element, texts one for each token.
enum class LossUnit { Sample, Token };

struct LossSettings {
    LossKind kind = LossKind::CrossEntropy;
    LossUnit unit = LossUnit::Sample;
    double labelSmoothing = 0.0;
    double delta = 1.0;        ///< Huber
    at::Tensor classWeights{}; ///< fp64 [classes] on the CPU; undefined: all 1
    at::Tensor weightsThere{}; ///< the same where the outputs are, in their type; see placed()
    /// For outputs like `like`, so that no call of lossSum() copies the weights.
    [[nodiscard]] LossSettings placed(const at::Tensor& like) const;
};
[[nodiscard]] LossSettings lossSettings(const LossConfig& config);

struct BatchLoss {
    at::Tensor sum;     ///< scalar; undefined when there are no units
    double units = 0.0; ///< n_k
};

/// Targets in the shape that cross-entropy wants beside such outputs: [n] of [n, classes], where a column [n, 1] means
/// the same.
[[nodiscard]] at::Tensor classesBeside(const at::Tensor& output, const at::Tensor& targets);

/// The sum of the losses of a micro-batch; queues work only. Outputs of
///  - cross-entropy: [targets, classes], or [n, classes, d...] of targets [n, d...]; as
///    torch.nn.functional.cross_entropy with weights, label smoothing and ignored targets;
///  - mse (squared differences), l1, huber, bce-with-logits: as many numbers as the targets have, in the same order and
///    any shape; never broadcast;
///  - model: one loss for each unit, [n], [n, d...] or, in the order of the samples, [n x d], or any sum where
///  `modelUnits` >= 0 says of how many.
/// Throws ErrorThrown where they are of another size.
[[nodiscard]] at::Tensor lossSum(const at::Tensor& output, const Batch& batch, const LossSettings& settings,
                                 double modelUnits = -1.0);
/// Its units: a count, or with class weights the sum of the targets' weights, as PyTorch divides by. With class weights
/// it waits for a device.
[[nodiscard]] double lossUnits(const Batch& batch, const LossSettings& settings);
/// Both.
[[nodiscard]] BatchLoss batchLoss(const at::Tensor& output, const Batch& batch, const LossSettings& settings,
                                  double modelUnits = -1.0);

/// Does a model whose outputs for `batch` are `output` learn by this loss? `classes`: of the data set. Errors
/// "loss.outputs", "loss.classes", "loss.class-weights".
[[nodiscard]] Status checkOutputs(const at::Tensor& output, const Batch& batch, const LossSettings& settings,
                                  std::int64_t classes, double modelUnits = -1.0);
/// Can this loss learn the targets of tensors? Errors "loss.targets-beyond", "loss.targets-ignored",
/// "loss.targets-words".
[[nodiscard]] Status checkTargets(const LossConfig& config, const TargetValues& targets);
/// One weight for each of the `classes`? Error "loss.class-weights".
[[nodiscard]] Status checkClassWeights(const LossConfig& config, std::int64_t classes);

} // namespace accumulus
