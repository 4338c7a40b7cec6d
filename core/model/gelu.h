// SPDX-License-Identifier: GPL-3.0-or-later
// The Gaussian error linear unit (Hendrycks and Gimpel 2016). Any thread.
#pragma once

#include <ATen/core/Tensor.h>

namespace accumulus {

enum class GeluForm {
    Exact, ///< x times the normal distribution's function, as BERT
    Tanh   ///< its approximation by tanh, as GPT-2
};

/// GELU of each element, and its gradient. On the CPU in fp32 each pass takes one exponential function where ATen takes
/// an error function or a hyperbolic tangent: within 1e-6 of the exact value, relative to the larger of it and one. In
/// bf16 the approximation likewise, rounded once. Anything else goes through at::gelu.
[[nodiscard]] at::Tensor geluOf(const at::Tensor& input, GeluForm form);

/// Multiplies `gradient` by GELU's slopes at `input`, in place, and returns GELU of `input` with geluOf's bits: one
/// exponential function for both. What geluOf computes itself; `gradient` has as many elements.
[[nodiscard]] at::Tensor geluBack(const at::Tensor& input, GeluForm form, at::Tensor& gradient);

} // namespace accumulus
