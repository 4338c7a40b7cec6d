// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/window_keys.h"

#include "core/cuda/device_kernels.h"
#include "core/engine/batch_source.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <algorithm>
#include <utility>

namespace accumulus {
namespace {

at::Tensor onHost(std::size_t count, at::ScalarType type, at::Device device) {
    return at::empty({static_cast<std::int64_t>(count)}, at::TensorOptions(type).pinned_memory(device.is_cuda()));
}

/// Without waiting: pinned memory is kept by its allocator until the copy is done.
void copyInto(const at::Tensor& device, const at::Tensor& host) {
    device.narrow(0, 0, host.size(0)).copy_(host, /*non_blocking=*/true);
}

} // namespace

WindowKeys::WindowKeys(at::Device device, std::int64_t largest, UnitsOf unitsOf)
    : m_device(device), m_unitsOf(std::move(unitsOf)) {
    const auto options = at::TensorOptions(at::kLong).device(device);
    m_keys = at::zeros({largest, 2}, options);
    m_starts = at::zeros({largest}, options);
    m_weights = at::zeros({largest}, options.dtype(at::kDouble));
}

bool WindowKeys::fits(const WindowPlan& plan) const { return std::ssize(plan.ids) <= m_keys.size(0); }

WindowKeys::Made WindowKeys::make(const WindowPlan& plan, std::int64_t seed) const {
    const std::size_t steps = plan.microSizes.size();
    const SampleKeys samples{seed, plan.ids, plan.epochs};
    Made made{seed, plan.ids, plan.epochs, plan.microSizes, hostKeysOf(samples, m_device), {}, {}, {}};
    made.starts = onHost(steps, at::kLong, m_device);
    std::size_t first = 0;
    for (std::size_t k = 0; k < steps; ++k) {
        const auto size = static_cast<std::size_t>(plan.microSizes[k]);
        made.units.push_back(m_unitsOf({seed, samples.ids.subspan(first, size), samples.epochs.subspan(first, size)}));
        made.starts.mutable_data_ptr<std::int64_t>()[k] = static_cast<std::int64_t>(first);
        first += size;
    }
    return made;
}

void WindowKeys::weigh(Made& made, const WeightOf& weightOf) const {
    at::Tensor weights = onHost(made.units.size(), at::kDouble, m_device);
    std::ranges::transform(made.units, weights.mutable_data_ptr<double>(), weightOf);
    made.weights = std::move(weights);
}

/// On the stream that reads them: what an open window still reads is not overwritten before.
void WindowKeys::queue(const Made& made) {
    const at::NoGradGuard noGrad;
    copyInto(m_keys, made.keys);
    copyInto(m_starts, made.starts);
    copyInto(m_weights, made.weights);
}

void WindowKeys::foresee(const WindowPlan& plan, std::int64_t seed, const WeightOf& weightOf) {
    m_foreseen.reset();
    if (!fits(plan))
        return;
    Made made = make(plan, seed);
    weigh(made, weightOf);
    queue(made);
    m_foreseen = std::move(made);
}

void WindowKeys::upload(const WindowPlan& plan, std::int64_t seed, const WeightOf& weightOf) {
    std::optional<Made> made = std::exchange(m_foreseen, std::nullopt);
    if (!made || made->seed != seed || made->ids != plan.ids || made->epochs != plan.epochs ||
        made->microSizes != plan.microSizes) {
        made = make(plan, seed);
        weigh(*made, weightOf);
        queue(*made);
    } else {
        const at::Tensor expected = made->weights;
        weigh(*made, weightOf);
        if (!at::equal(made->weights, expected)) { // with another loss scale, say
            const at::NoGradGuard noGrad;
            copyInto(m_weights, made->weights);
        }
    }
    m_units = std::move(made->units);
}

void WindowKeys::select(at::Tensor& row, at::Tensor& keys, at::Tensor& weight) const {
    kernels::selectMicroStep(m_keys, m_starts, m_weights, row, keys, weight);
}

} // namespace accumulus
