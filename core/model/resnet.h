// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model.h"

namespace accumulus {

/// The residual networks of He et al. 2015 with torchvision's parameter names and order: "resnet18" (two 3x3
/// convolutions a block) and "resnet50" (1x1, 3x3, 1x1 with the stride on the 3x3, known as v1.5). Of `config` count
/// name, stem, norm and dropout (before the last layer).
///
/// stem "imagenet": a 7x7 convolution with stride 2 and max-pooling; "cifar": a 3x3 convolution, no pooling. norm
/// "batch": BatchNorm, with buffers; "group": GroupNorm of 32 groups, the same names without buffers. Any image size.
/// Initial weights ("default"): convolutions N(0, 2 / (out x height x width)), normalisation layers identity, the last
/// layer as PyTorch's Linear. With channels last, all convolution weights are in that memory order and the input is
/// brought into it.
[[nodiscard]] std::shared_ptr<Model> makeResnet(const ModelConfig& config, const InputShape& input,
                                                ConvolutionChoice convolutions);

} // namespace accumulus
