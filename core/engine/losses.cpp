// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/losses.h"

#include <ATen/ATen.h>

namespace accumulus {

BatchLoss batchLoss(const at::Tensor& logits, const Batch& batch, LossUnit unit, double labelSmoothing) {
    const std::int64_t perSample = batch.targets.numel() / batch.samples;
    if (unit == LossUnit::Token || perSample == 1) {
        if (batch.bearing.targets == 0)
            return {};
        return {at::cross_entropy_loss(logits, batch.targets, {}, at::Reduction::Sum, ignoredTarget, labelSmoothing),
                batch.bearing.targets};
    }
    // Mean over the tokens of each sample; a sample without any is no unit.
    if (batch.bearing.samples == 0)
        return {};
    const at::Tensor counts = batch.targets.view({batch.samples, perSample}).ne(ignoredTarget).sum(1);
    const at::Tensor each =
        at::cross_entropy_loss(logits, batch.targets, {}, at::Reduction::None, ignoredTarget, labelSmoothing);
    return {(each.view({batch.samples, perSample}).sum(1) / counts.clamp_min(1)).sum(), batch.bearing.samples};
}

} // namespace accumulus
