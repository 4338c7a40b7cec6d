// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/window/host_sums.h"

#include "core/model/sixteen_bits.h"
#include "core/window/flat_kernels.h"
#include "core/window/touched_scale.h"

#include <ATen/ATen.h>
#include <ATen/Dispatch.h>
#include <cmath>
#include <type_traits>

namespace accumulus {
namespace {

template <class Out, class In>
double commitInto(at::Tensor& flat, std::int64_t offset, const at::Tensor& dense, double weight, bool overwrite) {
    using Weight = std::conditional_t<std::is_same_v<Out, double>, double, float>;
    return commitKernel(flat.mutable_data_ptr<Out>() + offset, dense.const_data_ptr<In>(), dense.numel(),
                        static_cast<Weight>(weight), overwrite);
}

} // namespace

HostSums::HostSums(const ParameterLayout& layout, at::ScalarType type, at::ScalarType accumulator, Workers* workers)
    : m_layout(layout), m_workers(workers), m_accumulator(layout.allocateGradient(accumulator)),
      m_gradient(accumulator == type ? m_accumulator : layout.allocateGradient(type)) {}

void HostSums::add(std::span<const at::Tensor> gradients, double weight, const std::vector<bool>& touched) {
    for (std::size_t i = 0; i < gradients.size(); ++i)
        if (gradients[i].defined())
            addParameter(i, gradients[i], weight, touched[i]);
}

void HostSums::addParameter(std::size_t parameter, const at::Tensor& gradient, double weight, bool touched) {
    const at::ScalarType from = gradient.scalar_type(), to = m_accumulator.scalar_type();
    const bool straight = from == at::kBFloat16 && to == at::kFloat;
    const at::Tensor dense =
        (straight ? gradient : inFloat(gradient)).contiguous(m_layout.specs()[parameter].memoryFormat());
    const std::int64_t offset = m_layout.offset(parameter);
    if (to == at::kBFloat16)
        m_openSquaredNorm += commitInto<at::BFloat16, float>(m_accumulator, offset, dense, weight, !touched);
    else if (straight)
        m_openSquaredNorm += commitInto<float, at::BFloat16>(m_accumulator, offset, dense, weight, !touched);
    else
        AT_DISPATCH_FLOATING_TYPES(to, "commit", [&] {
            m_openSquaredNorm += commitInto<scalar_t, scalar_t>(m_accumulator, offset, dense, weight, !touched);
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
