// SPDX-License-Identifier: GPL-3.0-or-later
// The pooling of small image networks. Any thread.
#pragma once

#include <ATen/core/Tensor.h>

namespace accumulus {

/// max_pool2d(relu(input), 2) of [n, channels, height, width], the same bits forward and backward. On the CPU, for contiguous fp32 and fp64 images with even sides,
/// both are one pass that needs no index tensor: a maximum is found again by its value, the first one in reading order where there are several, as in ATen.
/// Anything else goes through ATen.
[[nodiscard]] at::Tensor reluMaxPool2x2(const at::Tensor& input);

} // namespace accumulus
