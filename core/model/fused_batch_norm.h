// SPDX-License-Identifier: GPL-3.0-or-later
// BatchNorm in training, with the addition and the ReLU that follow it, in two passes over the images each way. Any
// thread.
#pragma once

#include "core/model/batch_norm.h"

namespace accumulus {

/// Whether fusedBatchNorm takes these: fp32 or bfloat16 on the CPU in channels-last order, channels a multiple of 16.
[[nodiscard]] bool fusedBatchNormTakes(const at::Tensor& input, const AfterNorm& after);

/// As at::batch_norm by the statistics of all of `input` [n, channels, height, width], which go to `seen`; then what
/// follows; images in bfloat16 are read as floats, and what is made of them is rounded once. The same bits for any
/// number of threads: sums are taken over blocks of pixels, which are added in their order.
[[nodiscard]] at::Tensor fusedBatchNorm(const at::Tensor& input, const at::Tensor& weight, const at::Tensor& bias,
                                        const AfterNorm& after, NormStatistics& seen);

} // namespace accumulus
