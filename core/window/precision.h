// SPDX-License-Identifier: GPL-3.0-or-later
// Which number formats a run keeps its parameters, gradients and sums in.
#pragma once

#include "core/config/experiment_config.h"

#include <ATen/core/Tensor.h>
#include <optional>

namespace accumulus {

/// Of parameters and gradients: fp64 in fp64 runs, else fp32 (bf16 and fp16 runs keep fp32 weights).
[[nodiscard]] at::ScalarType parameterType(Precision precision);
/// In which autocast computes: 16 bits; nothing in fp32 and fp64 runs, which go without it.
[[nodiscard]] std::optional<at::ScalarType> autocastType(Precision precision);
[[nodiscard]] at::ScalarType accumulatorType(const NumericsConfig& numerics);

} // namespace accumulus
