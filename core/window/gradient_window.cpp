// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/window/gradient_window.h"

#include "core/window/flat_kernels.h"

#include <ATen/ATen.h>
#include <ATen/Dispatch.h>
#include <algorithm>
#include <cmath>

namespace accumulus {

GradientWindow::GradientWindow(const ParameterLayout& layout, at::ScalarType type, Normalise normalise, double clipNorm,
                               std::int64_t nominalUnits, PlantedBug bug, std::optional<at::ScalarType> accumulator,
                               const SumPlace& place)
    : m_layout(layout), m_flat(layout.allocate(accumulator.value_or(type), place.device)),
      m_gradient(accumulator.value_or(type) == type ? m_flat : layout.allocate(type, place.device)),
      m_normaliser(normalise), m_clipNorm(clipNorm), m_nominalUnits(nominalUnits), m_bug(bug),
      m_touched(layout.size(), false) {
    if (place.deferred || place.device.is_cuda())
        m_sums = std::make_unique<DeviceSums>(layout, place.device, place.microSteps);
}

double GradientWindow::addTo(std::size_t parameter, const at::Tensor& gradient, double weight) {
    // The arena's memory order: a channels-last parameter has a channels-last gradient.
    const at::Tensor dense = gradient.contiguous(
        m_layout.specs()[parameter].channelsLast ? at::MemoryFormat::ChannelsLast : at::MemoryFormat::Contiguous);
    const bool first = !m_touched[parameter];
    m_touched[parameter] = true;
    if (m_flat.scalar_type() == at::kBFloat16)
        return commitKernel(m_flat.mutable_data_ptr<at::BFloat16>() + m_layout.offset(parameter),
                            dense.const_data_ptr<float>(), dense.numel(), static_cast<float>(weight), first);
    double squaredNorm = 0.0;
    AT_DISPATCH_FLOATING_TYPES(m_flat.scalar_type(), "commit", [&] {
        squaredNorm =
            commitKernel(m_flat.mutable_data_ptr<scalar_t>() + m_layout.offset(parameter),
                         dense.const_data_ptr<scalar_t>(), dense.numel(), static_cast<scalar_t>(weight), first);
    });
    return squaredNorm;
}

void GradientWindow::add(std::size_t parameter, const at::Tensor& gradient, double weight) {
    if (m_sums) {
        m_sums->add(m_flat, parameter, gradient, {weight, {}});
        m_touched[parameter] = true;
        return;
    }
    m_openSquaredNorm += addTo(parameter, gradient, weight);
}

void GradientWindow::commit(const MicroGradient& micro) {
    if (m_leaveOutNonfinite && !micro.finite) {
        ++m_leftOut;
        return;
    }
    if (micro.units == 0)
        return;
    double weight = m_normaliser.commitWeight(micro.units);
    if (m_bug == PlantedBug::ClipEachMicroBatch) {
        double squared = 0.0;
        for (const at::Tensor& gradient : micro.gradients)
            if (gradient.defined())
                squared += gradient.to(at::kDouble).square().sum().item<double>();
        const double norm = std::sqrt(squared) / static_cast<double>(micro.units);
        weight *= norm > m_clipNorm ? m_clipNorm / norm : 1.0;
    }
    if (m_bug != PlantedBug::NotUnscaled)
        weight /= micro.scale;
    if (m_sums) {
        commitDeferred(micro, weight);
        return;
    }
    double squaredNorm = m_openSquaredNorm;
    m_openSquaredNorm = 0.0;
    for (std::size_t i = 0; i < micro.gradients.size(); ++i) {
        if (micro.gradients[i].defined())
            squaredNorm += addTo(i, micro.gradients[i], weight);
        else if (m_bug == PlantedBug::StepUntouched)
            squaredNorm += addTo(i, at::zeros(m_layout.specs()[i].shape, m_gradient.scalar_type()), weight);
    }
    m_micro.push_back({micro.units, squaredNorm / (micro.scale * micro.scale), micro.lossSum});
    m_units += micro.units;
    m_lossSum += micro.lossSum;
    m_smallestScale = m_smallestScale == 0.0 ? micro.scale : std::min(m_smallestScale, micro.scale);
}

void GradientWindow::commitDeferred(const MicroGradient& micro, double weight) {
    const at::NoGradGuard noGrad;
    std::vector<at::Tensor> gradients = micro.gradients;
    std::vector<bool> touched(m_layout.size(), false);
    for (std::size_t i = 0; i < gradients.size(); ++i) {
        if (!gradients[i].defined() && m_bug == PlantedBug::StepUntouched)
            gradients[i] = at::zeros(m_layout.specs()[i].shape, m_gradient.options());
        touched[i] = gradients[i].defined();
    }
    reserveMicroSteps(1);
    m_sums->add(m_flat, gradients, {weight, {}});
    m_sums->closeMicroStep(micro.lossOnDevice.defined()
                               ? micro.lossOnDevice
                               : at::full({1}, micro.lossSum, m_gradient.options().dtype(at::kDouble)));
    countMicroStep(touched, micro.units, micro.scale);
}

void GradientWindow::commitOnDevice(const MicroGradient& micro, const kernels::Scalar& weight) {
    m_sums->add(m_flat, micro.gradients, weight);
    m_sums->closeMicroStep(micro.lossOnDevice);
}

void GradientWindow::countMicroStep(const std::vector<bool>& touched, std::int64_t units, double scale) {
    for (std::size_t i = 0; i < touched.size(); ++i)
        m_touched[i] = m_touched[i] || touched[i];
    m_micro.push_back({units, 0.0, 0.0, scale});
    m_units += units;
    m_smallestScale = m_smallestScale == 0.0 ? scale : std::min(m_smallestScale, scale);
}

double GradientWindow::fetchMicroSteps() {
    const DeviceSums::Values values = m_sums->fetch(microSteps());
    m_lossSum = 0.0;
    for (std::size_t k = 0; k < m_micro.size(); ++k) {
        m_micro[k].squaredNorm = values.squaredNorms[k] / (m_micro[k].scale * m_micro[k].scale);
        m_micro[k].lossSum = values.losses[k];
        m_lossSum += values.losses[k];
    }
    return values.squaredNorm;
}

double GradientWindow::scaleTouched(double factor) {
    double squared = 0.0;
    AT_DISPATCH_FLOATING_TYPES(m_gradient.scalar_type(), "scale", [&] {
        scalar_t* flat = m_gradient.mutable_data_ptr<scalar_t>();
        for (std::size_t i = 0; i < m_layout.size(); ++i)
            if (m_touched[i])
                squared +=
                    scaleKernel(flat + m_layout.offset(i), m_layout.specs()[i].count(), static_cast<scalar_t>(factor));
    });
    return squared;
}

double GradientWindow::touchedSquaredNorm() const {
    double squared = 0.0;
    AT_DISPATCH_FLOATING_TYPES(m_gradient.scalar_type(), "norm", [&] {
        const scalar_t* flat = m_gradient.const_data_ptr<scalar_t>();
        for (std::size_t i = 0; i < m_layout.size(); ++i)
            if (m_touched[i])
                squared += squareSumKernel(flat + m_layout.offset(i), m_layout.specs()[i].count());
    });
    return squared;
}

double GradientWindow::divisor() const {
    switch (m_bug) {
    case PlantedBug::NotDivided:
    case PlantedBug::ClipRawSum:
        return 1.0;
    case PlantedBug::DividedTwice:
        return m_normaliser.divisor(m_units, microSteps()) * static_cast<double>(microSteps());
    case PlantedBug::NominalDivisor:
        return static_cast<double>(m_nominalUnits);
    default:
        return m_normaliser.divisor(m_units, microSteps());
    }
}

bool GradientWindow::clips() const {
    return m_clipNorm > 0.0 && m_bug != PlantedBug::ClipEachMicroBatch && m_bug != PlantedBug::ClipThenDivide;
}

/// All but the gradient itself.
WindowGradient GradientWindow::describe() const {
    WindowGradient result;
    result.units = m_units;
    result.microSteps = microSteps();
    result.leftOut = m_leftOut;
    if (m_units == 0)
        return result;
    result.loss = m_lossSum / static_cast<double>(m_units);
    if (m_bug == PlantedBug::LossOfLastMicroBatch)
        result.loss = m_micro.back().lossSum / static_cast<double>(m_micro.back().units);
    for (std::size_t k = 0; k < m_micro.size() && result.finite; ++k)
        if (!std::isfinite(m_micro[k].lossSum) || !std::isfinite(m_micro[k].squaredNorm)) {
            result.finite = false;
            result.firstNonfinite = static_cast<std::int64_t>(k);
        }
    return result;
}

WindowGradient GradientWindow::finish() {
    if (m_sums) {
        prepareClosing();
        closeOnDevice();
        return fetchClosed();
    }
    WindowGradient result = describe();
    if (m_units == 0)
        return result;
    if (!m_gradient.is_same(m_flat))
        m_gradient.copy_(m_flat);
    if (m_bug == PlantedBug::ClipThenDivide) {
        const double norm = std::sqrt(touchedSquaredNorm());
        if (norm > m_clipNorm)
            scaleTouched(m_clipNorm / norm);
    }
    const double squared = scaleTouched(1.0 / divisor());
    result.norm = std::sqrt(squared);
    result.finite = result.finite && std::isfinite(result.norm);
    if (clips() && result.norm > m_clipNorm) {
        scaleTouched(m_clipNorm / result.norm);
        result.clipped = true;
    }
    estimateNoise(squared, result);
    return result;
}

void GradientWindow::reserveMicroSteps(std::int64_t more) { m_sums->reserve(microSteps() + more); }

void GradientWindow::prepareClosing() { m_sums->setFactor(m_units > 0 ? 1.0 / divisor() : 1.0); }

void GradientWindow::closeOnDevice() {
    const at::NoGradGuard noGrad;
    if (!m_gradient.is_same(m_flat))
        m_gradient.copy_(m_flat);
    if (m_bug == PlantedBug::ClipThenDivide) {
        m_sums->setFactor(1.0);
        m_sums->close(m_gradient, m_touched, m_clipNorm);
        m_sums->setFactor(1.0 / divisor());
    }
    m_sums->close(m_gradient, m_touched, clips() ? m_clipNorm : 0.0);
}

WindowGradient GradientWindow::fetchClosed() {
    const double squared = fetchMicroSteps();
    WindowGradient result = describe();
    if (m_units == 0)
        return result;
    result.norm = std::sqrt(squared);
    result.finite = result.finite && std::isfinite(result.norm);
    result.clipped = clips() && result.norm > m_clipNorm;
    estimateNoise(squared, result);
    return result;
}

void GradientWindow::estimateNoise(double squaredNorm, WindowGradient& result) const {
    if (m_micro.size() < 2 || !result.finite || !m_normaliser.isMean())
        return;
    const auto total = static_cast<double>(m_units);
    const auto steps = static_cast<double>(m_micro.size());
    double a = 0.0; // A = sum (n_k / N) |g_k|^2 with g_k the mean gradient of micro-batch k
    for (const Micro& micro : m_micro)
        a += micro.squaredNorm / static_cast<double>(micro.units) / total;
    result.noiseS = std::max(0.0, total * (a - squaredNorm) / (steps - 1.0));
    result.noiseG2 = (steps * squaredNorm - a) / (steps - 1.0);
}

void GradientWindow::clear() {
    if (m_sums) {
        const at::NoGradGuard noGrad;
        m_sums->clear();
        m_flat.zero_(); // a recorded commit always adds
    }
    std::fill(m_touched.begin(), m_touched.end(), false);
    m_micro.clear();
    m_units = 0;
    m_lossSum = 0.0;
    m_openSquaredNorm = 0.0;
    m_leftOut = 0;
    m_smallestScale = 0.0;
}

GradientWindow::Saved GradientWindow::save() {
    if (m_sums && !m_micro.empty())
        fetchMicroSteps();
    Saved saved;
    saved.leftOut = m_leftOut;
    saved.smallestScale = m_smallestScale;
    for (const Micro& micro : m_micro) {
        saved.units.push_back(micro.units);
        saved.squaredNorms.push_back(micro.squaredNorm);
        saved.lossSums.push_back(micro.lossSum);
    }
    saved.touched = m_touched;
    return saved;
}

void GradientWindow::restore(const Saved& saved, const at::Tensor& flat) {
    clear();
    for (std::size_t k = 0; k < saved.units.size(); ++k) {
        m_micro.push_back({saved.units[k], saved.squaredNorms[k], saved.lossSums[k]});
        m_units += saved.units[k];
        m_lossSum += saved.lossSums[k];
    }
    m_touched = saved.touched;
    m_leftOut = saved.leftOut;
    m_smallestScale = saved.smallestScale;
    m_flat.copy_(flat);
    if (m_sums)
        m_sums->restore(saved.squaredNorms, saved.lossSums);
}

} // namespace accumulus
