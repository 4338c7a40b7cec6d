// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/window/flat_optimizer.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <algorithm>

namespace accumulus {

namespace {

/// LibTorch's fused GPU kernels give one block to 65536 elements of a tensor, and take 30 tensors or more in one call.
/// A small arena is handed over in pieces, so that more than a few blocks work on it.
constexpr std::int64_t maxPieces = 30;
constexpr std::int64_t minPiece = 4096;

} // namespace

FlatOptimizer::FlatOptimizer(const OptimizerConfig& config, const ParameterLayout& layout, at::ScalarType type,
                             at::Device device, std::optional<FlatRange> shard, Workers* workers)
    : m_config(config), m_layout(layout), m_type(type), m_device(device),
      m_shard(shard.value_or(FlatRange{0, layout.gradientSize()})), m_workers(workers), m_counts(layout.size(), 0) {
    const auto options = at::TensorOptions(type).device(device);
    const bool adam = config.name != OptimizerKind::Sgd;
    if (adam || config.momentum != 0.0)
        m_first = at::zeros({m_shard.end - m_shard.begin}, options);
    if (adam)
        m_second = at::zeros({m_shard.end - m_shard.begin}, options);
}

std::vector<FlatOptimizer::Range> FlatOptimizer::rangesOf(const std::vector<bool>& touched) const {
    std::vector<Range> ranges;
    for (std::size_t i = 0; i < m_layout.size(); ++i) {
        if (!touched[i])
            continue;
        const std::int64_t begin = std::max(m_shard.begin, m_layout.offset(i));
        // With the gap, which is zero everywhere and stays so.
        const std::int64_t end = std::min(m_shard.end, m_layout.offset(i) + m_layout.extent(i));
        if (begin >= end)
            continue;
        if (!ranges.empty() && ranges.back().end == begin && ranges.back().count == m_counts[i])
            ranges.back().end = end;
        else
            ranges.push_back({begin, end, m_counts[i]});
    }
    return ranges;
}

at::Tensor FlatOptimizer::stateOf(const at::Tensor& state, const Range& range) const {
    return state.narrow(0, range.begin - m_shard.begin, range.end - range.begin);
}

void FlatOptimizer::update(at::Tensor& parameters, const at::Tensor& gradients, const std::vector<bool>& touched,
                           double lr) {
    const std::vector<Range> ranges = rangesOf(touched);
    std::int64_t elements = 0;
    for (const Range& range : ranges)
        elements += range.end - range.begin;
    Workers* const workers = worthwhile(m_workers, elements);
    const std::int64_t size = stretchSize(elements, workers);
    std::vector<Range> parts;
    for (const Range& range : ranges)
        for (std::int64_t begin = range.begin; begin < range.end; begin += size)
            parts.push_back({begin, std::min(begin + size, range.end), range.count});
    forEachPart(workers, std::ssize(parts), [&](std::int64_t part) {
        updateRange(parts[static_cast<std::size_t>(part)], parameters, gradients, lr);
    });
    countUpdate(touched);
}

void FlatOptimizer::updateRange(const Range& range, at::Tensor& parameters, const at::Tensor& gradients,
                                double lr) const {
    const at::NoGradGuard noGrad; // of this thread
    const OptimizerConfig& c = m_config;
    const std::int64_t firstGradient = gradients.numel() == m_layout.gradientSize() ? 0 : m_shard.begin;
    const at::Tensor p = parameters.narrow(0, range.begin, range.end - range.begin);
    const at::Tensor g = gradients.narrow(0, range.begin - firstGradient, range.end - range.begin);
    if (c.name == OptimizerKind::Sgd) {
        // A zero momentum buffer equals PyTorch's copy at the first update, because dampening is 0.
        std::vector<at::Tensor> momentum;
        if (m_first.defined())
            momentum.push_back(stateOf(m_first, range));
        at::_fused_sgd_({p}, {g}, momentum, c.weightDecay, c.momentum, lr, /*dampening=*/0.0, c.nesterov,
                        /*maximize=*/false, /*is_first_step=*/false);
        return;
    }
    const at::Tensor first = stateOf(m_first, range);
    const at::Tensor second = stateOf(m_second, range);
    const at::Tensor count =
        at::scalar_tensor(static_cast<double>(range.count + 1), at::TensorOptions(at::kFloat).device(m_device));
    if (c.name == OptimizerKind::Adam)
        at::_fused_adam_({p}, {g}, {first}, {second}, {}, {count}, lr, c.beta1, c.beta2, c.weightDecay, c.eps,
                         /*amsgrad=*/false, /*maximize=*/false);
    else
        at::_fused_adamw_({p}, {g}, {first}, {second}, {}, {count}, lr, c.beta1, c.beta2, c.weightDecay, c.eps,
                          /*amsgrad=*/false, /*maximize=*/false);
}

void FlatOptimizer::prepareUpdate(const std::vector<bool>& touched, double lr) {
    const at::NoGradGuard noGrad;
    m_ranges = rangesOf(touched);
    m_lr = lr;
    const auto options = at::TensorOptions(at::kFloat).device(m_device);
    if (!m_lrOnDevice.defined()) {
        m_lrOnDevice = at::zeros({1}, options);
        m_countOnDevice = at::zeros({static_cast<std::int64_t>(m_layout.size())}, options); // stays where it is
    }
    m_lrOnDevice.fill_(lr);
    if (m_config.name != OptimizerKind::Sgd)
        for (std::size_t i = 0; i < m_ranges.size(); ++i)
            m_countOnDevice.select(0, static_cast<std::int64_t>(i)).fill_(m_ranges[i].count + 1);
}

std::vector<at::Tensor> FlatOptimizer::piecesOf(const at::Tensor& part) const {
    const std::int64_t count = part.numel();
    if (!part.is_cuda())
        return {part};
    const std::int64_t wanted = std::max(minPiece, (count + maxPieces - 1) / maxPieces);
    const std::int64_t size = (wanted + 63) / 64 * 64; // kernels may depend on alignment
    std::vector<at::Tensor> pieces;
    for (std::int64_t begin = 0; begin < count; begin += size)
        pieces.push_back(part.narrow(0, begin, std::min(size, count - begin)));
    return pieces;
}

void FlatOptimizer::queueUpdate(at::Tensor& parameters, const at::Tensor& gradients, const at::Tensor& skip) {
    const at::NoGradGuard noGrad;
    for (std::size_t i = 0; i < m_ranges.size(); ++i) {
        const Range& range = m_ranges[i];
        const auto ofState = [&](const at::Tensor& state) {
            return state.defined() ? piecesOf(stateOf(state, range)) : std::vector<at::Tensor>{};
        };
        const std::vector<at::Tensor> p = piecesOf(parameters.narrow(0, range.begin, range.end - range.begin));
        const std::vector<at::Tensor> g = piecesOf(gradients.narrow(0, range.begin, range.end - range.begin));
        const std::vector<at::Tensor> first = ofState(m_first);
        const std::vector<at::Tensor> second = ofState(m_second);
        const std::vector<at::Tensor> counts(p.size(), m_countOnDevice.select(0, static_cast<std::int64_t>(i)));
        const OptimizerConfig& c = m_config;
        const auto apply = [&](const auto& lr) {
            if (c.name == OptimizerKind::Sgd)
                at::_fused_sgd_(p, g, first, c.weightDecay, c.momentum, lr, /*dampening=*/0.0, c.nesterov,
                                /*maximize=*/false, /*is_first_step=*/false, {}, skip);
            else if (c.name == OptimizerKind::Adam)
                at::_fused_adam_(p, g, first, second, {}, counts, lr, c.beta1, c.beta2, c.weightDecay, c.eps,
                                 /*amsgrad=*/false, /*maximize=*/false, {}, skip);
            else
                at::_fused_adamw_(p, g, first, second, {}, counts, lr, c.beta1, c.beta2, c.weightDecay, c.eps,
                                  /*amsgrad=*/false, /*maximize=*/false, {}, skip);
        };
        takesLrFromDevice() ? apply(m_lrOnDevice) : apply(m_lr);
    }
}

void FlatOptimizer::countUpdate(const std::vector<bool>& touched) {
    for (std::size_t i = 0; i < m_counts.size(); ++i)
        if (touched[i])
            ++m_counts[i];
}

std::map<std::string, at::Tensor> FlatOptimizer::state() const {
    std::map<std::string, at::Tensor> state;
    const bool adam = m_config.name != OptimizerKind::Sgd;
    if (m_first.defined())
        state[adam ? "exp_avg" : "momentum_buffer"] = m_first;
    if (m_second.defined())
        state["exp_avg_sq"] = m_second;
    return state;
}

} // namespace accumulus
