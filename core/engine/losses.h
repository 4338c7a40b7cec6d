// SPDX-License-Identifier: GPL-3.0-or-later
// The loss of one micro-batch: a SUM over its loss units, never a mean; the window divides once. Any thread.
#pragma once

#include "core/engine/batch_source.h"

#include <ATen/core/Tensor.h>
#include <cstdint>

namespace accumulus {

/// What counts as one loss unit n_k of a text: a token that bears loss, or a whole sample (then each sample's loss is
/// the mean over its tokens). An image is one unit either way.
enum class LossUnit { Sample, Token };

struct BatchLoss {
    at::Tensor sum;         ///< scalar; undefined when there are no units
    std::int64_t units = 0; ///< n_k
};

/// Cross entropy with label smoothing, as torch.nn.functional.cross_entropy, of logits [targets, classes].
[[nodiscard]] BatchLoss batchLoss(const at::Tensor& logits, const Batch& batch, LossUnit unit, double labelSmoothing);

} // namespace accumulus
