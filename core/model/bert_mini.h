// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model.h"

namespace accumulus {

/// A small BERT (Devlin et al. 2019) on characters: a bidirectional post-norm encoder that guesses masked tokens. Token
/// `vocabulary` is the mask, so there is one embedding more than there are classes. The head is a dense layer, GELU
/// (error function), LayerNorm and the transposed token embedding (tied) with a bias. Parameters are named as in
/// Hugging Face's BertForMaskedLM; there is a single segment, so no token types. Of `config` count layers, heads, width
/// and dropout.
///
/// Initial weights ("default"): N(0, 0.02), biases 0, LayerNorm identity. Dropout behind the embeddings, behind
/// attention and behind the feed-forward layer of each block, keyed by sample and layer. BERT's dropout of attention
/// probabilities is left out (see attentionSideBySide() in attention.h). Heads must divide the width.
[[nodiscard]] std::shared_ptr<Model> makeBertMini(const ModelConfig& config, const InputShape& input);

} // namespace accumulus
