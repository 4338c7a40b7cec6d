// SPDX-License-Identifier: GPL-3.0-or-later
// Convolutions of 3x3 by Winograd's F(2x2, 3x3) and F(4x4, 3x3) (see winograd_kernels.h): 2.25 and 4 times fewer
// products than the sum over taps. Any thread.
#pragma once

#include <ATen/core/Tensor.h>
#include <cstdint>

namespace accumulus {

/// Outputs that are computed together: `Best` takes those that are faster for the shape, for the outputs and for each
/// gradient.
enum class WinogradTiles : std::int8_t { Best, Of2x2, Of4x4 };

/// conv2d(input, weight) with stride 1 and padding 1, and its gradients. input: [n, in, height, width], weight: [out,
/// in, 3, 3]; on the CPU, channels multiples of 32. Result and gradients are in channels-last order. Equal to conv2d's
/// up to rounding; the same bits for any number of threads. An output has the same bits whatever else is in the batch.
/// fp32, or both in 16 bits: these are read as floats, and results rounded once.
[[nodiscard]] at::Tensor winogradConvolution(const at::Tensor& input, const at::Tensor& weight,
                                             WinogradTiles tiles = WinogradTiles::Best);

/// Whether winogradConvolution can take these and is expected to win over oneDNN: this processor has AVX2 and FMA, and
/// both tensors are in channels-last order. Measured (tests/bench/bench_convolution), all gradients on shapes of
/// ResNet-18: with vectors of 512 bits 1.4 to 3 times as fast down to a single sample; with those of 256 bits 1.9 to
/// 2.5 times for 32 samples, 1.2 to 1.9 times for one, but 0.7 where an image has four tiles.
[[nodiscard]] bool winogradWins(const at::Tensor& input, const at::Tensor& weight, std::int64_t stride,
                                std::int64_t padding);

} // namespace accumulus
