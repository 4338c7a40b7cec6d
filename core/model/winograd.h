// SPDX-License-Identifier: GPL-3.0-or-later
// Convolutions of 3x3 by Winograd's F(2x2, 3x3) (see winograd_kernels.h): 2.25 times fewer products than the sum over
// taps. Any thread.
#pragma once

#include <ATen/core/Tensor.h>

namespace accumulus {

/// conv2d(input, weight) with stride 1 and padding 1, and its gradients. input: [n, in, height, width], weight: [out,
/// in, 3, 3]; both fp32 on the CPU, channels multiples of 32. Result and gradients are in channels-last order. Equal to
/// conv2d's up to rounding; the same bits for any number of threads.
[[nodiscard]] at::Tensor winogradConvolution(const at::Tensor& input, const at::Tensor& weight);

/// Whether winogradConvolution can take these and is expected to win: this processor has vectors of 512 bits, both
/// tensors are in channels-last order, and there are enough tiles to be worth transforming the filters.
[[nodiscard]] bool winogradWins(const at::Tensor& input, const at::Tensor& weight, std::int64_t stride,
                                std::int64_t padding);

} // namespace accumulus
