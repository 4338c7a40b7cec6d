// SPDX-License-Identifier: GPL-3.0-or-later
// Mean loss and accuracy of weights over a part of a data set. It is cut into fixed chunks whose sums are added in
// order, so the result does not depend on the number of lanes.
#pragma once

#include "core/engine/batch_source.h"
#include "core/engine/lane_pool.h"
#include "core/ranks/communicator.h"

#include <ATen/core/Tensor.h>
#include <cstdint>

namespace accumulus {

struct Evaluation {
    std::int64_t count = 0; ///< samples
    double loss = 0.0;      ///< mean over images or over the tokens that bear loss, without label smoothing
    double accuracy = 0.0;  ///< of the same, 0..1
};

/// `resident`: the data on the weights' device; null on the CPU. Chunks are smaller where memory runs out. Masks of
/// masked-token models are keyed by seed 0, so every evaluation asks the same questions. `ranks`: share the chunks and
/// tell each other the sums; all must call.
[[nodiscard]] Evaluation evaluate(const Model& model, const at::Tensor& parameters, const at::Tensor& buffers,
                                  const Dataset& data, DataPart part, Precision precision, LanePool& lanes,
                                  ResidentData* resident = nullptr, Communicator* ranks = nullptr);

} // namespace accumulus
