// SPDX-License-Identifier: GPL-3.0-or-later
// Linear layers. Any thread.
#pragma once

#include "core/model/gelu.h"

#include <ATen/core/Tensor.h>
#include <optional>

namespace accumulus {

/// input W^T + bias, and its gradients. input: [..., in], weight: [out, in], bias: [out] or undefined.
///
/// On the CPU in fp32 the three products go to the microkernel (see microkernel.h); at::linear goes to MKL, which
/// repacks the weights in each call. Equal to at::linear up to rounding; the same bits for any number of threads.
/// So do those of 16 bits where the processor is no faster in them (see sixteen_bits.h).
/// Anything else goes through at::linear. Measured: tests/bench/bench_layers.
[[nodiscard]] at::Tensor linearLayer(const at::Tensor& input, const at::Tensor& weight, const at::Tensor& bias);

/// linearLayer(geluOf(input, form), weight, bias) with the same bits. On the CPU in fp32 what is kept for the backward
/// pass is `input` alone, half of what the two keep: there the activation comes anew out of the pass that computes its
/// slopes.
[[nodiscard]] at::Tensor linearOfGelu(const at::Tensor& input, GeluForm form, const at::Tensor& weight,
                                      const at::Tensor& bias);

/// onto + linearLayer(input, weight, bias), or + linearOfGelu(input, *gelu, weight, bias); onto: as the output. On the
/// CPU in fp32 the products are added to `onto` block by block, without a pass of its own: equal up to rounding.
[[nodiscard]] at::Tensor linearOnto(const at::Tensor& onto, const at::Tensor& input, std::optional<GeluForm> gelu,
                                    const at::Tensor& weight, const at::Tensor& bias);

} // namespace accumulus
