// SPDX-License-Identifier: GPL-3.0-or-later
// The pooling of small image networks. Any thread.
#pragma once

#include <ATen/core/Tensor.h>

namespace accumulus {

/// max_pool2d(relu(input), 2) of [n, channels, height, width], the same bits forward and backward; of several maxima
/// the first in reading order counts, as in ATen. On the CPU, for contiguous images with even sides, each
/// is one pass, and one byte an output is kept in between. Anything else goes through ATen.
[[nodiscard]] at::Tensor reluMaxPool2x2(const at::Tensor& input);

} // namespace accumulus
