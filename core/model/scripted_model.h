// SPDX-License-Identifier: GPL-3.0-or-later
// A network that somebody made elsewhere: a TorchScript module from model.path behind the interface of the built-in
// models. What it takes, returns and changes is found by trying it.
#pragma once

#include "core/model/model.h"

namespace accumulus {

/// BatchNorm layers are computed by the module itself; each pass leaves their statistics, which RunningStatistics
/// commits in order, so a run has the same bits on any number of lanes. Dropout draws from LibTorch's own stream,
/// seeded by the first sample of the micro-batch, one forward pass at a time.
/// Errors "model.file-unset" (no model.path) and those of readScriptedModule and tryScriptedModule.
[[nodiscard]] Result<std::shared_ptr<Model>> makeScriptedModel(const ModelConfig& config, const InputShape& input,
                                                               ConvolutionChoice convolutions = {});

} // namespace accumulus
