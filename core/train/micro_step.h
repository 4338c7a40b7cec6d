// SPDX-License-Identifier: GPL-3.0-or-later
// One lane's work: gather a micro-batch, forward, sum of unit losses, backward. Each lane owns one; nothing is shared but the parameters' memory.
#pragma once

#include "core/data/dataset.h"
#include "core/model/model.h"
#include "core/train/gradient_window.h"

#include <ATen/core/Tensor.h>
#include <span>

namespace accumulus {

class MicroStep {
public:
    /// `parameters`: the flat arena that all lanes read. Buffers for at most `largest` samples.
    MicroStep(const Model& model, const at::Tensor& parameters, const ImageSet& images, double mean, double deviation,
              double labelSmoothing, std::int64_t largest);

    /// Gradient of the SUM of the samples' losses. Runs in the calling thread.
    [[nodiscard]] MicroGradient gradient(std::span<const std::int64_t> ids);

private:
    const Model& m_model;
    std::vector<at::Tensor> m_leaves;
    const ImageSet& m_images;
    double m_mean, m_deviation, m_labelSmoothing;
    at::Tensor m_input;  ///< [largest, channels, height, width]
    at::Tensor m_labels; ///< [largest]
};

/// Writes images and labels of `ids` into the first ids.size() rows of the buffers and returns those rows.
[[nodiscard]] std::pair<at::Tensor, at::Tensor> fillBatch(const ImageSet& images, double mean, double deviation,
                                                          std::span<const std::int64_t> ids, at::Tensor& input, at::Tensor& labels);

/// Sum over samples of the cross-entropy with label smoothing (as torch.nn.functional.cross_entropy, reduction = "sum").
[[nodiscard]] at::Tensor summedLoss(const at::Tensor& logits, const at::Tensor& labels, double labelSmoothing);

} // namespace accumulus
