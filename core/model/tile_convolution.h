// SPDX-License-Identifier: GPL-3.0-or-later
// Convolutions in bfloat16 on processors with matrix tiles (AMX). oneDNN 3.10 convolves large images at two thirds of
// the tiles' rate, but small ones, and for the gradients of weights, at a twentieth to a third of it. Any thread.
#pragma once

#include <ATen/core/Tensor.h>
#include <cstdint>

namespace accumulus {

/// conv2d(input, weight, bias, stride, kernel / 2) in bfloat16, and its gradients. input: [n, channels, height, width]
/// in channels-last order, weight: [outputs, channels, kernel, kernel], bias: [outputs] or undefined. Sums are in fp32
/// and rounded once; subnormal numbers count as 0. What tiles compute has the same bits for any number of threads.
/// Takes memory for about 1 MiB of input or gradient at a time, for a copy of the weights, and for fp32 sums of the
/// weights' size. Images of more than 64 outputs are left to oneDNN but for the gradient of 3x3 weights; that of 1x1
/// weights is a product of LibTorch's. Measured (tests/bench/bench_convolution; oneDNN 3.10, Intel with AMX, 32
/// samples, forward and all gradients): 512 channels of 4x4 2.0 and 4.0 times as fast, of 7x7 1.2 and 2.4; 256 of
/// 8x8 1.2 and 2.1; gradients of 256 of 14x14 1.4, 128 of 16x16 1.4, 64 of 32x32 1.1; with stride 2 from 8x8 1.7
/// and 4.7, from 16x16 1.5 and 2.3; 1x1 0.9 to 1.4, with stride 2 1.6 and 3.9.
[[nodiscard]] at::Tensor tileConvolution(const at::Tensor& input, const at::Tensor& weight, const at::Tensor& bias,
                                         std::int64_t stride);

/// Whether tileConvolution takes these: in bfloat16, by autocast or as they are, kernels of 1x1 and of 3x3, the padding
/// that goes with them, strides 1 and 2, channels and outputs that are multiples of 32; on a processor with AMX.
[[nodiscard]] bool tilesTake(const at::Tensor& input, const at::Tensor& weight, std::int64_t stride,
                             std::int64_t padding);

} // namespace accumulus
