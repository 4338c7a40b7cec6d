// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/window/host_sums.h"

#include "core/window/flat_kernels.h"
#include "core/window/touched_scale.h"

#include <ATen/ATen.h>
#include <ATen/Dispatch.h>
#include <cmath>

namespace accumulus {

HostSums::HostSums(const ParameterLayout& layout, at::ScalarType type, at::ScalarType accumulator, Workers* workers)
    : m_layout(layout), m_workers(workers), m_accumulator(layout.allocateGradient(accumulator)),
      m_gradient(accumulator == type ? m_accumulator : layout.allocateGradient(type)) {}

void HostSums::add(std::span<const at::Tensor> gradients, double weight, const std::vector<bool>& touched) {
    for (std::size_t i = 0; i < gradients.size(); ++i)
        if (gradients[i].defined())
            addParameter(i, gradients[i], weight, touched[i]);
}

void HostSums::addParameter(std::size_t parameter, const at::Tensor& gradient, double weight, bool touched) {
    const bool first = !touched;
    const at::Tensor dense = gradient.contiguous(m_layout.specs()[parameter].memoryFormat());
    const std::int64_t offset = m_layout.offset(parameter);
    if (m_accumulator.scalar_type() == at::kBFloat16) {
        m_openSquaredNorm +=
            commitKernel(m_accumulator.mutable_data_ptr<at::BFloat16>() + offset, dense.const_data_ptr<float>(),
                         dense.numel(), static_cast<float>(weight), first);
        return;
    }
    AT_DISPATCH_FLOATING_TYPES(m_accumulator.scalar_type(), "commit", [&] {
        m_openSquaredNorm +=
            commitKernel(m_accumulator.mutable_data_ptr<scalar_t>() + offset, dense.const_data_ptr<scalar_t>(),
                         dense.numel(), static_cast<scalar_t>(weight), first);
    });
}

void HostSums::endMicroStep(double loss, const at::Tensor& lossOnDevice) {
    m_values.squaredNorms.push_back(m_openSquaredNorm);
    m_values.losses.push_back(lossOnDevice.defined() ? lossOnDevice.item<double>() : loss);
    m_openSquaredNorm = 0.0;
}

void HostSums::reduce(const std::vector<bool>&, const std::vector<bool>&) {
    if (!m_gradient.is_same(m_accumulator))
        m_gradient.copy_(m_accumulator);
}

double HostSums::scale(const std::vector<bool>& touched, double factor) {
    RunningSquares running;
    scaleTouched(m_gradient, m_layout, {0, m_layout.gradientSize()}, touched, factor, running, m_workers);
    return running.squared;
}

void HostSums::close(const std::vector<bool>& touched, double factor, double clipNorm) {
    m_values.squaredNorm = scale(touched, factor);
    const double norm = std::sqrt(m_values.squaredNorm);
    if (clipNorm > 0.0 && norm > clipNorm)
        static_cast<void>(scale(touched, clipNorm / norm));
}

HostSums::Values HostSums::values(std::int64_t) const { return m_values; }

void HostSums::settle() {
    m_values.squaredNorms.clear();
    m_values.losses.clear();
}

void HostSums::clear() {
    m_values = {};
    m_openSquaredNorm = 0.0;
}

void HostSums::restore(std::span<const double> squaredNorms, std::span<const double> losses,
                       const at::Tensor& accumulator) {
    clear();
    m_values.squaredNorms.assign(squaredNorms.begin(), squaredNorms.end());
    m_values.losses.assign(losses.begin(), losses.end());
    m_accumulator.copy_(accumulator);
}

} // namespace accumulus
