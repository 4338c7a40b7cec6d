// SPDX-License-Identifier: GPL-3.0-or-later
// The weights in 16 bits, for the operators that autocast computes so: cast once for all lanes and micro-steps of a
// window, where autocast itself casts them in each forward pass of each lane, and their gradients back in each backward
// pass. The results are the same to the bit. On the CPU; of models that say which parameters are read by such operators
// alone (ParameterSpec::autocast).
#pragma once

#include "core/config/experiment_config.h"
#include "core/model/parameter_arena.h"
#include "core/window/workers.h"

#include <ATen/core/Tensor.h>

namespace accumulus {

class CastWeights {
public:
    /// Casts nothing unless `precision` has 16 bits and a parameter of `layout` is marked.
    CastWeights(const ParameterLayout& layout, Precision precision);

    /// Flat, as the parameters; undefined where nothing is cast. The memory stays where it is.
    [[nodiscard]] const at::Tensor& flat() const { return m_flat; }
    /// Takes the weights as they are now. Between two windows, by the trainer's thread; `workers` share it, may be
    /// null.
    void refresh(const at::Tensor& parameters, Workers* workers);

private:
    at::Tensor m_flat;
};

} // namespace accumulus
