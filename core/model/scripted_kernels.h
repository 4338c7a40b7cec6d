// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels of the built-in networks for networks from files: a module's forward pass is looked through for what they
// compute.
#pragma once

#include "core/model/model.h"

#include <torch/csrc/jit/api/module.h>

namespace accumulus {

/// Rewrites forward() of a module that has not run yet:
///  - max_pool2d(relu(x), 2) becomes reluMaxPool2x2(x), the same bits;
///  - convolutions with stride 1, without padding and with a bias become smallConvolution();
///  - with `convolutions.winograd`, 3x3 convolutions with stride 1 and padding 1 become winogradConvolution() where
///    winogradWins();
///  - other convolutions alike in both directions become convolution2d(), the same bits but under autocast;
///  - linear layers become linearLayer(), GELU becomes geluOf(), and attention without a mask, dropout or a scale of
///    its own becomes attention().
/// Where nothing is said of bits, results are equal up to rounding. How many places were rewritten. Throws what
/// LibTorch throws.
int useOwnKernels(torch::jit::Module& module, ConvolutionChoice convolutions);

} // namespace accumulus
