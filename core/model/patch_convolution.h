// SPDX-License-Identifier: GPL-3.0-or-later
// Convolutions in bfloat16 on x86-64 processors with matrix tiles (AMX). Where images are small, oneDNN's gradient of
// the weights is far slower there than a matrix product: it becomes that of the output's gradient with the patches of
// the input. Any thread.
#pragma once

#include <ATen/core/Tensor.h>
#include <cstdint>

namespace accumulus {

/// conv2d(input, weight, bias, stride, padding) in bfloat16, and its gradients. input: [n, channels, height, width] in
/// channels-last order, weight: [outputs, channels, kernel, kernel], bias: [outputs] or undefined. Output and gradient
/// of the input are conv2d's own; that of the weights is equal to conv2d's up to one rounding to bfloat16. For the way
/// back it gathers n x height' x width' x channels x kernel^2 numbers of the outputs' size height' x width'.
[[nodiscard]] at::Tensor patchConvolution(const at::Tensor& input, const at::Tensor& weight, const at::Tensor& bias,
                                          std::int64_t stride, std::int64_t padding);

/// Whether patchConvolution can take these and is expected to win over oneDNN: in bfloat16, by autocast or as they are,
/// on a processor with AMX; kernels of 1x1, and of 3x3 with at most 64 outputs per image and channel. Measured
/// (tests/bench/bench_convolution; oneDNN 3.10, Intel with AMX, one thread, 32 samples, both gradients): 512 channels
/// of 4x4 2.4 times as fast, of 7x7 1.6, 256 of 8x8 1.1; with stride 2 from 8x8 2.4, from 16x16 1.1; 1x1 1.1 to 1.9;
/// but 256 channels of 14x14 0.5, 128 of 16x16 0.3.
[[nodiscard]] bool patchesWin(const at::Tensor& input, const at::Tensor& weight, std::int64_t stride,
                              std::int64_t padding);

} // namespace accumulus
