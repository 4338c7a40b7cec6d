// SPDX-License-Identifier: GPL-3.0-or-later
// Convolutions of 1x1: in channels-last order they are a linear layer over the pixels. Any thread.
#pragma once

#include <ATen/core/Tensor.h>

namespace accumulus {

/// conv2d(input, weight, bias, stride), and its gradients, by linearLayer. input: [n, channels, height, width], weight:
/// [outputs, channels, 1, 1], bias: [outputs] or undefined. The result is in channels-last order. Equal to conv2d's up
/// to rounding; the same bits for any number of threads.
[[nodiscard]] at::Tensor pointwiseConvolution(const at::Tensor& input, const at::Tensor& weight, const at::Tensor& bias,
                                              std::int64_t stride);

/// Whether pointwiseConvolution can take these and is expected to win over oneDNN, whose gradient of the weights is
/// slow where pixels are few: channels-last order, and at most 2048 pixels, or 4096 behind a stride. Measured
/// (tests/bench/bench_convolution) on shapes of ResNet-50.
[[nodiscard]] bool pointwiseWins(const at::Tensor& input, const at::Tensor& weight, std::int64_t stride,
                                 std::int64_t padding);

} // namespace accumulus
