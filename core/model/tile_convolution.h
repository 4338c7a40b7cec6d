// SPDX-License-Identifier: GPL-3.0-or-later
// Convolutions in bfloat16 on processors with matrix tiles (AMX). oneDNN 3.10 computes those of large images at three
// quarters of the tiles' rate, but those of small images, and gradients of weights, at a twentieth to a third of it.
// Any thread.
#pragma once

#include <ATen/core/Tensor.h>
#include <cstdint>

namespace accumulus {

/// conv2d(input, weight, bias, stride, kernel / 2) in bfloat16, and its gradients. input: [n, channels, height, width]
/// in channels-last order, weight: [outputs, channels, kernel, kernel], bias: [outputs] or undefined. Sums are in fp32
/// and rounded once; subnormal numbers count as 0. The same bits for any number of threads. Takes memory for a second
/// copy of about 1 MiB of input or gradient at a time, of the weights, and fp32 sums of the weights' size.
[[nodiscard]] at::Tensor tileConvolution(const at::Tensor& input, const at::Tensor& weight, const at::Tensor& bias,
                                         std::int64_t stride);

/// Whether tileConvolution takes these: in bfloat16, by autocast or as they are, kernels of 1x1 and of 3x3, the padding
/// that goes with them, strides 1 and 2, channels and outputs that are multiples of 32; on a processor with AMX.
[[nodiscard]] bool tilesTake(const at::Tensor& input, const at::Tensor& weight, std::int64_t stride,
                             std::int64_t padding);

} // namespace accumulus
