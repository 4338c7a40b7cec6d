// SPDX-License-Identifier: GPL-3.0-or-later
// The oracle: the gradient of the mean loss over one whole batch, in fp64, in one pass, with nothing of the engine but
// the model itself. Slow on purpose.
#pragma once

#include "core/data/dataset.h"
#include "core/model/model.h"

#include <ATen/core/Tensor.h>
#include <span>

namespace accumulus {

struct ReferenceGradient {
    double loss = 0.0;
    std::vector<at::Tensor> gradients; ///< fp64, one per parameter; undefined where the loss does not depend on it
};
/// `parameters`: flat, any type; converted to fp64.
[[nodiscard]] ReferenceGradient referenceGradient(const Model& model, const at::Tensor& parameters, const Dataset& data,
                                                  std::span<const std::int64_t> ids, double labelSmoothing = 0.0);

} // namespace accumulus
