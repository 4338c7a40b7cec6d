// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/window/gradient_window.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <algorithm>
#include <cmath>

namespace accumulus {

GradientWindow::GradientWindow(const ParameterLayout& layout, std::unique_ptr<WindowSums> sums,
                               const Settings& settings)
    : m_layout(layout), m_sums(std::move(sums)), m_settings(settings), m_normaliser(settings.normalise),
      m_touched(layout.size(), false) {}

void GradientWindow::addParameter(std::size_t parameter, const at::Tensor& gradient, double weight) {
    m_sums->addParameter(parameter, gradient, weight, m_touched[parameter]);
    m_touched[parameter] = true;
}

bool GradientWindow::commit(const MicroGradient& micro) {
    if (m_settings.leaveOutNonfinite && !micro.finite) {
        ++m_leftOut;
        return false;
    }
    if (micro.units > 0) {
        const at::NoGradGuard noGrad;
        double weight = m_normaliser.commitWeight(micro.units);
        if (m_settings.bug == PlantedBug::ClipEachMicroBatch) {
            double squared = 0.0;
            for (const at::Tensor& gradient : micro.gradients)
                if (gradient.defined())
                    squared += gradient.to(at::kDouble).square().sum().item<double>();
            const double norm = std::sqrt(squared) / static_cast<double>(micro.units);
            weight *= norm > m_settings.clipNorm ? m_settings.clipNorm / norm : 1.0;
        }
        if (m_settings.bug != PlantedBug::NotUnscaled)
            weight /= micro.scale;
        std::vector<at::Tensor> zeros;
        if (m_settings.bug == PlantedBug::StepUntouched) {
            zeros = micro.gradients;
            for (std::size_t i = 0; i < zeros.size(); ++i)
                if (!zeros[i].defined())
                    zeros[i] = at::zeros(m_layout.specs()[i].shape, gradient().options());
        }
        const std::vector<at::Tensor>& gradients = zeros.empty() ? micro.gradients : zeros;
        m_sums->add(gradients, weight, m_touched);
        for (std::size_t i = 0; i < gradients.size(); ++i)
            m_touched[i] = m_touched[i] || gradients[i].defined();
        m_sums->endMicroStep(micro.lossSum, micro.lossOnDevice);
        m_pieces.push_back({micro.units, micro.scale});
        m_units += micro.units;
        m_smallestScale = m_smallestScale == 0.0 ? micro.scale : std::min(m_smallestScale, micro.scale);
        m_openMicroStep = true;
    }
    if (m_openMicroStep && !micro.continues) {
        ++m_microSteps;
        m_openMicroStep = false;
    }
    return true;
}

void GradientWindow::countMicroStep(const std::vector<bool>& touched, std::int64_t units, double scale) {
    for (std::size_t i = 0; i < touched.size(); ++i)
        m_touched[i] = m_touched[i] || touched[i];
    m_pieces.push_back({units, scale});
    m_units += units;
    ++m_microSteps;
    m_smallestScale = m_smallestScale == 0.0 ? scale : std::min(m_smallestScale, scale);
}

void GradientWindow::fetchPieces(const WindowSums::Values& values) {
    for (std::size_t k = 0; k < m_pieces.size(); ++k) {
        m_pieces[k].squaredNorm = values.squaredNorms[k] / (m_pieces[k].scale * m_pieces[k].scale);
        m_pieces[k].lossSum = values.losses[k];
    }
}

double GradientWindow::divisor() const {
    switch (m_settings.bug) {
    case PlantedBug::NotDivided:
    case PlantedBug::ClipRawSum:
        return 1.0;
    case PlantedBug::DividedTwice:
        return m_normaliser.divisor(m_units, m_microSteps, m_nominalSteps) * static_cast<double>(m_microSteps);
    case PlantedBug::NominalDivisor:
        return static_cast<double>(m_nominalUnits);
    default:
        return m_normaliser.divisor(m_units, m_microSteps, m_nominalSteps);
    }
}

double GradientWindow::closingFactor() const { return m_units > 0 ? 1.0 / divisor() : 1.0; }

double GradientWindow::closingClip() const {
    const bool elsewhere =
        m_settings.bug == PlantedBug::ClipEachMicroBatch || m_settings.bug == PlantedBug::ClipThenDivide;
    return elsewhere ? 0.0 : m_settings.clipNorm;
}

WindowGradient GradientWindow::close() {
    if (m_units > 0) {
        m_sums->reduce();
        if (m_settings.bug == PlantedBug::ClipThenDivide)
            m_sums->close(m_touched, 1.0, m_settings.clipNorm);
        m_sums->close(m_touched, closingFactor(), closingClip());
    }
    return closed();
}

WindowGradient GradientWindow::closed() {
    WindowGradient result;
    result.units = m_units;
    result.microSteps = m_microSteps;
    result.leftOut = m_leftOut;
    if (m_units == 0)
        return result;
    const WindowSums::Values values = m_sums->values(pieces());
    fetchPieces(values);
    double lossSum = 0.0;
    for (std::size_t k = 0; k < m_pieces.size(); ++k) {
        lossSum += m_pieces[k].lossSum;
        if (result.finite && (!std::isfinite(m_pieces[k].lossSum) || !std::isfinite(m_pieces[k].squaredNorm))) {
            result.finite = false;
            result.firstNonfinite = static_cast<std::int64_t>(k);
        }
    }
    result.loss = lossSum / static_cast<double>(m_units);
    if (m_settings.bug == PlantedBug::LossOfLastMicroBatch)
        result.loss = m_pieces.back().lossSum / static_cast<double>(m_pieces.back().units);
    result.norm = std::sqrt(values.squaredNorm);
    result.finite = result.finite && std::isfinite(result.norm);
    result.clipped = closingClip() > 0.0 && result.norm > closingClip();
    estimateNoise(values.squaredNorm, result);
    return result;
}

std::optional<double> GradientWindow::meanLoss() {
    if (m_units == 0)
        return std::nullopt;
    fetchPieces(m_sums->values(pieces()));
    double sum = 0.0;
    for (const Piece& piece : m_pieces)
        sum += piece.lossSum;
    return sum / static_cast<double>(m_units);
}

std::optional<GradientWindow::Nonfinite> GradientWindow::nonfiniteSince(std::int64_t first) {
    fetchPieces(m_sums->values(pieces()));
    std::optional<Nonfinite> found;
    for (auto piece = m_pieces.begin() + first; piece != m_pieces.end(); ++piece) {
        if (!std::isfinite(piece->lossSum))
            return Nonfinite::Loss;
        if (!std::isfinite(piece->squaredNorm))
            found = Nonfinite::Gradient;
    }
    return found;
}

void GradientWindow::estimateNoise(double squaredNorm, WindowGradient& result) const {
    if (m_pieces.size() < 2 || !result.finite || !m_normaliser.isMean())
        return;
    const auto total = static_cast<double>(m_units);
    const auto steps = static_cast<double>(m_pieces.size());
    double a = 0.0; // A = sum (n_k / N) |g_k|^2 with g_k the mean gradient of micro-batch k
    for (const Piece& piece : m_pieces)
        a += piece.squaredNorm / static_cast<double>(piece.units) /
             (m_settings.bug == PlantedBug::NoiseUnweighted ? steps * static_cast<double>(piece.units) : total);
    result.noiseS = std::max(0.0, total * (a - squaredNorm) / (steps - 1.0));
    result.noiseG2 = (steps * squaredNorm - a) / (steps - 1.0);
}

void GradientWindow::clear() {
    m_sums->clear();
    std::fill(m_touched.begin(), m_touched.end(), false);
    m_pieces.clear();
    m_units = 0;
    m_microSteps = 0;
    m_openMicroStep = false;
    m_leftOut = 0;
    m_smallestScale = 0.0;
}

GradientWindow::Saved GradientWindow::save() {
    Saved saved;
    saved.leftOut = m_leftOut;
    saved.smallestScale = m_smallestScale;
    saved.microSteps = m_microSteps;
    saved.touched = m_touched;
    if (!m_pieces.empty()) {
        fetchPieces(m_sums->values(pieces()));
        saved.accumulator = m_sums->accumulator();
    }
    for (const Piece& piece : m_pieces) {
        saved.units.push_back(piece.units);
        saved.squaredNorms.push_back(piece.squaredNorm);
        saved.lossSums.push_back(piece.lossSum);
    }
    return saved;
}

void GradientWindow::restore(const Saved& saved) {
    clear();
    for (const std::int64_t units : saved.units) {
        m_pieces.push_back({units, 1.0}); // norms were saved without their scale
        m_units += units;
    }
    m_touched = saved.touched;
    m_microSteps = saved.microSteps;
    m_leftOut = saved.leftOut;
    m_smallestScale = saved.smallestScale;
    if (saved.accumulator.defined())
        m_sums->restore(saved.squaredNorms, saved.lossSums, saved.accumulator);
}

} // namespace accumulus
