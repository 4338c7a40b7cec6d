// SPDX-License-Identifier: GPL-3.0-or-later
// The convolutions of small image networks. Any thread.
#pragma once

#include <ATen/core/Tensor.h>

namespace accumulus {

/// conv2d(input, weight, bias) with stride 1 and without padding. On the CPU in fp32 the weight's gradient is computed
/// as the convolution it is, of the inputs with the output's gradient, samples in the role of channels: with few
/// channels oneDNN does that in two thirds of the time of its own backward pass. Equal to conv2d's gradient up to
/// rounding (sums in another order). Anything else goes through ATen.
[[nodiscard]] at::Tensor validConvolution(const at::Tensor& input, const at::Tensor& weight, const at::Tensor& bias);

} // namespace accumulus
