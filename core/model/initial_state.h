// SPDX-License-Identifier: GPL-3.0-or-later
// Where a model starts: weights that are drawn, or those of the file model.weights. The one place that says so;
// whatever computes with initial weights asks here. Any thread.
#pragma once

#include "core/base/message.h"
#include "core/model/model.h"

namespace accumulus {

struct InitialState {
    at::Tensor parameters;        ///< flat, of Model::layout()
    at::Tensor statistics;        ///< flat, of Model::buffers()
    std::vector<Message> notes{}; ///< what was loaded, drawn and left out
};

/// In `type` on the CPU. The same seed draws the same weights, whatever a file replaces of them. Errors of
/// loadInitialWeights().
[[nodiscard]] Result<InitialState> initialState(const Model& model, const ModelConfig& config, std::int64_t seed,
                                                at::ScalarType type);
/// The same without the file: for weights that a checkpoint brings.
[[nodiscard]] InitialState drawnState(const Model& model, const ModelConfig& config, std::int64_t seed,
                                      at::ScalarType type);

} // namespace accumulus
