// SPDX-License-Identifier: GPL-3.0-or-later
// Dropout whose mask is a function of (seed, epoch, sample id, layer): the same bits for every micro-batch, lane and
// device split.
#pragma once

#include "core/model/model.h"

namespace accumulus {

/// Zeroes elements of `input` [n, ...] with probability `rate` and scales the others by 1 / (1 - rate), while
/// context.training; else returns `input`. `layer`: a number of its own for each dropout layer of the model.
/// Differentiable. Rows are the samples of context.keys.
[[nodiscard]] at::Tensor keyedDropout(const at::Tensor& input, double rate, std::uint64_t layer,
                                      const ForwardContext& context);

/// The mask alone, 0 or 1 / (1 - rate), [n, perRow], in `type`.
[[nodiscard]] at::Tensor keyedMask(const SampleKeys& keys, std::int64_t perRow, double rate, std::uint64_t layer,
                                   at::ScalarType type);

} // namespace accumulus
