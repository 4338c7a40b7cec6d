// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model.h"

namespace accumulus {

/// GPT-2 (Radford et al. 2019) on characters: pre-norm blocks, learned positions, GELU (tanh form), logits by the
/// transposed token embedding (tied). Parameters are named as nanoGPT's, biases included; weights are [out, in] as
/// PyTorch's Linear. Of `config` count layers, heads, width and dropout.
///
/// Initial weights ("default"): N(0, 0.02), the two projections into the residual stream N(0, 0.02 / sqrt(2 layers)),
/// biases 0, LayerNorm identity. Dropout behind the embeddings, behind attention and behind the feed-forward layer of
/// each block, keyed by sample and layer. GPT-2's dropout of attention probabilities is left out (see
/// attentionPacked() in attention.h). Heads must divide the width.
[[nodiscard]] std::shared_ptr<Model> makeCharGpt(const ModelConfig& config, const InputShape& input);

} // namespace accumulus
