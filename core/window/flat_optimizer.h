// SPDX-License-Identifier: GPL-3.0-or-later
// SGD with momentum and Nesterov, Adam and AdamW as fused ATen kernels on the flat arenas: one call per contiguous
// range of touched parameters. A parameter that no micro-batch of the window touched keeps its value, moments and
// count, decay included (as in PyTorch where its gradient is None). Called by one thread.
#pragma once

#include "core/config/experiment_config.h"
#include "core/model/parameter_arena.h"
#include "core/window/shards.h"
#include "core/window/workers.h"

#include <ATen/core/Tensor.h>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace accumulus {

class FlatOptimizer {
public:
    /// `shard`: the elements that this optimizer updates and keeps state for; by default all. `workers` share update();
    /// may be null.
    FlatOptimizer(const OptimizerConfig& config, const ParameterLayout& layout, at::ScalarType type,
                  at::Device device = at::kCPU, std::optional<FlatRange> shard = {}, Workers* workers = nullptr);

    /// One update of `parameters` with `gradients` (both flat; the gradients of all elements, or of the shard). `lr` is
    /// this update's learning rate.
    void update(at::Tensor& parameters, const at::Tensor& gradients, const std::vector<bool>& touched, double lr);

    // The same in three parts, for a device that decides itself whether the update is made: prepareUpdate() hands over
    // learning rate and counts, queueUpdate() queues work only (it may be recorded and repeated while rangesOf() stays
    // the same), countUpdate() follows when the update was made.
    void prepareUpdate(const std::vector<bool>& touched, double lr);
    /// `skip` (fp32, one element): when it is 1, nothing is changed.
    void queueUpdate(at::Tensor& parameters, const at::Tensor& gradients, const at::Tensor& skip);
    void countUpdate(const std::vector<bool>& touched);
    /// The learning rate may change between repetitions of queueUpdate(): LibTorch's kernels take it as fp32, so fp64
    /// runs give it by value.
    [[nodiscard]] bool takesLrFromDevice() const { return m_type != at::kDouble; }

    /// Elements [begin, end) that one fused call updates.
    struct Range {
        std::int64_t begin, end;
        std::int64_t count; ///< updates before this one
    };
    [[nodiscard]] std::vector<Range> rangesOf(const std::vector<bool>& touched) const;

    /// State tensors of the shard by name ("momentum_buffer", or "exp_avg" and "exp_avg_sq") for the resume bundle;
    /// they share memory.
    [[nodiscard]] std::map<std::string, at::Tensor> state() const;
    [[nodiscard]] FlatRange shard() const { return m_shard; }
    /// Updates that each parameter has received.
    [[nodiscard]] const std::vector<std::int64_t>& updateCounts() const { return m_counts; }
    void setUpdateCounts(std::vector<std::int64_t> counts) { m_counts = std::move(counts); }

private:
    void updateRange(const Range& range, at::Tensor& parameters, const at::Tensor& gradients, double lr) const;
    [[nodiscard]] at::Tensor stateOf(const at::Tensor& state, const Range& range) const;
    [[nodiscard]] std::vector<at::Tensor> piecesOf(const at::Tensor& part) const;

    OptimizerConfig m_config;
    const ParameterLayout& m_layout;
    at::ScalarType m_type;
    at::Device m_device;
    FlatRange m_shard;
    Workers* m_workers;
    at::Tensor m_first;  ///< momentum buffer or exp_avg
    at::Tensor m_second; ///< exp_avg_sq
    std::vector<std::int64_t> m_counts;
    // Of the prepared update.
    std::vector<Range> m_ranges;
    double m_lr = 0.0;
    at::Tensor m_lrOnDevice;    ///< fp32, one element
    at::Tensor m_countOnDevice; ///< fp32, [ranges]: number of this update
};

} // namespace accumulus
