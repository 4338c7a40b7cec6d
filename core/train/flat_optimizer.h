// SPDX-License-Identifier: GPL-3.0-or-later
// SGD with momentum and Nesterov, Adam and AdamW as fused ATen kernels on the flat arenas: one call per contiguous range of touched parameters. A parameter
// that no micro-batch of the window touched keeps its value, moments and count, decay included (as in PyTorch where its gradient is None). One thread.
#pragma once

#include "core/config/experiment_config.h"
#include "core/model/parameter_arena.h"

#include <ATen/core/Tensor.h>
#include <map>
#include <string>
#include <vector>

namespace accumulus {

class FlatOptimizer {
public:
    FlatOptimizer(const OptimizerConfig& config, const ParameterLayout& layout, at::ScalarType type);

    /// One update of `parameters` with `gradients` (both flat). `lr` is this update's learning rate.
    void update(at::Tensor& parameters, const at::Tensor& gradients, const std::vector<bool>& touched, double lr);

    /// Flat state tensors by name ("momentum_buffer", or "exp_avg" and "exp_avg_sq") for the resume bundle; they share memory.
    [[nodiscard]] std::map<std::string, at::Tensor> state() const;
    /// Updates that each parameter has received.
    [[nodiscard]] const std::vector<std::int64_t>& updateCounts() const { return m_counts; }
    void setUpdateCounts(std::vector<std::int64_t> counts) { m_counts = std::move(counts); }

private:
    struct Range {
        std::int64_t begin, end; ///< elements
        std::int64_t count;      ///< updates before this one
    };
    [[nodiscard]] std::vector<Range> touchedRanges(const std::vector<bool>& touched) const;

    OptimizerConfig m_config;
    const ParameterLayout& m_layout;
    at::Tensor m_first;  ///< momentum buffer or exp_avg
    at::Tensor m_second; ///< exp_avg_sq
    std::vector<std::int64_t> m_counts;
};

} // namespace accumulus
