// SPDX-License-Identifier: GPL-3.0-or-later
// Gradients as an audit compares them: a tensor for each parameter, in fp64, its elements in the order of its
// dimensions. One thread.
#pragma once

#include "core/analysis/gradient_audit.h"
#include "core/analysis/gradient_fit.h"
#include "core/model/parameter_arena.h"

#include <ATen/core/Tensor.h>
#include <optional>
#include <string>
#include <vector>

namespace accumulus {

struct NamedGradient {
    std::string name;
    at::Tensor gradient; ///< fp64, contiguous, on the CPU
};
using NamedGradients = std::vector<NamedGradient>;

/// The trainable parameters of a flat gradient; a copy.
[[nodiscard]] NamedGradients gradientsOf(const ParameterLayout& layout, const at::Tensor& flat);
[[nodiscard]] double normOf(const NamedGradients& gradients);

/// Some elements of each tensor, evenly spread: so many that all tensors together have about 200 000, fewer where
/// there are more than 16 micro-gradients to a window, and none fewer than 256 (or all it has).
class ElementChoice {
public:
    ElementChoice(const NamedGradients& like, std::size_t columns);
    [[nodiscard]] std::vector<double> of(const at::Tensor& gradient) const;

private:
    std::int64_t m_most;
};

/// ComparedTensor::floor of each tensor from its sum n_k |g_k| over a window of N units.
[[nodiscard]] std::vector<double> floorsOf(const std::vector<double>& sums, double units);

/// What the accumulated gradient is held against. Undefined tensors are not known.
struct ComparedTensor {
    at::Tensor accumulated, large, permuted, reference; ///< fp64
    double floor = 0.0;                                 ///< of the norm that errors are divided by
};
/// `large` undefined: the reference stands in for it. See AuditedTensor.
[[nodiscard]] AuditedTensor compareTensor(const std::string& name, const ComparedTensor& tensor, double tolerance);

} // namespace accumulus
