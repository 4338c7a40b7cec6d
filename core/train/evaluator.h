// SPDX-License-Identifier: GPL-3.0-or-later
// Mean loss and accuracy of weights over an image set. The set is cut into fixed chunks whose sums are added in order, so the result does not depend on the
// number of lanes.
#pragma once

#include "core/data/dataset.h"
#include "core/model/model.h"
#include "core/train/window_engine.h"

#include <ATen/core/Tensor.h>
#include <cstdint>

namespace accumulus {

struct Evaluation {
    std::int64_t count = 0;
    double loss = 0.0;     ///< mean per sample, without label smoothing
    double accuracy = 0.0; ///< 0..1
};

[[nodiscard]] Evaluation evaluate(const Model& model, const at::Tensor& parameters, const ImageSet& images, double mean, double deviation,
                                  WindowEngine& engine);

} // namespace accumulus
