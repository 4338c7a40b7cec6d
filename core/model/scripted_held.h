// SPDX-License-Identifier: GPL-3.0-or-later
// Tensors that a module holds in lists, tuples, dictionaries and objects beside its parameters and buffers.
// torch.nn.GRU and LSTM compute with such a list, `_flat_weights`: whoever replaces a parameter has to replace it there
// as well. Internal to model.
#pragma once

#include <ATen/core/Tensor.h>
#include <functional>
#include <torch/csrc/jit/api/module.h>
#include <vector>

namespace accumulus {

struct HeldTensor {
    at::Tensor original;                         ///< in the module that was read
    std::function<void(const at::Tensor&)> hold; ///< puts another into its place in the copy
};

/// Of `module`, with their places in `copy`, a deep copy of it. Two places of one tensor are two entries. In any order.
[[nodiscard]] std::vector<HeldTensor> heldTensors(const torch::jit::Module& module, const torch::jit::Module& copy);

} // namespace accumulus
