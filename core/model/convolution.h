// SPDX-License-Identifier: GPL-3.0-or-later
// The convolutions of small image networks, and those of any network in 16 bits. Any thread.
#pragma once

#include <ATen/core/Tensor.h>

namespace accumulus {

/// conv2d(input, weight, bias) with stride 1 and a margin of `margin` zeros on each side, and its gradients. input: [n,
/// channels, height, width], weight: [outputs, channels, kernel, kernel].
///
/// On the CPU in fp32, while channels and images are few and small and kernels are 3x3 or 5x5, the sum over taps itself
/// (direct_convolution_kernels.h): with one channel it takes a third of oneDNN's time (tests/bench/bench_layers).
/// Equal to conv2d up to rounding; the same bits for any number of threads. Anything else goes through ATen.
[[nodiscard]] at::Tensor smallConvolution(const at::Tensor& input, const at::Tensor& weight, const at::Tensor& bias,
                                          std::int64_t margin);

/// conv2d, alike in both directions; of 1x1 by pointwiseConvolution where that wins; in fp32 and rounded where
/// RoundedProducts is active (see sixteen_bits.h); else ATen's. `bias` may be undefined.
[[nodiscard]] at::Tensor convolution2d(const at::Tensor& input, const at::Tensor& weight, const at::Tensor& bias,
                                       std::int64_t stride, std::int64_t padding);

} // namespace accumulus
