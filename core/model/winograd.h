// SPDX-License-Identifier: GPL-3.0-or-later
// Convolutions of 3x3 by Winograd's F(2x2, 3x3) and F(4x4, 3x3) (see winograd_kernels.h): 2.25 and 4 times fewer
// products than the sum over taps. Any thread.
#pragma once

#include <ATen/core/Tensor.h>
#include <cstdint>

namespace accumulus {

/// Outputs that are computed together. Best: those that are usually faster for the shape, chosen for the outputs, the
/// input's gradient and the weights' gradient apart.
enum class WinogradTiles : std::int8_t { Best, Of2x2, Of4x4 };

/// conv2d(input, weight) with stride 1 and padding 1, and its gradients. input: [n, in, height, width], weight: [out,
/// in, 3, 3]; on the CPU, channels multiples of 32. Result and gradients are in channels-last order. Equal to conv2d's
/// up to rounding; the same bits for any number of threads. An output has the same bits whatever else is in the batch.
/// fp32, or both in 16 bits: these are read as floats, and results rounded once.
[[nodiscard]] at::Tensor winogradConvolution(const at::Tensor& input, const at::Tensor& weight,
                                             WinogradTiles tiles = WinogradTiles::Best);

/// Whether winogradConvolution can take these and is expected to win over oneDNN: this processor has AVX2 and FMA, and
/// both tensors are in channels-last order. The batch does not decide: a sample's outputs must not change with it, or
/// ReLUs would open and close by rounding between a micro-batch and the large one. Measured
/// (tests/bench/bench_convolution), all gradients on shapes of ResNet-18: with vectors of 512 bits 1.9 to 3 times as
/// fast for 8 and 32 samples, 1.6 to 2.7 for two, for one 1.7 to 2.2 with up to 128 channels, but 0.6 to 0.9 with 256
/// (8x8 pixels) and 512 (4x4); with vectors of 256 bits 2 to 3.1 times for 8 and 32 samples, 1.5 to 2.7 for two.
[[nodiscard]] bool winogradWins(const at::Tensor& input, const at::Tensor& weight, std::int64_t stride,
                                std::int64_t padding);

} // namespace accumulus
